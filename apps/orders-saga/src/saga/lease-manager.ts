import { createJob, type Job, type Logger } from '@reseller/service-kit';

/** The right to change one order, until it is released or another process takes it with a higher epoch. */
export interface Lease {
  readonly orderId: string;
  readonly epoch: string;
  /** Aborts when the lease was taken over. */
  readonly signal: AbortSignal;
  /** Whether it is certain, by this machine's monotonic clock, that nobody has taken over. */
  isHeld(): boolean;
  /** Ends its renewal; says nothing to the database. */
  release(): void;
}

/** The part of the saga repository that renews leases. */
export interface LeaseStore {
  /** Returns the orders whose lease is still of the given epoch, now prolonged. */
  renewLeases(leases: readonly { orderId: string; epoch: string }[], leaseMs: number): Promise<string[]>;
}

interface HeldLease {
  readonly lease: Lease;
  readonly controller: AbortController;
  validUntil: number;
}

/** Renews every lease that this process holds in one statement for each heartbeat. */
export class LeaseManager {
  readonly owner: string;
  readonly leaseMs: number;
  /** The heartbeat, to be run with the service's jobs. */
  readonly heartbeat: Job;
  private readonly held = new Map<string, HeldLease>();

  constructor(
    private readonly store: LeaseStore,
    options: { owner: string; leaseMs: number; heartbeatMs: number; log: Logger },
  ) {
    this.owner = options.owner;
    this.leaseMs = options.leaseMs;
    this.heartbeat = createJob({
      name: 'lease-heartbeat',
      intervalMs: options.heartbeatMs,
      run: () => this.renew(),
      log: options.log,
    });
  }

  /** Holds a lease that the database granted; `leasedAt` is performance.now() from before it was asked for. */
  hold(orderId: string, epoch: string, leasedAt: number): Lease {
    const controller = new AbortController();
    const held: HeldLease = {
      controller,
      validUntil: leasedAt + this.leaseMs,
      lease: {
        orderId,
        epoch,
        signal: controller.signal,
        isHeld: () => !controller.signal.aborted && performance.now() < held.validUntil,
        release: () => {
          if (this.held.get(orderId) === held) this.held.delete(orderId);
        },
      },
    };
    this.held.set(orderId, held);
    return held.lease;
  }

  /** Gives up every lease: another process has freed them, and what this one still writes is fenced. */
  loseAll(): void {
    for (const held of [...this.held.values()]) this.lose(held);
  }

  private async renew(): Promise<void> {
    const leases = [...this.held.values()];
    if (leases.length === 0) return;
    const leasedAt = performance.now();
    const renewed = new Set(
      await this.store.renewLeases(
        leases.map(({ lease }) => lease),
        this.leaseMs,
      ),
    );
    for (const held of leases) {
      if (renewed.has(held.lease.orderId)) held.validUntil = leasedAt + this.leaseMs;
      else if (this.held.get(held.lease.orderId) === held) this.lose(held);
    }
  }

  private lose(held: HeldLease): void {
    held.lease.release();
    held.controller.abort(new Error('the lease was taken over'));
  }
}
