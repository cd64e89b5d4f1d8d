import { ERROR_CATALOGUE, isAppError } from '@reseller/errors';
import type { PartnerScope } from '@reseller/rpc';
import { LRUCache } from 'lru-cache';
import type { DisplayRate } from '../../order/domain/order';

/** Partners whose last reservation is remembered; one that is not costs a call. */
const MOST_WALLETS = 20_000;

type Owner = Pick<PartnerScope, 'partnerId' | 'environment'>;

/**
 * Wallets whose last reservation succeeded, so that the next order need not check them first: a wallet is there
 * for ever, finance refuses what it does not cover, and says with each reservation which rate there is. An order that was begun
 * with another rate frees its hold, is withdrawn and begun anew within its request; rates change some times a day. One that is priced
 * after it began takes the rate that comes with its price, before anybody sees it. None is known `freshMs` after finance's last
 * response: where finance is away, nothing may be made of an order (spec §4.7). Under load, where the call counts, there always is
 * one. Rates kept for some seconds, or taken from events, would freeze one that is gone.
 */
export class KnownWallets {
  private readonly rates = new LRUCache<string, { readonly displayRate: DisplayRate | null }>({
    max: MOST_WALLETS,
  });

  private respondedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly freshMs: number) {}

  recall(owner: Owner): { readonly displayRate: DisplayRate | null } | undefined {
    if (performance.now() - this.respondedAt > this.freshMs) return undefined;
    return this.rates.get(keyOf(owner));
  }

  /** Notes the rate that a reservation came with; a version of finance that says none is checked each time. */
  reserved(owner: Owner, displayRate: DisplayRate | null | undefined): void {
    this.respondedAt = performance.now();
    if (displayRate === undefined) this.rates.delete(keyOf(owner));
    else this.rates.set(keyOf(owner), { displayRate });
  }

  /** After a refusal the owner's next order is checked before anything is made; while finance is away every order is. */
  failed(owner: Owner, error: unknown): void {
    if (isAppError(error) && ERROR_CATALOGUE[error.code].status < 500) this.rates.delete(keyOf(owner));
    else this.rates.clear();
  }
}

const keyOf = ({ partnerId, environment }: Owner): string => `${environment} ${partnerId}`;
