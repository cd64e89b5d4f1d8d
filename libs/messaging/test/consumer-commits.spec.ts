import { expect, it } from '@jest/globals';
import { createTestDatabase, silentLog } from '@reseller/testing';
import { createPostgresEventBus } from '../src/postgres/postgres-event-bus';
import { anEvent } from './event-bus.contract';

it.each([
  ['renew', `'g', gen_random_uuid(), ARRAY['t'], 1, '1 s', 100`],
  ['exchange', `'g', gen_random_uuid(), '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}'`],
])(
  'when a consumer calls %s, then its commit waits for no disk, and the next one does',
  async (name, args) => {
    const database = await createTestDatabase();
    const bus = createPostgresEventBus({ connectionString: database.url, log: silentLog });
    await bus.publish([anEvent('a', 1)]);
    const client = await database.pool.connect();
    const waits = async (): Promise<unknown> =>
      (await client.query('SHOW synchronous_commit')).rows[0]?.synchronous_commit;
    await client.query('SET synchronous_commit = on');
    await client.query('BEGIN');
    await client.query(`SELECT * FROM event_bus.${name}(${args})`);
    expect(await waits()).toBe('off');
    await client.query('COMMIT');
    expect(await waits()).toBe('on');
    client.release();
    await bus.close();
    await database.drop();
  },
);
