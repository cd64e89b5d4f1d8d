import { withJsonAt } from '../fields';
import type { Field, Schema } from '../fields';
import type { Operation } from '../operations';
import { requestBytes } from '../shape';
import type { Shape } from '../shape';

const text = (value: string): string => JSON.stringify(value);
const list = (item: string, count: number): string => `[${Array<string>(count).fill(item).join(',')}]`;

/** Values, as texts of JSON, that are wrong for most fields and awkward for the rest. */
const VALUES: Readonly<Record<string, string>> = {
  null: 'null',
  true: 'true',
  false: 'false',
  'minus zero': '-0',
  'a negative number': '-1',
  'a fraction': '1.005',
  'the largest double': '1.7976931348623157e308',
  infinity: '-1e400',
  'the smallest double': '5e-324',
  'an integer past 2^53': '9007199254740993',
  'a number of 5,000 digits': '1'.repeat(5_000),
  'a fraction of 5,000 digits': `0.${'3'.repeat(5_000)}`,
  'an empty text': '""',
  'a blank': '" "',
  'a NUL': '"\\u0000"',
  'a NUL inside': '"a\\u0000b"',
  'half a surrogate': '"\\ud800"',
  'surrogates the wrong way round': '"\\udc00\\ud800"',
  '90,000 characters': text('x'.repeat(90_000)),
  '20,000 emoji': text('💥'.repeat(20_000)),
  'combining marks': text(`a${'\u0301'.repeat(5_000)}`),
  'marks of direction': text('\u202e\u200f\u2066x\u200b\ufeff'),
  'a number as text': '"10"',
  'NaN as text': '"NaN"',
  __proto__: '"__proto__"',
  SQL: text(`'; DROP TABLE orders; -- "`),
  'a path': text('../../../../etc/passwd'),
  'a template': text('${jndi:ldap://x}{{7*7}}<script>alert(1)</script>'),
  'line breaks': text('a\r\nX-Injected: 1\r\n\r\n'),
  'percent signs': text('%00%n%s%ff'),
  'an empty list': '[]',
  'an empty object': '{}',
  'a list of null': '[null]',
  'lists 1,000 deep': '['.repeat(1_000) + ']'.repeat(1_000),
  'thousands of {}': list('{}', 20_000),
  'thousands of NULs': list('"\\u0000"', 5_400),
  'a long key over NULs': `{"${'k'.repeat(40_000)}":${list('"\\u0000"', 5_400)}}`,
  '__proto__ inside': '{"__proto__":{"length":1e9}}',
  'a length': '{"length":1e9}',
  'a year past all': '"+275760-09-13T00:00:00.001Z"',
  'the year 0': '"0000-00-00T00:00:00Z"',
  '30 February': '"2026-02-30T25:61:61Z"',
  'a date of 50,000 digits': text(`2026-01-01T00:00:00.${'9'.repeat(50_000)}Z`),
  'an address of 50,000 parts': text(`a@${'a.'.repeat(40_000)}com`),
  'a phone number of 50,000 digits': text(`+9665${'1'.repeat(50_000)}x`),
  'a url of 90,000 characters': text(`https://example.com/${'a'.repeat(89_000)}`),
  'a url of this machine': text('https://user:pw@127.0.0.1:1/\u0000'),
  'a url that is none': text('https://[::1'),
  'the nil id': text('00000000-0000-0000-0000-000000000000'),
};

/** One step inside and one outside of what is declared. */
function bordersOf(schema: Schema): Record<string, string> {
  const { minimum, maximum, minLength, maxLength, maxItems, items } = schema;
  const borders: Record<string, string> = {};
  const add = (name: string, json: string): void => void (borders[name] = json);
  if (minimum !== undefined) {
    add('the least', `${minimum}`);
    add('less than the least', `${minimum - 1}`);
  }
  if (maximum !== undefined) {
    add('the most', `${maximum}`);
    add('more than the most', `${maximum + 1}`);
  }
  if (minLength) add('a text too short', text('x'.repeat(minLength - 1)));
  if (maxLength) {
    add('the longest text', text('x'.repeat(maxLength)));
    add('the longest text of emoji', text('💥'.repeat(Math.floor(maxLength / 2))));
    add('a text too long', text('x'.repeat(maxLength + 1)));
  }
  if (maxItems) add('an element too many', list(items?.type === 'object' ? '{}' : '"x"', maxItems + 1));
  for (const [at, value] of (schema.enum ?? []).entries()) {
    if (at < 2) add(`its value ${at} in other letters`, text(String(value).toLowerCase()));
  }
  return borders;
}

function shapeOf({ keys }: Field, name: string, json: string): Shape {
  return {
    name: `field ${keys.join('.')}: ${name}`,
    bytes: (call) => requestBytes(call, { body: withJsonAt(call.body ?? {}, keys, json) }),
  };
}

/** Hostile values for each field that a call declares. */
export const fieldShapes = ({ fields }: Operation): Shape[] =>
  fields.flatMap((field) =>
    Object.entries({ ...VALUES, ...bordersOf(field.schema) }).map(([name, json]) =>
      shapeOf(field, name, json),
    ),
  );
