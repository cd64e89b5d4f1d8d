import type { Logger } from 'pino';

/** Kinds of what the operators' API shows. */
export const TOPICS = [
  'orders',
  'returnRequests',
  'approvals',
  'deadLetters',
  'webhookDeliveries',
  'partners',
  'differences',
] as const;

/** One of those kinds. */
export type Topic = (typeof TOPICS)[number];

/** Reads of a topic as little as differs once something of it has changed. */
export type Fingerprints = Readonly<Record<Topic, () => Promise<unknown>>>;

/** What a watch works with. */
interface ChangeWatchDeps {
  readonly fingerprints: Fingerprints;
  /** The rest between two looks, in milliseconds. */
  readonly everyMs: number;
  /** How old what listeners read may be; what has changed is said again after it. 0 where they always read what is. */
  readonly stalenessMs: number;
  readonly log: Pick<Logger, 'warn'>;
}

interface Listener {
  readonly changed: Set<Topic>;
  wake: (() => void) | undefined;
}

/** Someone who hears of changes from now on, until `leave`. */
interface Listening {
  /** Resolves once what changes from then on is seen: whoever reads after it misses nothing. */
  readonly hasBegun: Promise<void>;
  /** Resolves with what has changed since the last time, with nothing after `withinMs`, and at once when the watch or `signal` ends. */
  next(withinMs: number, signal?: AbortSignal): Promise<readonly Topic[]>;
  leave(): void;
}

/**
 * Sees that something has changed, once for all who listen, and looks at nothing while nobody does. It says which kind of thing, and never
 * what: whoever hears of it reads anew, as the operator that he is. What is missed while a service is away is seen when it is back.
 */
export class ChangeWatch {
  private readonly listeners = new Set<Listener>();
  private readonly seen = new Map<Topic, string>();
  private readonly failing = new Set<Topic>();
  private isRunning = false;
  private hasEnded = false;
  private looked = Promise.resolve();

  constructor(private readonly deps: ChangeWatchDeps) {}

  /** Whether it will say no more. */
  get isClosed(): boolean {
    return this.hasEnded;
  }

  listen(): Listening {
    const listener: Listener = { changed: new Set(), wake: undefined };
    this.listeners.add(listener);
    if (!this.isRunning && !this.hasEnded) void this.run();
    return {
      hasBegun: this.looked,
      next: (withinMs, signal) => this.wait(listener, withinMs, signal),
      leave: () => this.listeners.delete(listener),
    };
  }

  /** Ends every wait, now and from now on. */
  close(): void {
    this.hasEnded = true;
    for (const { wake } of this.listeners) wake?.();
  }

  private wait(listener: Listener, withinMs: number, signal?: AbortSignal): Promise<readonly Topic[]> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        listener.wake = undefined;
        resolve([...listener.changed]);
        listener.changed.clear();
      };
      const timer = setTimeout(end, withinMs);
      signal?.addEventListener('abort', end);
      listener.wake = end;
      if (listener.changed.size > 0 || this.hasEnded || signal?.aborted) end();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    // What changed while nobody listened is of no interest: whoever comes reads once it has begun.
    this.seen.clear();
    while (this.listeners.size > 0 && !this.hasEnded) {
      this.looked = this.lookAtAll();
      await this.looked;
      await new Promise((resolve) => setTimeout(resolve, this.deps.everyMs).unref());
    }
    this.isRunning = false;
  }

  private async lookAtAll(): Promise<void> {
    const changed = (await Promise.all(TOPICS.map((topic) => this.look(topic)))).flat();
    if (changed.length === 0) return;
    this.say(changed);
    const { stalenessMs } = this.deps;
    // Who has read meanwhile may have been shown what was before.
    if (stalenessMs > 0) setTimeout(() => this.say(changed), stalenessMs).unref();
  }

  private say(changed: readonly Topic[]): void {
    for (const listener of this.listeners) {
      for (const topic of changed) listener.changed.add(topic);
      listener.wake?.();
    }
  }

  /** The topic, if it has changed. */
  private async look(topic: Topic): Promise<Topic[]> {
    try {
      const now = JSON.stringify(await this.deps.fingerprints[topic]());
      const before = this.seen.get(topic);
      this.seen.set(topic, now);
      // Of what it could not see when it began, it cannot say that nothing changed since.
      const wasFailing = this.failing.delete(topic);
      const hasChanged = before === undefined ? wasFailing : before !== now;
      return hasChanged ? [topic] : [];
    } catch (error) {
      // Once for each outage.
      if (!this.failing.has(topic)) this.deps.log.warn({ err: error, topic }, 'changes cannot be seen');
      this.failing.add(topic);
      return [];
    }
  }
}
