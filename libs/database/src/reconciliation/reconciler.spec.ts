import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, silentLog, type TestDatabase } from '@reseller/testing';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Registry } from 'prom-client';
import { createSessionPool } from '../create-pool';
import type { SessionPool } from '../session-pool';
import { acceptDifference } from './accept';
import type { ReconciliationCheck } from './check';
import { Reconciler } from './reconciler';

const TABLES = readFileSync(path.join(__dirname, '../../sql/reconciliation.sql'), 'utf8');
let database: TestDatabase;
let sessions: SessionPool;
const databases: TestDatabase[] = [];
const pools: SessionPool[] = [];

/** Numbers in order; those in `wrong` differ, and `compared` says what was looked at. */
class Numbers implements ReconciliationCheck {
  readonly name = 'numbers';
  readonly batch = 2;
  readonly wrong = new Set<string>();
  compared: string[] = [];
  found = 'wrong';
  count = 6;
  /** Waited for by each comparison. */
  pause: () => Promise<void> = () => Promise.resolve();

  /** The last number that no clock of a node names another before any more; only where they come in order of time. */
  last: string | undefined;
  readonly settled?: () => Promise<string | undefined>;

  constructor(isInOrderOfTime = false) {
    if (isInOrderOfTime) this.settled = () => Promise.resolve(this.last);
  }

  page(_db: unknown, after: string, limit: number): Promise<string[]> {
    const all = Array.from({ length: this.count }, (_, n) => String(1000 + n));
    return Promise.resolve(all.filter((one) => one > after).slice(0, limit));
  }

  async compare(_db: unknown, subjects: readonly string[]) {
    await this.pause();
    this.compared.push(...subjects);
    return subjects
      .filter((one) => this.wrong.has(one))
      .map((subject) => ({ kind: 'value', subject, expected: 'right', found: this.found }));
  }
}

beforeEach(async () => {
  database = await createTestDatabase();
  databases.push(database);
  sessions = createSessionPool({
    connectionString: database.url,
    max: 2,
    name: 'sessions',
    log: silentLog,
  });
  pools.push(sessions);
  await database.pool.query(TABLES);
});
afterAll(async () => {
  await Promise.all(pools.map((one) => one.end()));
  await Promise.all(databases.map((one) => one.drop()));
});

function reconcilerOf(check: ReconciliationCheck, metrics?: Registry) {
  const logged: string[] = [];
  const note = (level: string) => (fields: object) =>
    void logged.push(`${level} ${(fields as { subject?: string }).subject ?? ''}`);
  const log = { info: note('info'), warn: note('warn'), error: note('error') };
  return {
    reconciler: new Reconciler({
      pool: database.pool,
      sessions,
      checks: [check],
      log: log as never,
      metrics,
    }),
    logged,
  };
}

describe('a reconciler', () => {
  it('when a difference lasts, then it is logged once and listed once, and ends when it is gone', async () => {
    const numbers = new Numbers();
    const metrics = new Registry();
    const { reconciler, logged } = reconcilerOf(numbers, metrics);
    numbers.wrong.add('1003');
    for (let run = 0; run < 3; run += 1) await reconciler.run({});
    expect(logged).toEqual(['warn 1003']);
    expect(await metrics.metrics()).toContain('reconciliation_differences{check="numbers"} 1');
    numbers.wrong.clear();
    const [last] = await reconciler.run({});
    expect(last).toMatchObject({ check: 'numbers', isComplete: true, openDifferences: 0 });
    expect(logged).toEqual(['warn 1003', 'info 1003']);
    numbers.wrong.add('1003');
    await reconciler.run({});
    const { differences } = await reconciler.records.list({}, { offset: 0, limit: 9 });
    expect(differences.map(({ resolvedAt }) => resolvedAt === null)).toEqual([true, false]);
    expect(await metrics.metrics()).toContain('reconciliation_runs_total{check="numbers",outcome="ok"} 5');
  });

  it('when another instance finds it gone, then the metrics of the first say so too', async () => {
    const numbers = new Numbers();
    const metrics = new Registry();
    numbers.wrong.add('1003');
    await reconcilerOf(numbers, metrics).reconciler.run({});
    numbers.wrong.clear();
    await reconcilerOf(numbers).reconciler.run({});
    const text = await metrics.metrics();
    expect(text).toContain('reconciliation_differences{check="numbers"} 0');
    expect(text).toMatch(/reconciliation_last_complete_timestamp_seconds\{check="numbers"\} 1[\d.e+]{9}/);
  });

  it('when a run ends before its pass does, then the next one carries on there', async () => {
    const numbers = new Numbers();
    const { reconciler } = reconcilerOf(numbers);
    const stop = new AbortController();
    numbers.pause = async () => {
      if (numbers.compared.length === 2) stop.abort();
    };
    expect((await reconciler.run({ signal: stop.signal }))[0]).toMatchObject({
      compared: 4,
      isComplete: false,
    });
    numbers.pause = () => Promise.resolve();
    expect((await reconciler.run({}))[0]).toMatchObject({ compared: 2, isComplete: true });
    expect(numbers.compared).toEqual(['1000', '1001', '1002', '1003', '1004', '1005']);
  });

  it('when a history takes several runs, then a pass from before is begun anew, and one that is through since compares nothing', async () => {
    const numbers = new Numbers();
    const { reconciler } = reconcilerOf(numbers);
    const stop = new AbortController();
    numbers.pause = async () => stop.abort();
    await reconciler.run({ signal: stop.signal });
    numbers.pause = () => Promise.resolve();
    await database.pool.query(`UPDATE reconciliation_checks SET pass_started_at = now() - interval '1 hour'`);
    const since = new Date();
    for (const compared of [6, 0])
      expect((await reconciler.run({ since }))[0]).toMatchObject({ compared, isComplete: true });
    expect((await reconciler.run({}))[0]).toMatchObject({ compared: 6, isComplete: true });
  });

  it('when another run has begun the next pass meanwhile, then the one that started since still counts', async () => {
    const numbers = new Numbers();
    const { reconciler } = reconcilerOf(numbers);
    const since = new Date();
    expect((await reconciler.run({ since }))[0]).toMatchObject({ compared: 6, isComplete: true });
    const stop = new AbortController();
    numbers.pause = async () => stop.abort();
    expect((await reconciler.run({ signal: stop.signal }))[0]).toMatchObject({ isComplete: false });
    expect((await reconciler.run({ since }))[0]).toMatchObject({ compared: 0, isComplete: true });
  });

  it('when subjects come in order of time, then new ones are compared before the pass goes on', async () => {
    const numbers = new Numbers(true);
    const { reconciler } = reconcilerOf(numbers);
    numbers.last = '1005';
    await reconciler.run({});
    numbers.count = 8;
    numbers.compared = [];
    await reconciler.run({});
    expect(numbers.compared.slice(0, 4)).toEqual(['1006', '1007', '1000', '1001']);
  });

  it('when there is more than the budget allows, then all that is new is compared, and a share of the pass', async () => {
    const numbers = new Numbers(true);
    const { reconciler } = reconcilerOf(numbers);
    numbers.last = '1005';
    await reconciler.run({});
    numbers.count = 16;
    numbers.last = '1015';
    const limits = { budgetMs: 0, pace: { intervalMs: 60_000, passMs: 600_000 } };
    for (const expected of [
      [...Array.from({ length: 10 }, (_, n) => String(1006 + n)), '1000', '1001'],
      ['1002', '1003'],
    ]) {
      numbers.compared = [];
      expect((await reconciler.run(limits))[0]).toMatchObject({ isComplete: false });
      expect(numbers.compared).toEqual(expected);
    }
    await database.pool.query(`UPDATE reconciliation_checks SET pass_started_at = now() - interval '1 hour'`);
    numbers.compared = [];
    expect((await reconciler.run(limits))[0]).toMatchObject({ isComplete: true });
    expect(numbers.compared).toHaveLength(12);
  });

  it('when a pass is to take two runs, then the first compares as many as there were, and the second what has come since', async () => {
    const numbers = new Numbers();
    const { reconciler } = reconcilerOf(numbers);
    const limits = { budgetMs: 0, pace: { intervalMs: 60_000, passMs: 120_000 } };
    await reconciler.run(limits);
    numbers.count = 9;
    expect((await reconciler.run(limits))[0]).toMatchObject({ compared: 6, isComplete: false });
    expect((await reconciler.run(limits))[0]).toMatchObject({ compared: 3, isComplete: true });
  });

  it('when a first pass is not through, then it goes on for as long as a run may', async () => {
    const numbers = new Numbers();
    const { reconciler } = reconcilerOf(numbers);
    const pace = { intervalMs: 60_000, passMs: 600_000 };
    expect((await reconciler.run({ budgetMs: 0, pace }))[0]).toMatchObject({ compared: 6, isComplete: true });
  });

  it('when a node’s clock is ahead, then what others name before its subjects is compared in the next run too', async () => {
    const numbers = new Numbers(true);
    const { reconciler } = reconcilerOf(numbers);
    for (const last of ['1003', '1004']) {
      numbers.last = last;
      numbers.compared = [];
      await reconciler.run({});
    }
    expect(numbers.compared.slice(0, 3)).toEqual(['1004', '1005', '1000']);
    numbers.compared = [];
    await reconciler.run({});
    expect(numbers.compared.slice(0, 2)).toEqual(['1005', '1000']);
  });

  it('when two run at once, then one compares and the other waits its turn or goes without', async () => {
    const numbers = new Numbers();
    const { reconciler } = reconcilerOf(numbers);
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    let entered = (): void => undefined;
    const inside = new Promise<void>((resolve) => (entered = resolve));
    numbers.pause = () => (entered(), gate);
    const first = reconciler.run({});
    await inside;
    const other = reconcilerOf(numbers).reconciler;
    expect((await other.run({ budgetMs: 1_000 }))[0]).toMatchObject({
      compared: 0,
      failure: 'another run has it',
    });
    const patient = other.run({ until: Date.now() + 10_000 });
    go();
    expect((await first)[0]).toMatchObject({ isComplete: true });
    expect((await patient)[0]).toMatchObject({ compared: 6, isComplete: true });
  });

  it('when nearly everything differs, then it stops and says so, and goes on once there is less', async () => {
    const numbers = new Numbers();
    const many = Object.assign(numbers, { batch: 400 });
    numbers.count = 2_000;
    for (let n = 0; n < 2_000; n += 1) numbers.wrong.add(String(1000 + n));
    const { reconciler } = reconcilerOf(many);
    expect((await reconciler.run({}))[0]).toMatchObject({
      isComplete: false,
      openDifferences: 1_200,
      failure: expect.stringContaining('more than 1000'),
    });
    numbers.wrong.clear();
    await reconciler.run({});
    expect((await reconciler.run({}))[0]).toMatchObject({ openDifferences: 0, isComplete: true });
  });

  it('when differences are accepted, then they hold no check up, and one with other figures is logged as open again', async () => {
    const numbers = new Numbers();
    const metrics = new Registry();
    const { reconciler, logged } = reconcilerOf(numbers, metrics);
    for (let n = 0; n < 3; n += 1) numbers.wrong.add(String(1000 + n));
    await reconciler.run({});
    const bounds = { offset: 0, limit: 9 };
    const { differences } = await reconciler.records.list({ state: 'Open' }, bounds);
    const acceptance = { expected: 'right', found: 'wrong', acceptedBy: 'Olga', notes: 'restored' };
    for (const { id } of differences) await acceptDifference(reconciler.records, id, acceptance);
    expect((await reconciler.run({}))[0]).toMatchObject({ openDifferences: 0, isComplete: true });
    expect(await metrics.metrics()).toContain('reconciliation_differences{check="numbers"} 0');
    expect(logged).toHaveLength(3);
    numbers.wrong.delete('1001');
    numbers.wrong.delete('1002');
    numbers.found = 'worse';
    expect((await reconciler.run({}))[0]).toMatchObject({ openDifferences: 1 });
    expect(logged.slice(3).sort()).toEqual(['info 1001', 'info 1002', 'warn 1000']);
    await reconciler.run({});
    expect(logged).toHaveLength(6);
  });

  it('when a comparison fails, then the run says why, and what was open stays open', async () => {
    const numbers = new Numbers();
    const { reconciler, logged } = reconcilerOf(numbers);
    numbers.wrong.add('1000');
    await reconciler.run({});
    numbers.pause = () => Promise.reject(new Error('away'));
    expect((await reconciler.run({}))[0]).toMatchObject({ isComplete: false, failure: 'away' });
    expect(await reconciler.records.countOpen('numbers')).toBe(1);
    expect(logged).toEqual(['warn 1000', 'error ']);
  });
});
