import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import { fillInFor, fillInsOf, majorOf, wordedFor } from './older-servers';

let database: TestDatabase;

/** The value of an expression. */
async function valueOf(expression: string, ...parameters: unknown[]): Promise<unknown> {
  const { rows } = await database.pool.query<{ value: unknown }>(`SELECT ${expression} AS value`, parameters);
  return rows[0]?.value;
}

beforeAll(async () => {
  database = await createTestDatabase();
  await fillInFor(database.pool, 15);
});
afterAll(() => database.drop());

describe('what an older server gets', () => {
  it('when ids are made, then they are UUIDs of version 7, of now or as long ago as given, each after the one before', async () => {
    const ids = (await valueOf(
      'array(SELECT public.uuidv7()::text FROM generate_series(1, 2000))',
    )) as string[];
    expect(
      ids.filter((id) => !/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
    ).toEqual([]);
    // The last 62 bits are random: only ids of one microsecond may come in another order.
    const times = ids.map((id) => id.slice(0, 18));
    expect(times).toEqual([...times].sort());
    const age = 'extract(epoch FROM clock_timestamp() - public.uuidv7_time(public.uuidv7($1::interval)))';
    expect(Number(await valueOf(age, '0'))).toBeLessThan(60);
    expect(Math.round(Number(await valueOf(age, '-1 hour')) / 60)).toBeGreaterThanOrEqual(60);
  });

  it('when an id’s time is read, then it is the milliseconds that the id begins with', async () => {
    expect(await valueOf("public.uuidv7_time('018f3c2e-7b1a-7000-8000-000000000000')")).toEqual(
      new Date(0x018f3c2e7b1a),
    );
    expect(await valueOf('public.uuidv7_time(NULL)')).toBeNull();
  });

  it.each([
    ['STRASSE', 'Straße'],
    ['ΟΔΥΣΣΕΥΣ', 'Οδυσσευς'],
    ['ÉCLAT', 'éclat'],
    ['عود', 'عود'],
  ])('when %s and %s are folded, then they are the same', async (one, other) => {
    expect(await valueOf('public.casefold($1)', one)).toBe(await valueOf('public.casefold($1)', other));
  });

  it('when the server is new enough, then it gets only what no server has as it is needed, and reads scripts as they are', async () => {
    const script = 'CHECK ("details" IS JSON OBJECT)';
    expect(fillInsOf(18)).toEqual(['uuidv7_time']);
    expect(wordedFor(18, script)).toBe(script);
    expect(wordedFor(15, script)).toBe(`CHECK (json_typeof("details"::json) = 'object')`);
    expect(await majorOf(database.pool)).toBeGreaterThanOrEqual(15);
  });
});
