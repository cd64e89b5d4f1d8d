import type { Logger } from '@reseller/service-kit';
import { LRUCache } from 'lru-cache';
import type { KnownRateRepository } from './known-rate.repository';

/** A rate that cannot be read is the last one known, up to an hour old (spec §3.3). */
const MAX_AGE_MS = 3_600_000;
const SAVE_EVERY_MS = 60_000;
/** More than there are currencies. */
const MOST_CURRENCIES = 256;

/** What finance was last read to have for a currency; without a rate it had none. */
interface KnownRate {
  readonly rate: string | undefined;
}

/** What known rates are kept with; `now` is a clock in milliseconds that never goes back. */
interface KnownRatesDeps {
  readonly repository: Pick<KnownRateRepository, 'save' | 'find'>;
  readonly log: Pick<Logger, 'warn'>;
  readonly now?: (() => number) | undefined;
}

/**
 * Remembers rates while finance is away. Each instance has its own memory, and the database has a copy that is written when a
 * rate is another and else once a minute: so an instance that started during the outage, or never read a currency, has what the
 * others have, and no read waits for the copy.
 */
export class KnownRates {
  private readonly known: LRUCache<string, KnownRate>;
  private readonly saved: LRUCache<string, KnownRate>;

  constructor(private readonly deps: KnownRatesDeps) {
    const perf = { now: deps.now ?? (() => performance.now()) };
    const bounds = { max: MOST_CURRENCIES, ttlResolution: 0, perf };
    this.known = new LRUCache({ ...bounds, ttl: MAX_AGE_MS });
    this.saved = new LRUCache({ ...bounds, ttl: SAVE_EVERY_MS });
  }

  /** Notes what was read just now. */
  remember(currency: string, rate: string | undefined): void {
    this.known.set(currency, { rate });
    const saved = this.saved.get(currency);
    if (saved && saved.rate === rate) return;
    this.saved.set(currency, { rate });
    const { repository, log } = this.deps;
    repository.save(currency, rate).catch((err: unknown) => {
      log.warn({ err, currency }, 'a display rate could not be kept for when finance is away');
    });
  }

  /** What was last read, here or by another instance; undefined when that is more than an hour ago. Never throws. */
  async recall(currency: string): Promise<KnownRate | undefined> {
    const known = this.known.get(currency);
    if (known) return known;
    try {
      return await this.deps.repository.find(currency, MAX_AGE_MS);
    } catch (err) {
      this.deps.log.warn({ err, currency }, 'the last known display rate could not be read');
      return undefined;
    }
  }
}
