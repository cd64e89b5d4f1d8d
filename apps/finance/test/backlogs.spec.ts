import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { observeBacklogs } from '@reseller/database';
import { createTestDatabase, rowsRead, silentLog, type TestDatabase } from '@reseller/testing';
import { Registry } from 'prom-client';
import { financeBacklogs } from '../src/backlog/backlogs';
import { MIGRATIONS } from './finance-service';

const BACKLOGS = financeBacklogs({ isScheduled: true });
let database: TestDatabase;
let metricsText: string;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  const { pool } = database;
  await pool.query(
    `INSERT INTO wallets (id, partner_id, environment, opened_at)
     SELECT uuidv7(), uuidv7(), CASE WHEN n > 999 THEN 'sandbox' ELSE 'live' END, CASE WHEN n <= 3 THEN clock_timestamp() - interval '70 days' ELSE clock_timestamp() END
     FROM generate_series(1, 1000) n`,
  );
  await pool.query(
    `INSERT INTO reservations (op_key, wallet_id, amount, captured, state, reference_id, pinned, expires_at, available_after, created_at, ended_at)
     SELECT 'done-' || n, (SELECT id FROM wallets LIMIT 1), 5, 5, 'captured', 'r', true, 'infinity', 0, now(), now()
     FROM generate_series(1, 20000) n`,
  );
  const hold = (key: string, expires: string, age: string, environment = 'live'): Promise<unknown> =>
    pool.query(
      `INSERT INTO reservations (op_key, wallet_id, amount, state, reference_id, pinned, expires_at, available_after, created_at)
       SELECT $1, id, 5, 'active', 'r', $2 = 'infinity', CASE $2 WHEN 'infinity' THEN $2::timestamptz
         ELSE clock_timestamp() + $2::interval END, 0, clock_timestamp() - $3::interval FROM wallets WHERE environment = $4 LIMIT 1`,
      [key, expires, age, environment],
    );
  await hold('old', 'infinity', '26 hours');
  await hold('new', '10 minutes', '5 minutes');
  await hold('lapsed', '-30 minutes', '45 minutes');
  await hold('rehearsed', 'infinity', '9 days', 'sandbox');
  await pool.query(`INSERT INTO display_rates VALUES ('USD', 0.27, clock_timestamp() - interval '2 days')`);
  await pool.query('ANALYZE');
  const metrics = new Registry();
  observeBacklogs({ pool, metrics, log: silentLog }, BACKLOGS);
  metricsText = await metrics.metrics();
});
afterAll(() => database.drop());

const valueOf = (series: string): number =>
  Number(
    metricsText
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')[1] ?? Number.NaN,
  );

describe('what finance shows of what waits', () => {
  it('when money is held, then the oldest shows, and what is past its term, or of the sandbox, shows apart', () => {
    const oldest = (kind: string, environment: string): number =>
      valueOf(`finance_reservation_oldest_seconds{kind="${kind}",environment="${environment}"}`);
    expect(valueOf('finance_reservations_active{kind="held",environment="live"}')).toBe(2);
    expect(Math.round(oldest('held', 'live') / 3600)).toBe(26);
    expect(Math.round(oldest('lapsed', 'live') / 60)).toBe(30);
    expect(Math.round(oldest('held', 'sandbox') / 86_400)).toBe(9);
    expect(oldest('lapsed', 'sandbox')).toBe(0);
  });

  it('when a rate, a statement or an e-mail is late, then it shows', () => {
    expect(Math.round(valueOf('finance_rate_age_seconds{currency="USD"}') / 86_400)).toBe(2);
    expect(valueOf('finance_statements_overdue')).toBe(3);
    expect(valueOf('finance_statement_email_overdue_seconds')).toBe(0);
  });

  it('when nothing makes statements by itself, then none is overdue', async () => {
    const metrics = new Registry();
    observeBacklogs(
      { pool: database.servicePool, metrics, log: silentLog },
      financeBacklogs({ isScheduled: false }),
    );
    expect(await metrics.metrics()).toContain('finance_statements_overdue 0');
  });

  it('when much is settled, then only what waits is read, and for statements each wallet', async () => {
    for (const { name, statement, values } of BACKLOGS) {
      const read = await rowsRead(database.pool, statement, values);
      expect([name, read < (name === 'statements' ? 3_000 : 10)]).toEqual([name, true]);
    }
  });
});
