import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

// Not EADDRNOTAVAIL: an IPv6 receiver meets it for ever where this machine has no IPv6.
const CODES = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);

/** Whether an error says that this process or its machine has no descriptor or memory left. */
export const isOwnScarcity = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && CODES.has(String(error.code));

/** Whether no descriptor is left now, for what does not say why it failed, as a look-up. */
export function isOutOfDescriptors(): boolean {
  try {
    closeSync(openSync(devNull, 'r'));
    return false;
  } catch (error) {
    return isOwnScarcity(error);
  }
}
