/** What a line shows in the place of what nobody may read. */
const HIDDEN = '[hidden]';

// Fields by name, at any depth, also inside of JSON that is a string of JSON: quotes may be escaped any number of times.
const NAMES = [
  'authorization',
  '\\w*(?:[Ss]ecrets?|SECRETS?|[Pp]assword|PASSWORD|[Aa]piKey|API_KEY)',
  '(?:access|operator|refresh)?[Tt]okens?',
  '[A-Z_]+_(?:TOKENS?|KEYS?)',
  '(?:keyEncryption|credentialHash|webhookSecret)Keys?',
  // What was delivered and is worth money to whoever reads it, of any product.
  '\\w*(?:[Aa]ctivationCode|[Qq]rCode|[Ii]ccid|activation_code|qr_code)',
  'cookie|set-cookie',
].join('|');
// A run of backslashes is tried from its beginning alone: from each of them, a long one would take the square of its length.
const FIELD = new RegExp(`((?<!\\\\)\\\\*"(?:${NAMES})\\\\*"\\s*:\\s*\\\\*")[^"\\\\]+`, 'g');

// Values by their look, wherever they stand: in a message, a URL, an error's text or its stack.
const VALUE = new RegExp(
  [
    // Credentials.
    '(?<scheme>\\b(?:[Bb]earer|[Bb]asic)\\s+)[\\w.~+/=-]{8,}',
    '\\beyJ[\\w-]{8,1024}\\.[\\w-]+\\.[\\w-]+',
    '\\bwhsec_[\\w-]{8,}',
    // The password of a URL; user and host stay.
    '(?<user>\\b[a-z][\\w+.-]{0,20}://[^\\s:/@"]{0,128}:)[^\\s@/"]{1,256}(?=@)',
    // What activates an eSIM: whoever has it owns the plan.
    '\\bLPA:1\\$[^\\s"\\\\]+',
    // Persons: e-mail addresses, and phone numbers in E.164.
    "[\\w.!#$%&'*+/=?^`{|}~-]{1,64}(?:@|%40)[\\w-]{1,63}(?:\\.[\\w-]{1,63}){0,8}\\.[A-Za-z]{2,63}",
    '(?:\\+|%2[Bb])[1-9]\\d{7,14}\\b',
  ].join('|'),
  'g',
);

/** A log line without secrets and personal data: known fields, and whatever looks like one anywhere in it. */
export function scrub(line: string): string {
  return line.replace(FIELD, `$1${HIDDEN}`).replace(VALUE, hide);
}

function hide(...match: unknown[]): string {
  const { scheme, user } = match.at(-1) as { scheme?: string; user?: string };
  return `${scheme ?? user ?? ''}${HIDDEN}`;
}
