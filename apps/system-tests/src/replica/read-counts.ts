import { readPlatformFile } from '../platform/platform-file';

/** Where reads that may be older came from, over all services. */
export type ReadCounts = Readonly<Record<'replica' | 'stale' | 'failed', number>>;

const SAMPLE = /^database_replica_reads_total\{.*result="(\w+)".*\} (\d+)$/gm;

/** Reads the services' metrics; of one service if given. */
export async function readCounts(service?: string): Promise<ReadCounts> {
  const counts = { replica: 0, stale: 0, failed: 0 };
  const { instances } = readPlatformFile();
  const chosen = service === undefined ? Object.values(instances).flat() : (instances[service] ?? []);
  for (const { healthUrl } of chosen) {
    const text = await fetch(`${healthUrl}/metrics`).then((response) => response.text());
    for (const [, result, count] of text.matchAll(SAMPLE))
      counts[result as keyof typeof counts] += Number(count);
  }
  return counts;
}

/** What was counted in between. */
export const countsBetween = (before: ReadCounts, after: ReadCounts): ReadCounts => ({
  replica: after.replica - before.replica,
  stale: after.stale - before.stale,
  failed: after.failed - before.failed,
});
