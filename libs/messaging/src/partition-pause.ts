import type { Gauge } from 'prom-client';
import type { Backoff } from './event-bus';

const defaultBackoff: Backoff = { firstMs: 100, mostMs: 60_000 };
/** A process that ends for another reason is given time to do so before a suspect is tried. */
const SUSPECT_FACTOR = 10;

/** How long to rest after so many failures in a row, in milliseconds. */
export function restAfter(failures: number, { firstMs, mostMs }: Backoff = defaultBackoff): number {
  return Math.min(firstMs * 2 ** Math.min(failures - 1, 30), mostMs);
}

/** How long to rest before an event is tried alone that was in flight when so many processes ended. */
export function restOfSuspect(processEnds: number, { firstMs, mostMs }: Backoff = defaultBackoff): number {
  return restAfter(processEnds, { firstMs: firstMs * SUSPECT_FACTOR, mostMs });
}

/** The pause of one partition: how often in a row it has failed, and since when that shows as a metric. */
export class PartitionPause {
  private failures = 0;

  constructor(
    private readonly gauge: Gauge | undefined,
    private readonly labels: { group: string; topic: string; partition: number },
    private readonly backoff: Backoff | undefined,
  ) {}

  /** Begins or goes on; returns how long to rest, in milliseconds. */
  extend(): number {
    if (this.failures === 0) this.gauge?.set(this.labels, Date.now() / 1_000);
    this.failures += 1;
    return restAfter(this.failures, this.backoff);
  }

  /** Returns whether there was a pause. */
  end(): boolean {
    const wasPaused = this.failures > 0;
    this.failures = 0;
    if (wasPaused) this.gauge?.remove(this.labels);
    return wasPaused;
  }
}
