import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import { query, queryWithoutEvents } from './query';
import { appendedNoEvent } from './with-client';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const ONE = { name: 'one', text: 'SELECT 1 AS n' };
const BROKEN = { name: 'broken', text: 'SELECT 1 / 0' };

describe('queryWithoutEvents', () => {
  it('when its connection comes back, also broken, then that is known to have appended no event, and what comes back next is not', async () => {
    const { pool } = database;
    const seen: boolean[] = [];
    const note = (_error: unknown, client: object): void => void seen.push(appendedNoEvent(client));
    pool.on('release', note);
    expect(await queryWithoutEvents(pool, ONE)).toEqual([{ n: 1 }]);
    await query(pool, ONE);
    await expect(queryWithoutEvents(pool, BROKEN)).rejects.toMatchObject({ code: '22012' });
    await query(pool, ONE);
    pool.off('release', note);
    expect(seen).toEqual([true, false, true, false]);
  });
});
