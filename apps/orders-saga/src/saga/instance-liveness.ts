import { createJob, type Job, type Logger } from '@reseller/service-kit';
import type { Registry } from 'prom-client';
import type { LeaseManager } from './lease-manager';
import type { OwnerRepository, LivenessSession } from './owner.repository';

/** What the liveness of instances works with; times in milliseconds. */
interface InstanceLivenessDeps {
  readonly owners: OwnerRepository;
  readonly leases: LeaseManager;
  /** How long another process must be seen to be gone; one that lost its connection is back long before. */
  readonly graceMs: number;
  readonly intervalMs: number;
  /** Called when leases were freed. */
  readonly onFreed: () => void;
  readonly log: Logger;
  readonly metrics?: Registry | undefined;
}

/**
 * Holds a session lock in the database for as long as this process lives, and frees the leases of processes whose lock
 * is free: a crash is noticed in a second or two instead of a lease's time (ADR 0011). A process that stands still keeps
 * its lock, and its leases lapse by time. The epoch fences either way.
 */
export class InstanceLiveness {
  readonly job: Job;
  private session: LivenessSession | undefined;
  private hasEntered = false;
  private isStopped = false;
  private isUncertain = false;
  private readonly absentSince = new Map<string, number>();

  constructor(private readonly deps: InstanceLivenessDeps) {
    const { intervalMs, log, metrics } = deps;
    this.job = createJob({ name: 'saga-liveness', intervalMs, run: () => this.check(), log, metrics });
  }

  /**
   * Goes on record; to be awaited before the process serves, or its first orders would wait for their leases to lapse when it
   * dies. While the database is away the job does it later.
   */
  start(): Promise<void> {
    return this.attempt(() => this.enter());
  }

  /** Leaves, to be called when nothing is driven any more and the job has stopped. */
  async stop(): Promise<void> {
    this.isStopped = true;
    const { owners, leases } = this.deps;
    // Off the record before the lock is free, so that nobody takes it for a crash.
    await owners.leave(leases.owner).catch(() => undefined);
    this.session?.end();
    await owners.close();
  }

  private check(): Promise<unknown> {
    return this.attempt(async () => {
      await this.enter();
      return this.freeLeasesOfAbsent();
    });
  }

  private async attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      const result = await work();
      this.isUncertain = false;
      return result;
    } catch (err) {
      // Not thrown: the job would wait longer and longer, and this process is to be back as soon as the database is.
      if (!this.isUncertain)
        this.deps.log.warn({ err }, 'live instances cannot be determined; leases end by time');
      this.isUncertain = true;
      return undefined;
    }
  }

  private async enter(): Promise<void> {
    if (this.session || this.isStopped) return;
    const { owners, leases } = this.deps;
    this.session = await owners.register(leases.owner, () => {
      this.session = undefined;
      this.job.wake();
    });
    // It was cut off for so long that others took it for gone: they have its orders now.
    if (this.hasEntered && !this.session.wasKnown) leases.loseAll();
    this.hasEntered = true;
  }

  /** 'idle' when there is no other process. */
  private async freeLeasesOfAbsent(): Promise<'idle' | undefined> {
    const { owners, leases, graceMs, log, onFreed } = this.deps;
    const others = await owners.findOthers(leases.owner);
    const absent = others.flatMap(({ owner, isAbsent }) => (isAbsent ? [owner] : []));
    for (const owner of this.absentSince.keys()) if (!absent.includes(owner)) this.absentSince.delete(owner);
    for (const owner of absent) {
      const since = this.absentSince.get(owner) ?? performance.now();
      this.absentSince.set(owner, since);
      if (performance.now() - since < graceMs) continue;
      const freed = await owners.freeLeases(owner);
      this.absentSince.delete(owner);
      log.warn({ owner, freed }, 'an instance is gone; its orders are carried on');
      if (freed > 0) onFreed();
    }
    return others.length === 0 ? 'idle' : undefined;
  }
}
