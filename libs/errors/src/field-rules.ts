import { isIP } from 'node:net';

// Rules of single fields that an edge and the service behind it both apply: the edge so that a fault is named beside those of other
// fields (spec §1.2), the service whoever calls it.

/** A network in CIDR notation. */
export interface Network {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

const CONTROL_CHARACTERS = /\p{Cc}/u;
// Plausible, not proven: an address is only ever proven by a mail that arrives.
const EMAIL = /^[^\s@<>()[\],;:"\\]+@[^\s@.]+(\.[^\s@.]+)+$/;
const LONGEST_EMAIL = 254;
const CIDR = /^([0-9A-Fa-f.:]{1,45})\/(\d{1,3})$/;
const FEED_CURSOR = /^[A-Za-z0-9_-]{24}$/;

/** Whether a text holds a control character, line breaks and tabs too. */
export const hasControlCharacter = (text: string): boolean => CONTROL_CHARACTERS.test(text);

/** Whether a text has 1 to `most` characters, counted as code points, not only spaces and no control characters. */
export const isPrintable = (text: string, most: number): boolean =>
  text.length <= 2 * most && text.trim() !== '' && [...text].length <= most && !CONTROL_CHARACTERS.test(text);

/** Whether a text is plausible as an e-mail address of at most 254 characters. */
export const isEmailAddress = (text: string): boolean =>
  text.length <= LONGEST_EMAIL && EMAIL.test(text) && !CONTROL_CHARACTERS.test(text);

/** Whether a text is a network in CIDR notation, such as 203.0.113.0/24 or 2001:db8::/32. */
export const isCidr = (text: string): boolean => readCidr(text) !== undefined;

/** The network that a text says in CIDR notation; undefined where it says none. */
export function readCidr(text: string): Network | undefined {
  const [, address = '', bits] = CIDR.exec(text) ?? [];
  const version = isIP(address);
  const prefix = Number(bits);
  if (version === 0 || prefix > (version === 4 ? 32 : 128)) return undefined;
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/** Whether a text has the form of a cursor of the events feed; whose it is, only notifier can say. */
export const isFeedCursor = (text: string): boolean => FEED_CURSOR.test(text);
