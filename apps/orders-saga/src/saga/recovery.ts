import { createJob, type Job, type Logger, type Stoppable } from '@reseller/service-kit';
import { randomUUID } from 'node:crypto';
import type { Registry } from 'prom-client';
import type { LeaseKeeper } from './lease-keeper';
import type { SagaEngine } from './saga-engine';
import type { SagaRepository } from './saga.repository';

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
 * (decisions §4.7). Instances share the work, for a claim skips what another one holds.
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
    for (const grant of grants) {
      const drive = { requestId: `recovery-${randomUUID()}`, signal: this.stopping.signal };
      const carried = this.options.engine.resumeInBackground(grant, askedAt, drive);
      this.underway.add(carried);
      void carried.finally(() => {
        this.underway.delete(carried);
        if (this.underway.size === batch - 1) this.job.wake();
      });
    }
    return grants.length === room && room < batch;
  }
}
