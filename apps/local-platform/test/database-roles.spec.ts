import { describe, expect, it } from '@jest/globals';
import { applyMigrations } from '@reseller/database';
import { createPostgresEventBus, type DomainEvent } from '@reseller/messaging';
import { createTestDatabase, silentLog } from '@reseller/testing';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { giveDatabase, makeRoles, withClient } from '../src/postgres/database-roles';

const apps = path.resolve(__dirname, '../..');
const migrationsOf = (app: string): string => path.join(apps, app, 'prisma/migrations');
const withDatabase = readdirSync(apps).filter((app) => existsSync(migrationsOf(app)));

const event: DomainEvent = {
  eventId: uuidv7(),
  topic: 'reseller.test.thing.v1',
  type: 'ThingHappened',
  aggregateId: 'one',
  aggregateSeq: '1',
  occurredAt: new Date(),
  payload: Buffer.from('x'),
  headers: {},
};

describe('a database from before there were roles', () => {
  it.each(withDatabase)(
    'when %s finds it as the administrator left it, then all of it is the owner’s, who migrates it',
    async (app) => {
      const database = await createTestDatabase({ migrations: migrationsOf(app) });
      // The bus has a schema, partitions, views and identity columns of its own.
      const bus = createPostgresEventBus({ connectionString: database.url, log: silentLog });
      await bus.publish([event]);
      await bus.close();
      const name = new URL(database.url).pathname.slice(1);
      const owner = `${name}_owner`;
      await withClient(database.url, async (client) => {
        await makeRoles(client, new Map([[owner, name]]));
        await client.query(`ALTER DATABASE ${name} OWNER TO ${owner}`);
        await giveDatabase(client, owner);
        await giveDatabase(client, owner);
      });
      const { rows } = await database.pool.query(
        `SELECT c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
         WHERE n.nspname IN ('public', 'event_bus') AND pg_get_userbyid(c.relowner) <> $1
           AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.objid = c.oid AND d.deptype = 'e')`,
        [owner],
      );
      expect(rows).toEqual([]);
      const connectionString = Object.assign(new URL(database.url), { username: owner, password: name }).href;
      const runtimeRole = new URL(database.serviceUrl).username;
      await database.pool.query('DELETE FROM _grants');
      const options = { connectionString, directory: migrationsOf(app), log: silentLog, runtimeRole };
      expect(await applyMigrations(options)).toEqual(['grants.sql']);
      await database.drop();
    },
  );

  it.each(withDatabase)('when %s begins with nothing, then its owner needs no administrator', async (app) => {
    const empty = await createTestDatabase();
    const name = new URL(empty.url).pathname.slice(1);
    await withClient(empty.url, async (client) => {
      await makeRoles(client, new Map([[`${name}_owner`, name]]));
      await client.query(`ALTER DATABASE ${name} OWNER TO ${name}_owner`);
    });
    const connectionString = Object.assign(new URL(empty.url), {
      username: `${name}_owner`,
      password: name,
    }).href;
    const applied = await applyMigrations({ connectionString, directory: migrationsOf(app), log: silentLog });
    expect(applied.length).toBeGreaterThan(0);
    await empty.drop();
  });
});
