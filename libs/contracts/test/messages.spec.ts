import fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import { generatedAs, independentMessage, MESSAGES } from './schema';
import type { GeneratedMessage } from './schema';
import { anyMessage } from './values';

/** Of each of some five hundred messages, whose code one generator writes. */
const RUNS = 8;

describe.each(MESSAGES.map((type) => [type.typeName, type] as const))('%s', (typeName, type) => {
  const generated = generatedAs<GeneratedMessage>(type.name)!;
  const reader = independentMessage(typeName);

  test('when we encode any value, then an independent reader decodes the same', () => {
    fc.assert(
      fc.property(anyMessage(type), (value) => {
        const bytes = Buffer.from(generated.encode(value.generated).finish());
        expect(reader.deserialize(bytes)).toEqual(value.independent);
      }),
      { numRuns: RUNS },
    );
  });

  test('when an independent writer encodes any value, then we decode the same', () => {
    fc.assert(
      fc.property(anyMessage(type), (value) => {
        const bytes = reader.serialize(value.independent as object);
        expect(generated.decode(bytes)).toEqual(value.generated);
      }),
      { numRuns: RUNS },
    );
  });

  test('when a newer peer sends a field that we do not know, then the rest still arrives', () => {
    // Field 1000, a string: what the next version of a message may add.
    const unknownField = Buffer.from([0xc2, 0x3e, 0x02, 0x68, 0x69]);
    fc.assert(
      fc.property(anyMessage(type), (value) => {
        const bytes = Buffer.from(generated.encode(value.generated).finish());
        expect(generated.decode(Buffer.concat([unknownField, bytes, unknownField]))).toEqual(value.generated);
      }),
      { numRuns: RUNS },
    );
  });
});
