import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { PreparedStatement } from '../query';
import { withClient } from '../with-client';

// Raw, all of it: an upsert, and clients whose statements have a limit of their own.
const WRITE: PreparedStatement = {
  name: 'replica_heartbeat_write',
  text: `INSERT INTO replica_heartbeats (instance, beat) VALUES ($1, $2)
    ON CONFLICT (instance) DO UPDATE SET beat = excluded.beat, written_at = statement_timestamp()`,
};
const READ: PreparedStatement = {
  name: 'replica_heartbeat_read',
  text: 'SELECT beat FROM replica_heartbeats WHERE instance = $1',
};
/** Of processes that ended. */
const REMOVE_OLD: PreparedStatement = {
  name: 'replica_heartbeat_remove_old',
  text: `DELETE FROM replica_heartbeats WHERE written_at < statement_timestamp() - interval '1 day'`,
};

/**
 * Says how old what a server shows may be, by this process's clock alone. Each beat is a row on the primary, numbered, and never
 * written twice: a server that shows it shows every transaction that was committed before its statement began. What is not on that
 * branch of the primary's history, as after a failover, never shows a later one.
 */
export class Heartbeats {
  private readonly instance = randomUUID();
  private begun: { readonly beat: number; readonly at: number }[] = [];
  private last = 0;

  constructor(private readonly limits: { readonly keepMs: number; readonly timeoutMs: number }) {}

  /** Writes the next one; whether it came through is seen by who reads it. */
  async write(primary: Pool): Promise<void> {
    if (this.last === 0) await this.run(primary, REMOVE_OLD, []);
    this.last += 1;
    const now = performance.now();
    this.begun = [
      ...this.begun.filter(({ at }) => now - at <= this.limits.keepMs),
      { beat: this.last, at: now },
    ];
    await this.run(primary, WRITE, [this.instance, this.last]);
  }

  /** The moment, as `performance.now()`, from which on alone something may be missing on this server; -Infinity where all may be. */
  async shownAt(client: PoolClient): Promise<number> {
    const [row] = await this.query<{ beat: string }>(client, READ, [this.instance]);
    const shown = this.begun.findLast(({ beat }) => beat <= Number(row?.beat ?? 0));
    return shown?.at ?? -Infinity;
  }

  private async run(pool: Pool, statement: PreparedStatement, values: unknown[]): Promise<void> {
    // One that failed may still wait for its server.
    await withClient(pool, (client) => this.query(client, statement, values), { closeOnFailure: true });
  }

  private async query<Row extends object>(
    client: PoolClient,
    statement: PreparedStatement,
    values: unknown[],
  ): Promise<Row[]> {
    // pg knows the limit, and its types do not.
    const config = { ...statement, values, query_timeout: this.limits.timeoutMs };
    return (await client.query<Row & Record<string, unknown>>(config)).rows;
  }
}
