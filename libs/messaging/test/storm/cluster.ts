import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { initialiseCluster, spawnPostgres, stopPostgres } from '@reseller/local-postgres';
import { eventually, freePort } from '@reseller/testing';
import { Client } from 'pg';

// What was committed survives the crash of the server, as it does in production; only a power cut may take it.
const settings = { fsync: 'off', max_connections: '150', log_min_messages: 'panic' };
const account = { user: 'postgres', password: 'postgres' };

/** A PostgreSQL server that can be crashed and comes back with what was committed. */
export class Cluster {
  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private child: ChildProcess,
  ) {}

  static async start(): Promise<Cluster> {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'messaging-storm-'));
    chmodSync(folder, 0o711);
    initialiseCluster({ directory: path.join(folder, 'data'), ...account });
    const port = await freePort();
    const cluster = new Cluster(folder, port, launch(folder, port));
    await cluster.untilReady();
    return cluster;
  }

  url(database: string): string {
    return `postgresql://${account.user}:${account.password}@127.0.0.1:${this.port}/${database}`;
  }

  /** One statement by a connection of its own. */
  run(database: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    return this.within(
      database,
      async (client) => (await client.query<Record<string, unknown>>(text, values)).rows,
    );
  }

  /** Some work with a connection of its own. */
  async within<T>(database: string, work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ connectionString: this.url(database), connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Ends it without a shutdown checkpoint, as a crash does, and starts it again after a rest. */
  async crash(restMs: number): Promise<void> {
    const gone = once(this.child, 'exit');
    this.child.kill('SIGQUIT');
    await gone;
    await new Promise((resolve) => setTimeout(resolve, restMs));
    this.child = launch(this.folder, this.port);
    await this.untilReady();
  }

  async stop(): Promise<void> {
    await stopPostgres(this.child, 5_000);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async untilReady(): Promise<void> {
    await eventually(() => this.run('postgres', 'SELECT 1'));
  }
}

function launch(folder: string, port: number): ChildProcess {
  return spawnPostgres({ directory: path.join(folder, 'data'), port, settings }, 'ignore');
}
