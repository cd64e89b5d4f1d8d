/** How a wait ended: the feed has something behind the position, the time is over, or nobody waits any longer. */
export type WaitEnd = 'moved' | 'over' | 'ended';

/** For how long a wait goes on. */
interface Patience {
  /** Milliseconds since the epoch. */
  readonly until: number;
  /** Aborted when the caller has gone. */
  readonly signal?: AbortSignal | undefined;
}

/** Those who follow, as one of them knows them. */
interface Followers {
  readonly hasEnded: boolean;
  readonly ends: WaitEnds;
  leave(following: Following): void;
}

/** One who follows a feed. Thousands wait at once, each for seconds, so it is one object without closures or a timer of its own. */
export class Following {
  /** The last position that was heard of since it follows. */
  private heard = 0n;
  private position = 0n;
  private until = 0;
  private signal: AbortSignal | undefined;
  private resolve: ((how: WaitEnd) => void) | undefined;

  constructor(
    private readonly followers: Followers,
    readonly feed: string,
  ) {}

  /** Resolves when the feed has something behind a position, at the latest when patience ends. One wait at a time. */
  next(position: string, { until, signal }: Patience): Promise<WaitEnd> {
    this.position = BigInt(position);
    this.until = until;
    this.signal = signal;
    const ended = new Promise<WaitEnd>((resolve) => {
      this.resolve = resolve;
    });
    this.followers.ends.add(until, this);
    signal?.addEventListener('abort', this);
    this.look();
    return ended;
  }

  leave(): void {
    this.followers.leave(this);
  }

  /** Takes note of what the feed has. */
  hear(position: bigint): void {
    if (position > this.heard) this.heard = position;
    this.look();
  }

  /** Ends the wait if there is what it waits for, or no reason to go on. */
  look(): void {
    if (this.heard > this.position || this.isOff) this.end('moved');
  }

  /** Ends the wait, if there is one. */
  end(how: WaitEnd): void {
    const { resolve } = this;
    if (!resolve) return;
    this.resolve = undefined;
    this.followers.ends.remove(this.until, this);
    this.signal?.removeEventListener('abort', this);
    resolve(this.isOff ? 'ended' : how);
  }

  /** The caller has gone. */
  handleEvent(): void {
    this.look();
  }

  private get isOff(): boolean {
    return this.followers.hasEnded || this.signal?.aborted === true;
  }
}

/** Ends waits when their time is over, by one timer for all that end at the same moment. */
export class WaitEnds {
  private readonly due = new Map<
    number,
    { readonly timer: NodeJS.Timeout; readonly waits: Set<Following> }
  >();

  add(at: number, wait: Following): void {
    const known = this.due.get(at);
    if (known) known.waits.add(wait);
    else {
      const timer = setTimeout(() => this.end(at), Math.max(0, at - Date.now()));
      this.due.set(at, { timer, waits: new Set([wait]) });
    }
  }

  remove(at: number, wait: Following): void {
    const known = this.due.get(at);
    if (!known?.waits.delete(wait) || known.waits.size > 0) return;
    clearTimeout(known.timer);
    this.due.delete(at);
  }

  private end(at: number): void {
    const known = this.due.get(at);
    this.due.delete(at);
    for (const wait of known?.waits ?? []) wait.end('over');
  }
}
