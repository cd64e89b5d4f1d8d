import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, silentLog, type TestDatabase } from '@reseller/testing';
import { Registry } from 'prom-client';
import { observeBacklogs, type BacklogReading } from './backlogs';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query('CREATE TABLE reads (n integer); CREATE TABLE waiting (kind text, age integer)');
  await database.pool.query("INSERT INTO waiting VALUES ('big', 7), ('small', 3)");
});
afterAll(() => database.drop());

const WAITING: BacklogReading = {
  name: 'waiting',
  statement: { name: 'waiting', text: 'SELECT kind, age, 1 AS count FROM waiting' },
  labels: ['kind'],
  gauges: [
    { name: 'waiting_seconds', help: 'Age.', column: 'age' },
    { name: 'waiting_count', help: 'Count.', column: 'count' },
  ],
};
const COUNTED: BacklogReading = {
  name: 'counted',
  statement: { name: 'counted', text: 'INSERT INTO reads VALUES (1) RETURNING n' },
  gauges: [
    { name: 'counted_a', help: 'A.', column: 'n' },
    { name: 'counted_b', help: 'B.', column: 'n' },
  ],
  keepMs: 60_000,
};
const BROKEN: BacklogReading = {
  name: 'broken',
  statement: { name: 'broken', text: 'SELECT 1 AS n FROM nowhere' },
  gauges: [{ name: 'broken_n', help: 'N.', column: 'n' }],
};

function observe(readings: readonly BacklogReading[]): Registry {
  const metrics = new Registry();
  observeBacklogs({ pool: database.pool, metrics, log: silentLog }, readings);
  return metrics;
}

describe('backlogs as gauges', () => {
  it('when metrics are requested, then each row is a series, and one that is gone is gone', async () => {
    const metrics = observe([{ ...WAITING, keepMs: 0 }]);
    const text = await metrics.metrics();
    expect(text).toContain('waiting_seconds{kind="big"} 7');
    expect(text).toContain('waiting_count{kind="small"} 1');
    await database.pool.query("DELETE FROM waiting WHERE kind = 'big'");
    const after = await metrics.metrics();
    expect(after).toContain('waiting_seconds{kind="small"} 3');
    expect(after).not.toContain('kind="big"');
  });

  it('when many ask at once and soon again, then the statement ran once for all its gauges', async () => {
    const metrics = observe([COUNTED]);
    await Promise.all([metrics.metrics(), metrics.metrics()]);
    expect(await metrics.metrics()).toContain('counted_b 1');
    expect((await database.pool.query('SELECT * FROM reads')).rowCount).toBe(1);
  });

  it('when a reading fails, then it is left out and counted, and the others are returned', async () => {
    const metrics = observe([BROKEN, WAITING]);
    const text = await metrics.metrics();
    expect(text).toContain('broken_n Nan');
    expect(text).toContain('waiting_seconds{kind="small"} 3');
    expect(await metrics.metrics()).toContain('backlog_reading_failures_total{reading="broken"} 1');
  });
});
