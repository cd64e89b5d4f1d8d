/** A subscription that has something left to deliver, and since when; nothing of it that is left is older. */
export interface Lane {
  id: string;
  since: Date;
}

/** What a claim looks at. */
export interface Look {
  /** Each from its `since` on; all there are, from their oldest deliveries on, when null. */
  lanes: readonly Lane[] | null;
  /** Besides these, subscriptions that got a delivery so recently. */
  madeWithinMs: number | null;
}

/** What a claim saw: which of what it looked at has something left, and how long finding all took when it looked at all. */
export interface Seen {
  lanes: readonly Lane[];
  hoppingMs: number;
}

/** Of the time, finding all subscriptions takes at most one part in so many. */
const HOPPING_SHARE = 20;
/** A delivery is committed sooner than this after it was made, in general; what comes later is found by looking at all. */
const LATEST_COMMIT_MS = 5_000;

/**
 * Where a worker looks for due deliveries; only a hint, never a claim about what is left. While a snapshot is held somewhere,
 * what was finished since stays in the index as dead entries: then finding all subscriptions takes long, and most looks are at
 * those known to have something left and at what was made since the last look, each from where it was seen last (docs/adr/0016).
 */
export class LaneCursor {
  private readonly lanes = new Map<string, Lane>();
  private allDueAt = -Infinity;
  private lookedAt = -Infinity;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** At all, or as good as all. */
  look(): Look {
    const lookedAt = this.lookedAt;
    this.lookedAt = this.now();
    if (this.lookedAt >= this.allDueAt) return { lanes: null, madeWithinMs: null };
    return { lanes: [...this.lanes.values()], madeWithinMs: this.lookedAt - lookedAt + LATEST_COMMIT_MS };
  }

  /** At these subscriptions alone, as far as they have anything left. */
  lookAt(ids: Iterable<string>): Look & { lanes: readonly Lane[] } {
    return { lanes: [...ids].flatMap((id) => this.lanes.get(id) ?? []), madeWithinMs: null };
  }

  /** What a look saw. */
  saw({ lanes }: Look, seen: Seen): void {
    if (lanes) for (const { id } of lanes) this.lanes.delete(id);
    else {
      this.lanes.clear();
      this.allDueAt = this.now() + HOPPING_SHARE * seen.hoppingMs;
    }
    for (const lane of seen.lanes) this.lanes.set(lane.id, lane);
  }

  /** The next look is at all: what a look that failed has claimed is not known. */
  reset(): void {
    this.allDueAt = -Infinity;
  }
}
