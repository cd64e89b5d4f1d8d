import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { spansOf } from './block-spans';
import { compareCodePoints } from './code-points';
import { Comparison } from './compare-records';
import { PartnerRecord } from './partner-record';
import { DIFFERENCE_KINDS, type Difference, type OwnOrder } from './reconciliation';

type Side = Readonly<Record<string, readonly [amount: string, status: string]>>;

const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** Some references, so that the sides meet; of all of Unicode. */
const references = fc.constantFrom('a', 'aa', 'b', 'B', 'ü', '\uffff', '\u{10000}', '\u{1f30d}', '0', 'z');
const side = fc.dictionary(
  references,
  fc.tuple(fc.constantFrom('1.00', '2.00'), fc.constantFrom('Completed', 'Failed', '')),
);

function compare(theirs: Side, ours: Side): { found: Difference[]; matched: number } {
  const record = new PartnerRecord();
  for (const [reference, [amount, status]] of Object.entries(theirs))
    record.add(Buffer.from(reference), amount, status);
  const found: Difference[] = [];
  const comparison = new Comparison(record.end(), (difference) => found.push(difference));
  for (const externalReference of Object.keys(ours).sort(byBytes)) {
    const [amount, status] = ours[externalReference] ?? ['', ''];
    while (comparison.missBefore(externalReference));
    comparison.take({
      externalReference,
      amount,
      status,
      orderGlobalId: `G-${externalReference}`,
    } satisfies OwnOrder);
  }
  while (comparison.missBefore(undefined));
  return { found, matched: comparison.matched };
}

describe('comparing two records (spec §17.4)', () => {
  it('when both have any orders, then each difference is found once, and each kind is by reference', () => {
    fc.assert(
      fc.property(side, side, (theirs, ours) => {
        const { found, matched } = compare(theirs, ours);
        const differing = new Set<string>();
        const expected = new Set<string>();
        for (const reference of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
          const [own, other] = [ours[reference], theirs[reference]];
          if (!own) expected.add(`missingHere ${reference}`);
          else if (!other) expected.add(`missingThere ${reference}`);
          else {
            if (own[0] !== other[0]) expected.add(`amountDiffers ${reference}`);
            if (other[1] !== '' && own[1] !== other[1]) expected.add(`statusDiffers ${reference}`);
          }
        }
        for (const { kind, externalReference, theirs: their } of found)
          if (their && kind !== 'missingThere') differing.add(externalReference);
        expect(found.map(({ kind, externalReference }) => `${kind} ${externalReference}`).sort()).toEqual(
          [...expected].sort(),
        );
        expect(matched).toBe(Object.keys(theirs).length - differing.size);
        for (const kind of DIFFERENCE_KINDS) {
          const order = found.filter((one) => one.kind === kind).map((one) => one.externalReference);
          expect(order).toEqual([...order].sort(byBytes));
        }
      }),
    );
  });

  it('when texts are ordered, then by code points, as the database does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
        expect(Math.sign(compareCodePoints(one, other))).toBe(Math.sign(byBytes(one, other)));
      }),
    );
    expect(compareCodePoints('\uffff', '\u{10000}')).toBeLessThan(0);
  });

  it('when a page is cut out of the kinds one behind the other, then all pages together are the whole', () => {
    const count = fc.integer({ min: 0, max: 7 });
    const kind = fc.option(fc.constantFrom(...DIFFERENCE_KINDS), { nil: undefined });
    fc.assert(
      fc.property(
        fc.tuple(count, count, count, count),
        kind,
        fc.integer({ min: 1, max: 5 }),
        (counts, only, limit) => {
          const of = Object.fromEntries(DIFFERENCE_KINDS.map((name, at) => [name, counts[at] ?? 0]));
          const whole = DIFFERENCE_KINDS.filter((name) => !only || name === only).flatMap((name) =>
            Array.from({ length: of[name] ?? 0 }, (_, n) => `${name} ${n}`),
          );
          const paged: string[] = [];
          for (let offset = 0; offset <= whole.length; offset += limit)
            for (const span of spansOf(of as never, only, { limit, offset }))
              for (let n = span.from; n < span.to; n += 1) paged.push(`${span.kind} ${n}`);
          expect(paged).toEqual(whole);
        },
      ),
    );
  });
});
