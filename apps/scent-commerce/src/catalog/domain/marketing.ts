import { decimal, toFixedString, type Decimal } from '@reseller/money';
import { availabilityOf } from './availability';

/** Why a variant deserves a second look, in the order in which badges are listed (spec §5.5). */
export const BADGES = ['LIMITED', 'BACK_IN_STOCK', 'NEW_ARRIVAL', 'BEST_SELLER', 'SAMPLE_AVAILABLE'] as const;

/** One of the badges. */
export type BadgeName = (typeof BADGES)[number];

/** What the marketing of a variant follows from; amounts are SAR as decimal text. */
export interface MarketingFacts {
  /** The catalog's price, not the caller's. */
  catalogPrice: string;
  rrp?: string | undefined;
  /** The catalog's price before it was last lowered, and when that was. */
  loweredFrom?: string | undefined;
  loweredAt?: Date | undefined;
  /** On hand less reserved; 0 for an inactive variant. */
  available: number;
  /** The last rise of the available quantity from 0. */
  restockedAt?: Date | undefined;
  firstOfferedAt: Date;
  isBestSeller: boolean;
  hasAvailableSample: boolean;
}

/** A variant's marketing; discountPercent is absent exactly when compareAtPrice is. */
export interface Marketing {
  currentPrice: string;
  compareAtPrice?: string | undefined;
  discountPercent?: string | undefined;
  badges: BadgeName[];
}

const DAY_MS = 86_400_000;
const LOWERED_DAYS = 30;
const RESTOCKED_DAYS = 14;
const NEW_DAYS = 30;
/** An rrp counts as a "was" price from 5 % above the current one. */
const RRP_FACTOR = decimal('1.05');

/** The marketing of a variant, for a partner with the marketing feature (spec §5.5); nothing of it changes what is paid. */
export function marketingOf(facts: MarketingFacts, now: Date): Marketing {
  const current = decimal(facts.catalogPrice);
  const was = compareAt(facts, current, now);
  return {
    currentPrice: toFixedString(current, 2),
    compareAtPrice: was && toFixedString(was, 2),
    discountPercent: was && toFixedString(was.minus(current).dividedBy(was).times(100), 2),
    badges: BADGES.filter((badge) => EARNS[badge](facts, now)),
  };
}

function compareAt(facts: MarketingFacts, current: Decimal, now: Date): Decimal | undefined {
  if (facts.loweredFrom !== undefined && isWithin(facts.loweredAt, LOWERED_DAYS, now)) {
    const earlier = decimal(facts.loweredFrom);
    if (earlier.greaterThan(current)) return earlier;
  }
  if (facts.rrp === undefined) return undefined;
  const rrp = decimal(facts.rrp);
  return rrp.greaterThanOrEqualTo(current.times(RRP_FACTOR)) ? rrp : undefined;
}

const EARNS: Record<BadgeName, (facts: MarketingFacts, now: Date) => boolean> = {
  LIMITED: ({ available }) => availabilityOf(available) === 'Limited',
  // What has sold out since is not back.
  BACK_IN_STOCK: ({ available, restockedAt }, now) =>
    available > 0 && isWithin(restockedAt, RESTOCKED_DAYS, now),
  NEW_ARRIVAL: ({ firstOfferedAt }, now) => isWithin(firstOfferedAt, NEW_DAYS, now),
  BEST_SELLER: ({ isBestSeller }) => isBestSeller,
  SAMPLE_AVAILABLE: ({ hasAvailableSample }) => hasAvailableSample,
};

/** A moment that lies ahead by another machine's clock counts as now. */
function isWithin(at: Date | undefined, days: number, now: Date): boolean {
  return at !== undefined && now.getTime() - at.getTime() <= days * DAY_MS;
}
