import { createJob, type Job, type Logger, type Stoppable } from '@reseller/service-kit';
import { inSpan, spanOf } from '@reseller/telemetry';
import type { Registry } from 'prom-client';
import type { LeaseManager } from './lease-manager';
import type { SagaDriver } from './saga-engine';
import type { Grant } from './lease.repository';
import type { SagaRepository } from './saga.repository';

/** What the recovery works with; `batch` bounds how many sagas this process carries on at once. */
export interface RecoveryDeps {
  readonly sagas: SagaRepository;
  readonly engine: SagaDriver;
  readonly leases: LeaseManager;
  readonly intervalMs: number;
  readonly batch: number;
  readonly log: Logger;
  readonly metrics?: Registry | undefined;
}

/**
 * Carries on what is due: orders whose driver is gone, whose vendor is to be called again, or whose service was away
 * (spec §4.7). Instances share the work, for a claim skips what another one holds.
 */
export class Recovery implements Stoppable {
  readonly job: Job;
  private readonly underway = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(private readonly deps: RecoveryDeps) {
    const { intervalMs, log, metrics } = deps;
    this.job = createJob({ name: 'saga-recovery', intervalMs, run: () => this.claim(), log, metrics });
  }

  /** Suspends every saga under way at its next wait, and resolves when they have. */
  async stop(): Promise<void> {
    this.stopping.abort(new Error('the service stops'));
    await Promise.all(this.underway);
  }

  private async claim(): Promise<boolean> {
    const { sagas, leases, batch } = this.deps;
    const room = batch - this.underway.size;
    if (room <= 0 || this.stopping.signal.aborted) return false;
    const leasedAt = performance.now();
    const grants = await sagas.claimDue(room, leases.owner, leases.leaseMs);
    if (grants.length > 0) {
      const links = grants.map(({ origin }) => spanOf(origin));
      await inSpan('saga recovery', { isRoot: true, links }, async () => this.carryOn(grants, leasedAt));
    }
    return grants.length === room && room < batch;
  }

  private carryOn(grants: readonly Grant[], leasedAt: number): void {
    const { engine, batch } = this.deps;
    for (const grant of grants) {
      const carried = engine.resume(grant, leasedAt, { signal: this.stopping.signal });
      this.underway.add(carried);
      void carried.finally(() => {
        this.underway.delete(carried);
        if (this.underway.size === batch - 1) this.job.wake();
      });
    }
  }
}
