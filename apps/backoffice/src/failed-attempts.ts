import { AppError } from '@reseller/errors';
import { callerNetwork, type Exchange } from '@reseller/http-edge';
import { LRUCache } from 'lru-cache';

const WINDOW_MS = 60_000;
const MOST = 20;
/** More addresses than these at once are no one's mistake: the ones seen longest ago are forgotten. */
const MOST_ADDRESSES = 10_000;

/** Counts bad tokens and failed sign-ins of each address; what is good is never looked up here (spec §18.2). */
export class FailedAttempts {
  /** When the last ones of an address were, oldest first. */
  private readonly timesOf = new LRUCache<string, number[]>({ max: MOST_ADDRESSES });

  constructor(private readonly now: () => number = Date.now) {}

  /** Counts an attempt and returns what it failed with, or RATE_LIMITED after twenty within 60 s; that one does not count. */
  record({ address }: Pick<Exchange, 'address'>, failure: AppError): AppError {
    const network = callerNetwork(address);
    const now = this.now();
    const recent = (this.timesOf.get(network) ?? []).filter((at) => at > now - WINDOW_MS);
    const [oldest] = recent;
    if (oldest !== undefined && recent.length >= MOST) {
      const retryAfterSeconds = Math.ceil((oldest + WINDOW_MS - now) / 1_000);
      return new AppError('RATE_LIMITED', { retryAfterSeconds });
    }
    this.timesOf.set(network, [...recent, now]);
    return failure;
  }
}
