import type pg from 'pg';
import { cpuOf, cpuOfChildren, cpuOfEndedChildren, parentOf } from './process-cpu';

const SAMPLE_MS = 200;
const BACKGROUND = 'PostgreSQL, background';

/**
 * CPU of all of PostgreSQL's processes by database, those included that end meanwhile: what the server has waited for is in
 * its own record, and goes to the database that the process was last seen with.
 */
export class PostgresCpu {
  private readonly seen = new Map<number, { label: string | undefined; firstMs: number; lastMs: number }>();
  private readonly timer: NodeJS.Timeout;
  private sampling: Promise<void> | undefined;
  private readonly serverMs: number;
  private readonly endedMs: number;

  private constructor(
    private readonly client: pg.Client,
    private readonly server: number,
  ) {
    this.serverMs = cpuOf(this.server);
    this.endedMs = cpuOfEndedChildren(this.server);
    for (const [pid, ms] of cpuOfChildren(this.server))
      this.seen.set(pid, { label: undefined, firstMs: ms, lastMs: ms });
    this.timer = setInterval(() => {
      // One at a time: on a busy machine a sample may take longer than the next is away.
      this.sampling ??= this.sample()
        .catch(() => undefined)
        .finally(() => (this.sampling = undefined));
    }, SAMPLE_MS);
  }

  /** Starts to watch, through a connection that is used for nothing else meanwhile. */
  static async watch(client: pg.Client): Promise<PostgresCpu> {
    const watch = new PostgresCpu(client, await serverOf(client));
    await watch.sample();
    return watch;
  }

  /** Milliseconds by label since the start; what the watching itself cost is left out. */
  async stop(): Promise<Map<string, number>> {
    clearInterval(this.timer);
    await this.sampling;
    await this.sample();
    const total = new Map<string, number>();
    const add = (label: string, ms: number): void => void total.set(label, (total.get(label) ?? 0) + ms);
    const alive = cpuOfChildren(this.server);
    let endedMs = cpuOfEndedChildren(this.server) - this.endedMs;
    for (const [pid, { label, firstMs, lastMs }] of this.seen) {
      if (label === WATCHER) continue;
      add(label ?? BACKGROUND, lastMs - firstMs);
      // The server's record has all that an ended one ever used.
      if (!alive.has(pid)) endedMs -= lastMs;
    }
    add(BACKGROUND, Math.max(0, endedMs) + cpuOf(this.server) - this.serverMs);
    return total;
  }

  private async sample(): Promise<void> {
    const { rows } = await this.client.query<{ pid: number; label: string }>(
      `SELECT pid, CASE WHEN application_name = '${WATCHER}' THEN '${WATCHER}'
                        WHEN backend_type IN ('client backend', 'autovacuum worker') THEN 'PostgreSQL, ' || datname
                        ELSE '${BACKGROUND}' END AS label
       FROM pg_stat_activity`,
    );
    const labels = new Map(rows.map(({ pid, label }) => [pid, label]));
    for (const [pid, ms] of cpuOfChildren(this.server)) {
      const known = this.seen.get(pid);
      const label = labels.get(pid) ?? known?.label;
      this.seen.set(pid, { label, firstMs: known?.firstMs ?? 0, lastMs: ms });
    }
  }
}

/** The name by which connections of the benchmark differ from the services'. */
export const WATCHER = 'bench-watcher';

/** The pid of the server that a connection leads to, whose children all its processes are. */
export async function serverOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return parentOf(rows[0]?.pid ?? 0);
}
