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

/** What renews leases in the database. */
export interface LeaseStore {
  /** Returns the orders whose lease is still of the given epoch, and of each whether it was prolonged or has to wait. */
  renewLeases(
    leases: readonly { orderId: string; epoch: string }[],
    leaseMs: number,
  ): Promise<ReadonlyMap<string, boolean>>;
}

interface HeldLease {
  readonly lease: Lease;
  readonly controller: AbortController;
  validUntil: number;
}

// A lease has this many looks in its time, half of them to be renewed in.
const LOOKS = 10;

/**
 * Keeps the leases that this process holds. Most orders are driven in a moment, so a lease is renewed only once half of
 * its time is over; from then on at every look until it is, whatever failed before.
 */
export class LeaseManager {
  readonly owner: string;
  readonly leaseMs: number;
  /** The renewal, to be run with the service's jobs. */
  readonly renewal: Job;
  private readonly held = new Map<string, HeldLease>();
  private readonly log: Logger;

  constructor(
    private readonly store: LeaseStore,
    options: { owner: string; leaseMs: number; log: Logger },
  ) {
    this.owner = options.owner;
    this.leaseMs = options.leaseMs;
    this.log = options.log;
    this.renewal = createJob({
      name: 'lease-renewal',
      intervalMs: Math.ceil(options.leaseMs / LOOKS),
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

  /** Renews what has less than half of its time left; a failure is logged, and the next look tries again. */
  async renew(): Promise<void> {
    const leasedAt = performance.now();
    const due = [...this.held.values()].filter(({ validUntil }) => validUntil - leasedAt < this.leaseMs / 2);
    if (due.length === 0) return;
    try {
      const leases = due.map(({ lease }) => lease);
      const isRenewed = await this.store.renewLeases(leases, this.leaseMs);
      for (const held of due) {
        const { orderId } = held.lease;
        if (isRenewed.get(orderId)) held.validUntil = leasedAt + this.leaseMs;
        else if (!isRenewed.has(orderId) && this.held.get(orderId) === held) this.lose(held);
      }
    } catch (err) {
      // Not thrown: the job would wait longer and longer, and leases would lapse that the next try keeps.
      this.log.warn({ err, leases: due.length }, 'leases could not be renewed yet');
    }
  }

  private lose(held: HeldLease): void {
    held.lease.release();
    held.controller.abort(new Error('the lease was taken over'));
  }
}
