import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Logger } from 'pino';

/** Where keys come from: a JWK Set as JSON, and for how long it may be used without asking again. */
type FetchJwks = () => Promise<{ jwksJson: string; maxAgeSeconds: number }>;

interface KeySetOptions {
  fetch: FetchJwks;
  log: Pick<Logger, 'info' | 'warn'>;
  /** How long the keys are used after identity last confirmed them. */
  maxAgeMs: number;
  now?: () => number;
}

/** An unknown key makes us fetch at most this often, so that forged tokens cannot make identity busy. */
const UNKNOWN_KEY_GAP_MS = 3_000;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;
/** Until the first keys nothing can be served, so they are fetched more eagerly. */
const LONGEST_FIRST_RETRY_MS = 500;
const SHORTEST_AGE_MS = 1_000;

/**
 * Identity's public keys, fetched once and kept while identity is away (spec §2.3): refreshed in the background
 * when their age is half of what identity allows, and when a token names a key that is not among them.
 */
export class KeySet {
  private keys: JWTVerifyGetKey | undefined;
  private json = '';
  private generation = 0;
  private refreshing: Promise<boolean> | undefined;
  private lastUnknownAt = -Infinity;
  private confirmedAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private stopped = false;

  constructor(private readonly options: KeySetOptions) {}

  /**
   * The keys to verify with; undefined until identity has responded once, and when it has been away for too long: no token that it issued
   * lives then, and a key that leaked must not be good for ever.
   */
  get current(): JWTVerifyGetKey | undefined {
    if (this.now() - this.confirmedAt <= this.options.maxAgeMs) return this.keys;
    // The machine has slept, or its clock was set: timers did not see that, and the next refresh may be minutes away.
    if (this.failures === 0) void this.refresh();
    return undefined;
  }

  /** Counts the changes of the keys, so that what was verified with older ones can be forgotten. */
  get version(): number {
    return this.generation;
  }

  /** Begins to fetch in the background, at once and then as the keys age. */
  start(): void {
    void this.refresh();
  }

  /** Ends the background work. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Fetches again because a token names an unknown key; false when it did so for one a moment ago or identity is away. */
  async refreshForUnknownKey(): Promise<boolean> {
    if (this.refreshing) return this.refreshing;
    // Of such fetches alone: a key may be made right after the keys were fetched for their age.
    if (this.now() - this.lastUnknownAt < UNKNOWN_KEY_GAP_MS) return false;
    this.lastUnknownAt = this.now();
    return this.refresh();
  }

  private now(): number {
    return (this.options.now ?? Date.now)();
  }

  /** Fetches now; false when identity is away. */
  refresh(): Promise<boolean> {
    this.refreshing ??= this.fetch().finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  private async fetch(): Promise<boolean> {
    const startedAt = this.now();
    try {
      const { jwksJson, maxAgeSeconds } = await this.options.fetch();
      this.use(jwksJson);
      this.confirmedAt = startedAt;
      this.failures = 0;
      this.schedule(Math.max(SHORTEST_AGE_MS, (maxAgeSeconds * 1000) / 2));
      return true;
    } catch (error) {
      if (this.stopped) return false;
      this.failures += 1;
      const longest = this.keys ? LONGEST_RETRY_MS : LONGEST_FIRST_RETRY_MS;
      const delay = Math.min(longest, FIRST_RETRY_MS * 2 ** (this.failures - 1));
      if (this.failures === 1)
        this.options.log.warn({ err: error }, 'identity returned no keys; trying again');
      this.schedule(delay);
      return false;
    }
  }

  private use(jwksJson: string): void {
    if (jwksJson === this.json) return;
    this.keys = createLocalJWKSet(JSON.parse(jwksJson) as JSONWebKeySet);
    this.json = jwksJson;
    this.generation += 1;
    this.options.log.info({ event: 'jwks', generation: this.generation }, 'verification keys changed');
  }

  private schedule(delayMs: number): void {
    clearTimeout(this.timer);
    if (this.stopped) return;
    this.timer = setTimeout(() => void this.refresh(), delayMs);
    this.timer.unref();
  }
}
