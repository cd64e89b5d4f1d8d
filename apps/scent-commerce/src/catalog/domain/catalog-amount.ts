import { decimal } from '@reseller/money';

// Eight digits before the point: 100 lines of 999 such units with VAT still are a JSON number to the last halala.
const AMOUNT = /^\d{1,8}(\.\d{1,2})?$/;

/** Whether a text is an amount of SAR that the catalog holds: below 100,000,000 with at most two decimals, and above zero. */
export const isCatalogAmount = (text: string, allowsZero = false): boolean =>
  AMOUNT.test(text) && (allowsZero || decimal(text).greaterThan(0));
