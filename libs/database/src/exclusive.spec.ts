import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, silentLog, type TestDatabase } from '@reseller/testing';
import { createSessionPool } from './create-pool';
import { exclusively } from './exclusive';
import type { SessionPool } from './session-pool';

let database: TestDatabase;
let sessions: SessionPool;

beforeAll(async () => {
  database = await createTestDatabase();
  sessions = createSessionPool({ connectionString: database.url, max: 2, name: 'test', log: silentLog });
});
afterAll(async () => {
  await sessions.end();
  await database.drop();
});

const NOW = 0;

describe('exclusively', () => {
  it('when another one runs under the name, then it runs nothing, and afterwards it does', async () => {
    const second = await exclusively(sessions, 'a', NOW, () =>
      exclusively(sessions, 'a', NOW, () => Promise.resolve('second')),
    );
    expect(second).toBeUndefined();
    expect(await exclusively(sessions, 'a', NOW, () => Promise.resolve('third'))).toBe('third');
  });

  it('when its connection ends, then its signal fires, and another one may run under the name', async () => {
    const both = await exclusively(sessions, 'b', NOW, async (client, held) => {
      const lost = new Promise<string>((resolve) => held.addEventListener('abort', () => resolve('lost')));
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      expect(held.aborted).toBe(false);
      await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
      return [await lost, await exclusively(sessions, 'b', NOW, () => Promise.resolve('second'))];
    });
    expect(both).toEqual(['lost', 'second']);
  });

  it('when nothing is heard of its holder’s machine any more, then the server ends its session within a minute', async () => {
    const keepalives = await exclusively(sessions, 'c', NOW, async (client) =>
      (
        await client.query(`SELECT name, setting FROM pg_settings WHERE name ~ 'tcp_keepalives' ORDER BY 1`)
      ).rows.map(({ setting }) => Number(setting)),
    );
    expect(keepalives).toEqual([3, 10, 10]);
  });
});
