import { randomUUID } from 'node:crypto';
import type { EsimBody, TopupBody } from './partner-client';

/** A Saudi mobile number that ends in the given four digits, which choose the outcome (spec §4.12). */
export const phoneEnding = (digits: string): string => `+96650123${digits}`;

/** A top-up's body with a reference of its own. */
export function newTopup(overrides: Partial<TopupBody> = {}): TopupBody {
  return {
    externalReference: `ref-${randomUUID()}`,
    geoScopeGlobalId: 'GEO-SA',
    amount: 10,
    phoneNumber: phoneEnding('4567'),
    ...overrides,
  };
}

/** An address whose tag chooses the outcome (spec §4.12); without one the eSIM is delivered at once. */
export const emailTagged = (tag?: string): string =>
  tag ? `traveller+${tag}@example.com` : 'traveller@example.com';

/** An eSIM's body with a reference of its own, for a seeded product of 19 SAR. */
export function newEsim(overrides: Partial<EsimBody> = {}): EsimBody {
  return {
    externalReference: `ref-${randomUUID()}`,
    geoScopeGlobalId: 'GEO-SA',
    productSku: 'ESIM-SA-1GB-7D',
    email: emailTagged(),
    amount: 19,
    ...overrides,
  };
}

/** Minor units of an amount read from JSON, so that sums are exact. */
export const halalas = (amount: number): number => Math.round(amount * 100);

/** The sum of amounts in minor units. */
export const sumOf = (items: readonly { readonly amount: number }[]): number =>
  items.reduce((sum, item) => sum + halalas(item.amount), 0);
