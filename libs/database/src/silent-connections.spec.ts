import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, silentLog, type TestDatabase } from '@reseller/testing';
import type { Pool } from 'pg';
import { createPool } from './create-pool';
import { isDatabaseUnavailable } from './database-errors';
import type { OpenClient } from './silent-connections';

/** A way to a database on which what is connected can be forgotten, as by a firewall: neither side is notified. */
class Way {
  connections = 0;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor(private readonly to: URL) {
    this.server = createServer((near) => {
      this.connections += 1;
      const far = connect(Number(to.port), to.hostname);
      near.pipe(far).pipe(near);
      for (const socket of [near, far]) {
        this.sockets.add(socket);
        socket.on('error', () => undefined);
      }
      near.once('close', () => far.destroy());
    });
  }

  async open(): Promise<string> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    const { port } = this.server.address() as AddressInfo;
    return Object.assign(new URL(this.to), { hostname: '127.0.0.1', port: String(port) }).href;
  }

  forget(): void {
    for (const socket of this.sockets) socket.unpipe().resume();
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

describe('a database connection on which nothing comes back', () => {
  let database: TestDatabase;
  let way: Way;
  let pool: Pool;
  let wide: Pool;
  // Without a limit for statements nothing else ends the wait.
  const settings = { name: 'test', log: silentLog, statementTimeoutMs: 0 };
  const endSleepers = () =>
    database.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)'",
    );
  beforeAll(async () => {
    database = await createTestDatabase();
    way = new Way(new URL(database.url));
    const connectionString = await way.open();
    pool = createPool({ ...settings, connectionString, max: 1 });
    wide = createPool({ ...settings, connectionString, max: 2 });
  });
  afterAll(async () => {
    await Promise.all([pool.end(), wide.end()]);
    way.close();
    await database.drop();
  });

  it('when its statement waits for a lock, then it is kept though the server was queried about it', async () => {
    const holder = await database.pool.connect();
    await holder.query('SELECT pg_advisory_lock(1)');
    const waiting = pool.query('SELECT pg_backend_pid() AS pid, pg_advisory_lock(1)');
    await eventually(() => expect(way.connections).toBe(2));
    // Whoever queried is gone, and has its result.
    await eventually(async () => {
      const { rows } = await holder.query(
        "SELECT state FROM pg_stat_activity WHERE application_name = 'test'",
      );
      expect(rows).toEqual([{ state: 'active' }]);
    });
    await holder.query('SELECT pg_advisory_unlock(1)');
    holder.release();
    const { rows } = await waiting;
    expect((await pool.query('SELECT pg_backend_pid() AS pid')).rows[0]).toMatchObject({ pid: rows[0].pid });
  });

  it('when its address may lead to several servers, then none of them is queried about what another one does', async () => {
    const other = new Way(new URL(database.url));
    const several = createPool({
      ...settings,
      connectionString: await other.open(),
      max: 1,
      mayLeadToSeveral: true,
    });
    const before = way.connections;
    const waiting = [several, pool].map((each) => each.query('SELECT pg_sleep(60)').catch(() => undefined));
    await eventually(() => expect(way.connections).toBeGreaterThanOrEqual(before + 2));
    expect(other.connections).toBe(1);
    await endSleepers();
    await Promise.all(waiting);
    await several.end();
    other.close();
  });

  it('when its result is there and its reader rests, as one that copies rows to a slow store, then it is kept', async () => {
    const reader = await wide.connect();
    try {
      const result = reader.query("SELECT repeat('x', 300000) AS text");
      const { stream } = (reader as OpenClient).connection;
      stream.pause();
      const before = way.connections;
      const other = wide.query('SELECT pg_sleep(60)');
      other.catch(() => undefined);
      // The second question comes when the first has had its consequences.
      await eventually(() => expect(way.connections).toBe(before + 3));
      await endSleepers();
      stream.resume();
      expect((await result).rows[0]?.text).toHaveLength(300_000);
    } finally {
      reader.release();
    }
  });

  it('when it was forgotten on the way, then its caller hears that the database is unavailable, and the next one is served', async () => {
    await pool.query('SELECT 1');
    way.forget();
    const failure: unknown = await pool.query('SELECT 1').catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
    expect(await pool.query('SELECT 1')).toMatchObject({ rowCount: 1 });
  });
});
