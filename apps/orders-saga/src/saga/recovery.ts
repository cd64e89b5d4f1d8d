import { createJob, type Job, type Logger, type Stoppable } from '@reseller/service-kit';
import { inSpan, spanOf } from '@reseller/telemetry';
import type { Registry } from 'prom-client';
import { LaneSlots } from './lane-slots';
import type { LeaseManager } from './lease-manager';
import type { DueGrant } from './lease.repository';
import { RecoveryShare } from './recovery-share';
import type { SagaDriver } from './saga-engine';
import type { SagaRepository } from './saga.repository';

/** What the recovery works with. */
interface RecoveryDeps {
  readonly sagas: SagaRepository;
  readonly engine: SagaDriver;
  readonly leases: LeaseManager;
  readonly intervalMs: number;
  /** How many sagas of each lane this process carries on at once, and of a lane that is not named. */
  readonly laneSizes: ReadonlyMap<string, number>;
  readonly otherLaneSize: number;
  readonly log: Logger;
  readonly metrics?: Registry | undefined;
}

/**
 * Carries on what is due: orders whose driver is gone, whose vendor is to be called again, or whose service was away
 * (spec §4.7). Each lane has slots of its own, so that what is slow holds up its own orders only; it uses
 * less of them while fresh orders stand in line. Instances share the work, for a claim skips what another one holds.
 */
export class Recovery implements Stoppable {
  readonly job: Job;
  private readonly share: RecoveryShare;
  private readonly slots: LaneSlots;
  private readonly underway = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(private readonly deps: RecoveryDeps) {
    const { engine, intervalMs, log, metrics, laneSizes, otherLaneSize } = deps;
    this.share = new RecoveryShare({ isFreshUnderWay: () => engine.freshUnderWay > 0, metrics });
    this.slots = new LaneSlots(laneSizes, otherLaneSize, () => this.share.value, metrics);
    this.job = createJob({ name: 'saga-recovery', intervalMs, run: () => this.claim(), log, metrics });
  }

  /** Suspends every saga under way at its next wait, and resolves when they have. */
  async stop(): Promise<void> {
    this.stopping.abort(new Error('the service stops'));
    await Promise.all(this.underway);
  }

  private async claim(): Promise<unknown> {
    const { sagas, leases, otherLaneSize } = this.deps;
    this.share.adjust(performance.now());
    const free = this.slots.freeSlots();
    if (this.stopping.signal.aborted || free.every(({ slots }) => slots === 0)) return undefined;
    // Its own first: after a long stall it would take over from itself.
    await leases.renew();
    if (!(await sagas.isAnyActive())) return 'idle';
    const leasedAt = performance.now();
    const grants = await sagas.claimDue(free, otherLaneSize, leases.owner, leases.leaseMs);
    this.slots.claimed(
      free,
      grants.map(({ lane }) => lane),
    );
    if (grants.length === 0) return undefined;
    const links = grants.map(({ origin }) => spanOf(origin));
    return inSpan('saga recovery', { isRoot: true, links }, async () => {
      for (const grant of grants) this.carryOn(grant, leasedAt);
    });
  }

  private carryOn(grant: DueGrant, leasedAt: number): void {
    const slot = this.slots.take(grant.lane);
    const { signal } = this.stopping;
    const carried = this.deps.engine
      .resume(grant, leasedAt, { signal, enter: (lane) => slot.moveTo(lane) })
      .finally(() => {
        this.underway.delete(carried);
        if (slot.free()) this.job.wake();
      });
    this.underway.add(carried);
  }
}
