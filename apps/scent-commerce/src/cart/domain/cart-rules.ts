import type { RequestCheck } from '@reseller/rpc';

const LONGEST_CUSTOMER_REF = 128;
/** Control characters, halves of surrogate pairs, and the separators that break lines. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** The most units of a line (spec §6.2, §5.2). */
export const LARGEST_QUANTITY = 999;

/** The most lines of a cart or quote (spec §6.2, §5.2). */
export const MOST_LINES = 100;

/** 1 to 128 code points of printable text, compared exactly (spec §6.1). */
export function checkCustomerRef(check: RequestCheck, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const length = value.length > 2 * LONGEST_CUSTOMER_REF ? Infinity : [...value].length;
  if (length < 1 || length > LONGEST_CUSTOMER_REF || UNPRINTABLE.test(value)) {
    check.fault(
      'customerRef',
      `must have 1 to ${LONGEST_CUSTOMER_REF} characters, none of them a control character`,
    );
  }
  return value;
}

/** The units of a line: a whole number from `least` to 999. */
export function checkQuantity(
  check: RequestCheck,
  { path, value, least }: { path: string; value: number; least: 0 | 1 },
): number {
  if (!Number.isInteger(value) || value < least || value > LARGEST_QUANTITY) {
    check.fault(path, `must be a whole number from ${least} to ${LARGEST_QUANTITY}`);
  }
  return value;
}
