import pg from 'pg';
import { pidOf } from '../platform/processes';
import { databaseUrlOf } from '../platform/rows-of';
import { TARGETS } from './plan';

const IN_TRANSACTION = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
  AND backend_xid IS NOT NULL AND ($1::int[] IS NULL OR pid = ANY ($1)) LIMIT 3`;

/** For want of an open transaction nothing is stopped. */
const CATCH_MS = 15_000;

/** Has a target stand still; returns what lets it go on, or undefined where it was not caught: backends are in a transaction that has written. */
export async function stopTarget(name: string): Promise<(() => void) | undefined> {
  const target = TARGETS[name];
  if (!target) throw new Error(`there is no target ${name}`);
  const pids =
    'process' in target
      ? signalAll([pidOf(target.process)], 'SIGSTOP')
      : await catchBackends(target.backendsOf);
  return pids.length > 0 ? () => void signalAll(pids, 'SIGCONT') : undefined;
}

/** A transaction may have ended before the signal came: that backend goes on, and another one is looked for. */
async function catchBackends(owner: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: databaseUrlOf(owner) });
  await client.connect();
  try {
    const read = async (among: number[] | null): Promise<number[]> =>
      (await client.query<{ pid: number }>(IN_TRANSACTION, [among])).rows.map(({ pid }) => pid);
    for (const end = performance.now() + CATCH_MS; performance.now() < end;) {
      const stopped = signalAll(await read(null), 'SIGSTOP');
      const caught = stopped.length > 0 ? await read(stopped) : [];
      signalAll(
        stopped.filter((pid) => !caught.includes(pid)),
        'SIGCONT',
      );
      if (caught.length > 0) return caught;
    }
    return [];
  } finally {
    await client.end();
  }
}

/** Signals those that are there; returns them. */
function signalAll(pids: readonly number[], signal: 'SIGSTOP' | 'SIGCONT'): number[] {
  return pids.filter((pid) => {
    try {
      return process.kill(pid, signal);
    } catch {
      return false;
    }
  });
}
