/** A coding of HTTP that a build compresses in. */
export type Coding = 'br' | 'gzip';

/** The codings that an Accept-Encoding names and does not rule out by q=0 (RFC 9110 §12.5.3). */
export function acceptedCodings(header: string | string[] | undefined): ReadonlySet<string> {
  const offers = splitHeader(String(header ?? '').toLowerCase(), ',').map((offer) => splitHeader(offer, ';'));
  return new Set(offers.filter(([, q]) => !/^q=0(\.0*)?$/.test(q ?? '')).map(([coding = '']) => coding));
}

/** The parts of a header between its separators, without the spaces around them. */
export function splitHeader(text: string, separator: ',' | ';'): string[] {
  // Not by an expression with \s* in it, which begins anew at each space: 16 KiB of them took two seconds.
  return text.split(separator).map((part) => part.trim());
}
