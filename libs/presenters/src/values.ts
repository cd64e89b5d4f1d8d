import type { DisplayRate } from '@reseller/contracts';
import { findDisplayNumber, toJsonNumber } from '@reseller/money';

/** Says that a service sent a message without what it always has, or with what has no public name. */
export class IncompleteMessageError extends Error {
  override readonly name = 'IncompleteMessageError';
}

/** A moment as partners read it; null where there is none (spec §1.8). */
export const presentMoment = (at: Date | undefined): string | null => at?.toISOString() ?? null;

/** A moment that a service always sets; its absence is a fault of that service. */
export function presentRequiredMoment(at: Date | undefined, field: string): string {
  if (!at) throw new IncompleteMessageError(`a service responded without ${field}`);
  return at.toISOString();
}

/** A message that a service always sets; its absence is a fault of that service. */
export function present<T>(message: T | undefined, name: string): T {
  if (message === undefined) throw new IncompleteMessageError(`a service responded without ${name}`);
  return message;
}

/** Translates an enum by its table; a value without a public name is a fault of the service. */
export function presentEnum<K extends string, V>(table: Partial<Record<K, V>>, value: K): V {
  const name = table[value];
  if (name === undefined)
    throw new IncompleteMessageError(`a service returned ${value}, which has no public name`);
  return name;
}

/** displayCurrency and rate, null where no conversion applies (spec §3.3). */
export const presentDisplay = (rate: DisplayRate | undefined) => ({
  displayCurrency: rate?.currency ?? null,
  rate: rate ? toJsonNumber(rate.rate) : null,
});

/**
 * An amount's Display sibling, rounded to the display currency's minor unit (spec §3.3); null where it has more digits than a
 * JSON number carries, since an amount that lost its last digits is worse than none.
 */
export const presentDisplayAmount = (amount: string, rate: DisplayRate | undefined): number | null =>
  rate ? (findDisplayNumber(amount, rate.rate, rate.currency) ?? null) : null;

/** An optional decimal as a JSON number. */
export const presentOptionalAmount = (amount: string | undefined): number | null =>
  amount === undefined ? null : toJsonNumber(amount);
