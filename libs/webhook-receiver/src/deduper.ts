/** Runs the effect of an event once, however often the event comes. */
export interface Deduper {
  /**
   * Runs the effect unless it has succeeded for this event, and returns whether it ran. When it rejects, so does this,
   * and the event may come again.
   */
  once(eventId: string, effect: () => Promise<void>): Promise<boolean>;
}

/**
 * Remembers the last events in this process's memory: enough for trying, and for effects that may repeat after a
 * restart. Where they may not, keep the ids in the database that the effect writes to (README, "Once, for good").
 */
export class MemoryDeduper implements Deduper {
  private readonly done = new Set<string>();
  private readonly running = new Map<string, Promise<void>>();

  constructor(private readonly capacity = 10_000) {
    if (!(capacity >= 1)) throw new TypeError('a deduper needs room for at least one event');
  }

  async once(eventId: string, effect: () => Promise<void>): Promise<boolean> {
    if (this.done.delete(eventId)) {
      // Back to the young end: what is still being sent is remembered longest.
      this.done.add(eventId);
      return false;
    }
    const other = this.running.get(eventId);
    if (other) {
      await other;
      return false;
    }
    const run = (async () => effect())();
    this.running.set(eventId, run);
    try {
      await run;
      this.remember(eventId);
      return true;
    } finally {
      this.running.delete(eventId);
    }
  }

  private remember(eventId: string): void {
    this.done.add(eventId);
    const [oldest] = this.done;
    if (this.done.size > this.capacity && oldest !== undefined) this.done.delete(oldest);
  }
}
