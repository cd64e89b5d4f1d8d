import { Gauge, type Registry } from 'prom-client';
import { LAPSED } from './claim.sql';
import type { FreeSlots } from './lease.repository';

/** The place of one saga in its lane. */
interface Slot {
  /** Goes over to another lane if that has a free slot; true also when it is there already. */
  moveTo(lane: string): boolean;
  /** Gives it back; true when more is due in its lane and half of the slots are free, so that a claim is worth its trip. */
  free(): boolean;
}

/** How many sagas of each lane this process carries on, never more than the lane's size. */
export class LaneSlots {
  private readonly taken = new Map<string, number>();
  /** Lanes of which the last claim took all that it had free slots for. */
  private readonly full = new Set<string>();

  constructor(
    private readonly sizes: ReadonlyMap<string, number>,
    private readonly otherSize: number,
    /** How much of each lane may be used now, from 0 to 1; at least a slot. */
    private readonly share: () => number = () => 1,
    metrics?: Registry,
  ) {
    for (const lane of [LAPSED, ...sizes.keys()]) this.taken.set(lane, 0);
    if (metrics) this.show(metrics);
  }

  /** The lanes that are known, and how many slots of each are free. */
  freeSlots(): FreeSlots[] {
    return [...this.taken.keys()].map((lane) => ({ lane, slots: this.freeIn(lane) }));
  }

  /** Notes what a claim for these slots found. */
  claimed(free: readonly FreeSlots[], lanes: readonly string[]): void {
    for (const { lane, slots } of free) {
      if (slots === 0) continue;
      if (lanes.filter((each) => each === lane).length >= slots) this.full.add(lane);
      else this.full.delete(lane);
    }
  }

  /** Takes a slot for a saga that was claimed in this lane. */
  take(claimedIn: string): Slot {
    let lane = claimedIn;
    this.add(lane, 1);
    return {
      moveTo: (other) => {
        if (other === lane) return true;
        if (this.freeIn(other) === 0) return false;
        this.add(lane, -1);
        this.add(other, 1);
        lane = other;
        return true;
      },
      free: () => {
        this.add(lane, -1);
        return this.full.has(lane) && this.takenIn(lane) <= this.sizeOf(lane) / 2;
      },
    };
  }

  private takenIn(lane: string): number {
    return this.taken.get(lane) ?? 0;
  }

  private freeIn(lane: string): number {
    return Math.max(0, this.sizeOf(lane) - this.takenIn(lane));
  }

  private sizeOf(lane: string): number {
    return Math.max(1, Math.floor((this.sizes.get(lane) ?? this.otherSize) * this.share()));
  }

  private add(lane: string, change: number): void {
    this.taken.set(lane, this.takenIn(lane) + change);
  }

  private show(metrics: Registry): void {
    const running = this.taken;
    new Gauge({
      name: 'saga_lane_running',
      help: 'Orders that this process carries on now, by the lane they waited in. Sum over instances.',
      labelNames: ['lane'],
      registers: [metrics],
      collect() {
        for (const [lane, count] of running) this.set({ lane }, count);
      },
    });
  }
}
