import { createJob, type Job, type Logger, type Stoppable } from '@reseller/service-kit';
import { inSpan, spanOf } from '@reseller/telemetry';
import type { Registry } from 'prom-client';
import type { LeaseKeeper } from './lease-keeper';
import type { SagaEngine } from './saga-engine';
import type { Grant, SagaRepository } from './saga.repository';

/** Settings of the recovery; `batch` bounds how many sagas this process carries on at once. */
export interface RecoveryOptions {
  readonly sagas: SagaRepository;
  readonly engine: SagaEngine;
  readonly leases: LeaseKeeper;
  readonly intervalMs: number;
  readonly batch: number;
  readonly log: Logger;
  readonly metrics?: Registry;
}

/**
 * Carries on what is due: orders whose driver is gone, whose vendor is to be asked again, or whose service was away
 * (spec §4.7). Instances share the work, for a claim skips what another one holds.
 */
export class Recovery implements Stoppable {
  readonly job: Job;
  private readonly underway = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(private readonly options: RecoveryOptions) {
    const { intervalMs, log, metrics } = options;
    this.job = createJob({ name: 'saga-recovery', intervalMs, run: () => this.claim(), log, metrics });
  }

  /** Has every saga under way let go at its next wait, and resolves when they have. */
  async stop(): Promise<void> {
    this.stopping.abort(new Error('the service stops'));
    await Promise.all(this.underway);
  }

  private async claim(): Promise<boolean> {
    const { sagas, leases, batch } = this.options;
    const room = batch - this.underway.size;
    if (room <= 0 || this.stopping.signal.aborted) return false;
    const askedAt = performance.now();
    const grants = await sagas.claimDue(room, leases.owner, leases.leaseMs);
    if (grants.length > 0) {
      const links = grants.map(({ origin }) => spanOf(origin));
      await inSpan('saga recovery', { isRoot: true, links }, async () => this.carryOn(grants, askedAt));
    }
    return grants.length === room && room < batch;
  }

  private carryOn(grants: readonly Grant[], askedAt: number): void {
    const { engine, batch } = this.options;
    for (const grant of grants) {
      const carried = engine.resumeInBackground(grant, askedAt, { signal: this.stopping.signal });
      this.underway.add(carried);
      void carried.finally(() => {
        this.underway.delete(carried);
        if (this.underway.size === batch - 1) this.job.wake();
      });
    }
  }
}
