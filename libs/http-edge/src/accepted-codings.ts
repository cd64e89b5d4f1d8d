/** A coding of HTTP that a build compresses in. */
export type Coding = 'br' | 'gzip';

/** The codings that an Accept-Encoding names and does not rule out by q=0 (RFC 9110 §12.5.3). */
export function acceptedCodings(header: string | string[] | undefined): ReadonlySet<string> {
  const offers = String(header ?? '')
    .split(',')
    .map((offer) =>
      offer
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/),
    );
  return new Set(offers.filter(([, q]) => !/^q=0(\.0*)?$/.test(q ?? '')).map(([coding = '']) => coding));
}
