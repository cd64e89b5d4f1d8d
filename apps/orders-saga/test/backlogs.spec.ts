import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { observeBacklogs } from '@reseller/database';
import { createTestDatabase, rowsRead, silentLog, type TestDatabase } from '@reseller/testing';
import { Registry } from 'prom-client';
import { v7 as uuidv7 } from 'uuid';
import { ORDER_BACKLOGS } from '../src/backlog/backlogs';
import { MIGRATIONS } from './start-orders';

const FINISHED = 20_000;
let database: TestDatabase;
let exposition: string;

/** An order with its saga at a step since so many minutes. */
async function addOrder(
  at: { step: string; minutes: number },
  saga: { state: string; wake: string | null; owner: string | null },
  status = 'Processing',
): Promise<void> {
  const id = uuidv7();
  await database.pool.query(
    `WITH o AS (INSERT INTO orders (id, global_id, saga_id, partner_id, partner_global_id, environment, product,
        external_reference, request, geo_scope_global_id, amount, currency, status, submitted_at)
      VALUES ($1::uuid, $8, 's', $1::uuid, 'P', 'live', 'Topup', $8, '{}', 'GEO-SA', 5, 'SAR', $6,
        clock_timestamp() - $3 * interval '1 minute'))
    INSERT INTO sagas (order_id, state, lease_owner, lease_epoch, lease_until, wake_at, lane, journal)
    VALUES ($1::uuid, $4, $7::text, 1, CASE WHEN $7::text IS NOT NULL THEN clock_timestamp() END, clock_timestamp() + $5::interval,
      CASE WHEN $7::text IS NULL THEN 'vendor:acme' ELSE 'lapsed' END,
      (extract(epoch FROM clock_timestamp() - $3 * interval '1 minute') * 1000000)::bigint || ' ["' || $2 || '",0,null]')`,
    [id, at.step, at.minutes, saga.state, saga.wake, status, saga.owner, id],
  );
}

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  const { pool } = database;
  // What the triggers would refuse, since nothing was placed; only what waits is looked at.
  await pool.query(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET session_replication_role = replica', current_database()); END $$`,
  );
  const idle = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  for (const client of idle) client.release(true);
  await pool.query(
    `INSERT INTO orders (id, global_id, saga_id, partner_id, partner_global_id, environment, product, external_reference,
       request, geo_scope_global_id, amount, currency, status, submitted_at, completed_at)
     SELECT uuidv7(), n::text, 's', uuidv7(), 'P', CASE n WHEN $1 THEN 'sandbox' ELSE 'live' END, 'Topup', n::text, '{}', 'GEO-SA', 5, 'SAR',
       CASE n % 5 WHEN 0 THEN 'Failed' ELSE 'Completed' END, clock_timestamp(), clock_timestamp() FROM generate_series(1, $1::int) n`,
    [FINISHED],
  );
  await pool.query(
    `INSERT INTO sagas (order_id, state, lease_epoch, journal) SELECT id, 'Finished', 1, journal_lines($1) FROM orders`,
    ['["vendor.submit",0,"Done"]\n["funds.reserve",0,"Done"]\n["order.created",0,"Done"]'],
  );
  await pool.query(
    `INSERT INTO order_tasks (id, order_id, kind, subject_id, operator, journal_attempt, state)
     SELECT id, id, 'cancel-group', id, 'o', 0, 'Done' FROM orders`,
  );
  await pool.query(
    `INSERT INTO return_requests (id, order_id, group_id, status, decided_at, decided_by_user_id, requested_at)
     SELECT id, id, id, 'Approved', now(), id, now() FROM orders`,
  );
  await addOrder(
    { step: 'vendor.submit', minutes: 30 },
    { state: 'Active', wake: '-20 minutes', owner: null },
  );
  await addOrder({ step: 'vendor.submit', minutes: 10 }, { state: 'Active', wake: '1 minute', owner: null });
  await addOrder(
    { step: 'funds.capture', minutes: 5 },
    { state: 'Active', wake: '-1 minute', owner: 'gone' },
  );
  await addOrder(
    { step: 'vendor.submit', minutes: 90 },
    { state: 'Parked', wake: null, owner: null },
    'InterventionRequired',
  );
  await pool.query(
    `INSERT INTO order_tasks (id, order_id, kind, subject_id, operator, journal_attempt, attempts)
     (SELECT uuidv7(interval '-2 hours'), id, 'approve-return', id, 'o', 0, 41 FROM orders LIMIT 1)
     UNION ALL SELECT uuidv7(interval '-9 days'), id, 'cancel-group', uuidv7(), 'o', 0, 900 FROM orders WHERE environment = 'sandbox'`,
  );
  await pool.query('ANALYZE');
  const metrics = new Registry();
  observeBacklogs({ pool, metrics, log: silentLog }, ORDER_BACKLOGS);
  exposition = await metrics.metrics();
});
afterAll(() => database.drop());

const valueOf = (series: string): number =>
  Number(
    exposition
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')[1] ?? Number.NaN,
  );

describe('what orders-saga shows of what waits', () => {
  it('when orders stand at a step, then the longest shows by product and step, and steps without any show 0', () => {
    expect(valueOf('saga_active{product="Topup",step="vendor.submit"}')).toBe(2);
    expect(Math.round(valueOf('saga_step_oldest_seconds{product="Topup",step="vendor.submit"}') / 60)).toBe(
      30,
    );
    expect(Math.round(valueOf('saga_step_oldest_seconds{product="Topup",step="funds.capture"}') / 60)).toBe(
      5,
    );
    expect(valueOf('saga_step_oldest_seconds{product="Scent",step="funds.reserve"}')).toBe(0);
  });

  it('when nobody takes what is due, then polls and lapsed leases show apart', () => {
    expect(Math.round(valueOf('saga_overdue_seconds{kind="poll"}') / 60)).toBe(20);
    expect(Math.round(valueOf('saga_overdue_seconds{kind="lapsed-lease"}') / 60)).toBe(1);
    expect(valueOf('saga_due{kind="poll"}')).toBe(1);
  });

  it('when orders are due, then what they wait for shows, and lanes without any show 0', () => {
    expect(valueOf('saga_lane_due{lane="vendor:acme"}')).toBe(1);
    expect(Math.round(valueOf('saga_lane_overdue_seconds{lane="vendor:acme"}') / 60)).toBe(20);
    expect(valueOf('saga_lane_due{lane="lapsed"}')).toBe(1);
    expect(valueOf('saga_lane_due{lane="settlement"}')).toBe(0);
  });

  it('when an operator’s decision is refused again and again, then its age and tries show, those of the sandbox apart', () => {
    expect(valueOf('order_tasks_open{kind="approve-return",environment="live"}')).toBe(1);
    expect(valueOf('order_task_attempts{kind="approve-return",environment="live"}')).toBe(41);
    expect(
      Math.round(valueOf('order_task_oldest_seconds{kind="approve-return",environment="live"}') / 60),
    ).toBe(120);
    expect(valueOf('order_tasks_open{kind="approve-return",environment="sandbox"}')).toBe(0);
    expect(valueOf('order_task_attempts{kind="cancel-group",environment="sandbox"}')).toBe(900);
  });

  it('when an order waits for an operator, then it shows', () => {
    expect(valueOf('operator_decisions_waiting{what="intervention",environment="live"}')).toBe(1);
    expect(
      Math.round(valueOf('operator_decision_oldest_seconds{what="intervention",environment="live"}') / 60),
    ).toBe(90);
    expect(valueOf('operator_decisions_waiting{what="return-request",environment="sandbox"}')).toBe(0);
  });

  it('when much is finished, then only what waits is read', async () => {
    for (const { name, statement, values } of ORDER_BACKLOGS)
      expect([name, (await rowsRead(database.pool, statement, values)) < 50]).toEqual([name, true]);
  });
});
