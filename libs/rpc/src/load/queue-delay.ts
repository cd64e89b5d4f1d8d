const SAMPLE_MS = 20;
const WINDOW_MS = 100;
/** So many windows without work end the watch on the event loop. */
const IDLE_WINDOWS = 2;

const LOOP = 'event loop';

interface Source {
  sum: number;
  count: number;
  /** Over the windows until now, each counting half as much as the next. */
  mean: number;
}

/**
 * How long work stands in line in a process, lately: for the event loop, for statements, and at the services that it calls,
 * as they say with their responses. What a vendor takes is no part of it. Costs nothing while no work comes.
 */
class QueueDelay {
  private readonly sources = new Map<string, Source>();
  private timer: NodeJS.Timeout | undefined;
  private sampledAt = 0;
  private lastLate = 0;
  private windowEndsAt = 0;
  private idleWindows = 0;
  private longest = 0;

  /** The longest of what the sources say, in milliseconds; 0 when nothing is done. */
  get ms(): number {
    return this.longest;
  }

  /** The part of it that is this process's own: how late its event loop is. */
  get loopMs(): number {
    return this.sources.get(LOOP)?.mean ?? 0;
  }

  /** Whether the event loop stands behind right now, or was not watched: what came in meanwhile may be over already. */
  get isBehind(): boolean {
    return !this.timer || this.lastLate > SAMPLE_MS || performance.now() - this.sampledAt > 2 * SAMPLE_MS;
  }

  /** Adds how long something stood in line. */
  note(source: string, ms: number): void {
    let known = this.sources.get(source);
    if (!known) this.sources.set(source, (known = { sum: 0, count: 0, mean: 0 }));
    known.sum += ms;
    known.count += 1;
    this.watch();
  }

  /** Says that there is work, so that the event loop is watched. */
  watch(): void {
    this.idleWindows = 0;
    if (this.timer) return;
    this.sampledAt = performance.now();
    this.windowEndsAt = this.sampledAt + WINDOW_MS;
    this.timer = setInterval(() => this.sample(), SAMPLE_MS).unref();
  }

  private sample(): void {
    const now = performance.now();
    const late = Math.max(0, now - this.sampledAt - SAMPLE_MS);
    this.sampledAt = now;
    this.lastLate = late;
    let loop = this.sources.get(LOOP);
    if (!loop) this.sources.set(LOOP, (loop = { sum: 0, count: 0, mean: 0 }));
    loop.sum += late;
    loop.count += 1;
    if (now < this.windowEndsAt) return;
    this.windowEndsAt = now + WINDOW_MS;
    this.longest = 0;
    for (const source of this.sources.values()) {
      source.mean = (source.mean + (source.count > 0 ? source.sum / source.count : 0)) / 2;
      source.sum = 0;
      source.count = 0;
      this.longest = Math.max(this.longest, source.mean);
    }
    this.idleWindows += 1;
    if (this.idleWindows < IDLE_WINDOWS) return;
    clearInterval(this.timer);
    this.timer = undefined;
    this.sources.clear();
    this.longest = 0;
  }
}

/** This process's own: there is one event loop, and whoever works on it stands in one line. */
export const queueDelay = new QueueDelay();
