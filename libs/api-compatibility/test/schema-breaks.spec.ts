import { describe, expect, it } from '@jest/globals';
import { schemaBreaks, type Direction } from '../src/schema-breaks';
import { schemaOf } from '../src/schema-of';
import type { Json, Schema } from '../src/contract';

const BOTH: readonly Direction[] = ['request', 'response'];

/** In which direction a change from one JSON Schema to the other breaks something. */
function breaksIn(was: Json, is: Json): string {
  const broken = BOTH.filter(
    (direction) => schemaBreaks({ was: {}, is: {}, direction }, schemaOf(was), schemaOf(is)).length > 0,
  );
  return broken.join(' and ') || 'nothing';
}

const fields = (properties: Json, ...required: string[]): Json => ({ type: 'object', properties, required });
const text: Json = { type: 'string' };

/** Each change with the direction in which it breaks; the way back breaks in the other one. */
const ONE_WAY: readonly (readonly [what: string, was: Json, is: Json])[] = [
  ['null is refused', { type: ['string', 'null'] }, text],
  ['a word goes', { enum: ['a', 'b'] }, { enum: ['a'] }],
  ['a free text becomes a set of words', text, { type: 'string', enum: ['a'] }],
  ['a number becomes whole', { type: 'number' }, { type: 'integer' }],
  ['a type is said', {}, text],
  ['a minimum is raised', { minimum: 1 }, { minimum: 2 }],
  ['a minimum is new', { type: 'number' }, { type: 'number', minimum: 0 }],
  ['a minimum becomes exclusive', { minimum: 0 }, { exclusiveMinimum: 0 }],
  ['a maximum is lowered', { maximum: 2 }, { maximum: 1 }],
  ['a maximum becomes exclusive', { maximum: 2 }, { exclusiveMaximum: 2 }],
  ['a text is to be longer', { minLength: 1 }, { minLength: 2 }],
  ['a text is to be shorter', { maxLength: 2 }, { maxLength: 1 }],
  ['a list is to be longer', { minItems: 1 }, { minItems: 2 }],
  ['a list is to be shorter', { maxItems: 2 }, { maxItems: 1 }],
  ['a list is to be without repetition', { type: 'array' }, { type: 'array', uniqueItems: true }],
  ['a pattern is new', text, { type: 'string', pattern: '^a' }],
  ['a format is new', text, { type: 'string', format: 'uuid' }],
  ['a field is to be there', fields({ a: text }), fields({ a: text }, 'a')],
  [
    'a field deep down is to be there',
    fields({ a: fields({ b: text }) }),
    fields({ a: fields({ b: text }, 'b') }),
  ],
  ['an item is narrowed', { items: text }, { items: { type: 'string', maxLength: 1 } }],
  [
    'what a map holds is narrowed',
    { additionalProperties: { maximum: 2 } },
    { additionalProperties: { maximum: 1 } },
  ],
];

describe('the comparison of two schemas', () => {
  it.each(ONE_WAY)('when %s, then requests break, and responses on the way back', (_what, was, is) => {
    expect([breaksIn(was, is), breaksIn(is, was)]).toEqual(['request', 'response']);
  });

  it.each<[string, Json, Json]>([
    ['a field is removed', fields({ a: text, b: text }), fields({ a: text })],
    ['a type changes', text, { type: 'boolean' }],
    ['a pattern changes', { pattern: '^a' }, { pattern: '^b' }],
    ['a step changes', { multipleOf: 2 }, { multipleOf: 3 }],
    [
      'a form of a choice goes',
      { anyOf: [text, { type: 'number' }] },
      { anyOf: [text, { type: 'boolean' }] },
    ],
  ])('when %s, then both directions break', (_what, was, is) => {
    expect(breaksIn(was, is)).toBe('request and response');
  });

  it.each<[string, Json, Json]>([
    ['null is written in another way', { type: ['string', 'null'] }, { anyOf: [text, { type: 'null' }] }],
    ['null is among the words', { enum: ['a', null] }, { anyOf: [{ enum: ['a'] }, { type: 'null' }] }],
    ['a constant is a set of one word', { const: 'a' }, { enum: ['a'] }],
    ['words are in another order', { enum: ['a', 'b'] }, { enum: ['b', 'a'] }],
    ['a bound of nothing is left out', { minLength: 0 }, {}],
    ['prose changes', { title: 'A', description: 'a', example: 1 }, { description: 'b', deprecated: true }],
    ['a secret is marked as one', text, { type: 'string', format: 'password' }],
    ['a field is added that may be left out', fields({}), fields({ a: text })],
  ])('when %s, then nothing breaks', (_what, was, is) => {
    expect(breaksIn(was, is)).toBe('nothing');
  });

  it('when a set of words may grow, then a word more breaks nothing, and that it may not grow any more neither', () => {
    const open = { enum: ['a'], 'x-extensible': true };
    expect(breaksIn(open, { enum: ['a', 'b'], 'x-extensible': true })).toBe('nothing');
    expect(breaksIn(open, { enum: ['a'] })).toBe('nothing');
    expect(breaksIn({ enum: ['a'] }, open)).toBe('response');
  });

  it('when a choice gets a form, then responses break unless it may grow', () => {
    const forms = [text, { type: 'number' }];
    const more = [...forms, { type: 'boolean' }];
    expect(breaksIn({ oneOf: forms }, { oneOf: more })).toBe('response');
    expect(breaksIn(text, { oneOf: forms })).toBe('response');
    expect(breaksIn({ oneOf: forms, 'x-extensible': true }, { oneOf: more, 'x-extensible': true })).toBe(
      'nothing',
    );
  });

  it('when forms differ by a field, then each is compared with its own, wherever it stands', () => {
    const form = (kind: string, ...required: string[]): Json =>
      fields({ kind: { const: kind }, a: text }, 'kind', ...required);
    const choice = (...oneOf: Json[]): Json => ({ oneOf, discriminator: { propertyName: 'kind' } });
    expect(breaksIn(choice(form('x', 'a'), form('y')), choice(form('y'), form('x', 'a')))).toBe('nothing');
    const found = schemaBreaks(
      { was: {}, is: {}, direction: 'response' },
      schemaOf(choice(form('x', 'a'), form('y'))),
      schemaOf(choice(form('y'), form('x'))),
    );
    expect(found).toMatchObject([{ field: '(x).a', says: 'may be missing and was always there' }]);
  });

  it('when a default changes, then only who sends a request notices', () => {
    expect(breaksIn({ default: 1 }, { default: 2 })).toBe('request');
    expect(breaksIn({}, { default: 2 })).toBe('nothing');
  });

  it('when unknown fields are refused now, then requests break; that they are taken breaks nothing', () => {
    const closed = { type: 'object', additionalProperties: false };
    expect([breaksIn({ type: 'object' }, closed), breaksIn(closed, { type: 'object' })]).toEqual([
      'request',
      'nothing',
    ]);
  });

  it('when a schema holds itself, then the comparison ends, with each break once', () => {
    const tree = (...required: string[]): Record<string, Schema> => ({
      Tree: {
        type: 'object',
        properties: { name: { type: 'string' }, children: { items: { $ref: 'Tree' } } },
        required,
      },
    });
    const sides = { was: tree('name'), is: tree(), direction: 'response' as const };
    expect(schemaBreaks(sides, { $ref: 'Tree' }, { $ref: 'Tree' })).toEqual([
      expect.objectContaining({ field: 'name', owner: 'Tree.name' }),
    ]);
  });

  it('when a schema says what nobody compares, then it is refused instead of passed over', () => {
    expect(() => schemaOf({ allOf: [text] })).toThrow(
      'a schema says allOf, which libs/api-compatibility does not compare yet',
    );
  });
});
