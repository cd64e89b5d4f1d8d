import { Counter, Gauge, type Registry } from 'prom-client';

/** Counts a read by where it came from: the replica, or the primary because that was too old or failed. */
export type CountRead = (result: 'replica' | 'stale' | 'failed') => void;

/** Exports `database_replica_reads_total{result}`. */
export function countReads(registry: Registry): CountRead {
  const reads = new Counter({
    name: 'database_replica_reads_total',
    help: 'Reads that may be older: replica is those that it served; stale and failed were made on the primary, because the replica was too old, did not respond or did not have it yet, or because the read failed there. Sum over instances.',
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of ['replica', 'stale', 'failed']) reads.inc({ result }, 0);
  return (result) => reads.inc({ result });
}

/** Exports `database_replica_staleness_seconds`. */
export function observeStaleness(registry: Registry, ageMs: () => number): void {
  new Gauge({
    name: 'database_replica_staleness_seconds',
    help: 'How old what the replica shows may be; NaN while it does not respond or shows nothing known. Each instance has its own: take max().',
    registers: [registry],
    collect() {
      const ms = ageMs();
      this.set(Number.isFinite(ms) ? ms / 1_000 : Number.NaN);
    },
  });
}
