import { AppError } from '@reseller/errors';

/** Of one partner; past that a report is refused at once (spec §14.2). */
const MOST_WAITING = 32;
/** A caller of a read waits 2 s (spec §1.10), and the report itself takes some of it. */
const LONGEST_WAIT_MS = 1_500;

/** Who wants a report, and until when. */
interface ReportCaller {
  readonly partnerId: string;
  readonly signal?: AbortSignal | undefined;
}

interface Lane {
  readonly partnerId: string;
  readonly waiting: (() => void)[];
  isRunning: boolean;
}

/**
 * Lets reports run one at a time for each partner, so many at once over all, and partners take turns: a partner that requests
 * eight at once waits for itself alone. What has waited too long, or whose caller is gone, is refused before it costs SQL.
 */
export class ReportQueue {
  /** In the order of whose turn comes next. */
  private readonly lanes = new Map<string, Lane>();
  private running = 0;

  constructor(
    private readonly atOnce: number,
    private readonly onRefusal: () => void = () => undefined,
  ) {}

  /** The result of `work` when its turn comes; throws SERVICE_UNAVAILABLE when that is too late. */
  async run<T>({ partnerId, signal }: ReportCaller, work: () => Promise<T>): Promise<T> {
    const lane = this.laneOf(partnerId);
    await this.enter(lane, signal);
    try {
      return await work();
    } finally {
      lane.isRunning = false;
      this.running -= 1;
      // To the end of the turns.
      this.lanes.delete(partnerId);
      if (lane.waiting.length > 0) this.lanes.set(partnerId, lane);
      this.startNext();
    }
  }

  private laneOf(partnerId: string): Lane {
    let lane = this.lanes.get(partnerId);
    if (!lane) this.lanes.set(partnerId, (lane = { partnerId, waiting: [], isRunning: false }));
    return lane;
  }

  private enter(lane: Lane, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      };
      const start = (): void => {
        settle();
        resolve();
      };
      const giveUp = (): void => {
        settle();
        const at = lane.waiting.indexOf(start);
        if (at >= 0) lane.waiting.splice(at, 1);
        this.forget(lane);
        this.onRefusal();
        reject(new AppError('SERVICE_UNAVAILABLE', {}, { cause: new Error('too many reports wait') }));
      };
      const timer = setTimeout(giveUp, LONGEST_WAIT_MS);
      signal?.addEventListener('abort', giveUp);
      if (signal?.aborted || lane.waiting.length >= MOST_WAITING) {
        giveUp();
        return;
      }
      lane.waiting.push(start);
      this.startNext();
    });
  }

  private startNext(): void {
    for (const lane of this.lanes.values()) {
      if (this.running >= this.atOnce) return;
      const start = lane.isRunning ? undefined : lane.waiting.shift();
      if (!start) continue;
      lane.isRunning = true;
      this.running += 1;
      start();
    }
  }

  private forget({ partnerId, isRunning, waiting }: Lane): void {
    if (!isRunning && waiting.length === 0) this.lanes.delete(partnerId);
  }
}
