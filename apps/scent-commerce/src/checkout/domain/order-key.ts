import type { RequestCheck } from '@reseller/rpc';

const LONGEST_KEY = 200;

/** What names an order's checkout, or one of its groups: 1 to 200 characters. */
export const checkKey = (check: RequestCheck, path: 'orderKey' | 'restockKey', value: string): string =>
  check.text(path, value, LONGEST_KEY);
