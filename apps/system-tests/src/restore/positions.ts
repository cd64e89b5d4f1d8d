import { positionOf } from '@reseller/local-postgres';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const EVERY_MS = 20;

/** Notes again and again how far the log has come, so that one can tell which responses were archived when the disk was lost. */
export class Positions {
  private readonly samples: { requestedAt: number; position: bigint }[] = [];
  private isOver = false;
  private readonly loop: Promise<void>;

  constructor(connectionString: string) {
    this.loop = this.watch(connectionString);
  }

  /** The log holds everything that was acknowledged by `time` up to here; undefined when nobody looked any more. */
  after(time: number): bigint | undefined {
    return this.samples.find(({ requestedAt }) => requestedAt >= time)?.position;
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.loop;
  }

  private async watch(connectionString: string): Promise<void> {
    const client = new pg.Client({ connectionString });
    client.on('error', () => undefined);
    await client.connect();
    while (!this.isOver) {
      const requestedAt = Date.now();
      const response = await client
        .query<{ lsn: string }>('SELECT pg_current_wal_lsn()::text AS lsn')
        .catch(() => undefined);
      const lsn = response?.rows[0]?.lsn;
      if (lsn === undefined) break;
      this.samples.push({ requestedAt, position: positionOf(lsn) });
      await pause(EVERY_MS);
    }
    await client.end().catch(() => undefined);
  }
}
