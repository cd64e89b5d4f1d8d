import { decimal } from '@reseller/money';
import type { DisplayRate } from './order';

/** An order froze a remembered rate that is not the one of its submission: it is withdrawn and begun anew (spec §3.3). */
export class DisplayRateChanged extends Error {
  constructor() {
    super('the display rate has changed');
  }
}

/** Whether two rates are one, however many zeros they are written with. */
export function isSameRate(one: DisplayRate | null, other: DisplayRate | null): boolean {
  if (!one || !other) return one === other;
  return one.currency === other.currency && (one.rate === other.rate || decimal(one.rate).equals(other.rate));
}
