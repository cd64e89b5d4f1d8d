import type { DescField, DescMessage, DescMethod } from '@bufbuild/protobuf';
import { rpcComment } from './promised-errors';
import { fieldComment, zeroComment } from './schema';

/** What a comment says of a field, whether a value keeps to it, and by what they are called values that do not. */
type Rule = readonly [
  says: RegExp,
  isKept: (value: never, ...groups: string[]) => boolean,
  not: (...groups: string[]) => Record<string, unknown>,
];

const TOMORROW = new Date(Date.now() + 86_400_000);
const numberOf = (digits: string): number => Number(digits.replaceAll(',', ''));
const FINEST: Record<string, number> = { two: 2, four: 4, six: 6 };
const finest = (most = ''): number => FINEST[most] ?? 0;
const idOf = (one: object | string): unknown => (typeof one === 'string' ? one : Object.values(one)[0]);

const RULES: readonly Rule[] = [
  [
    /\b(?:(\d+) to|at most) ([\d,]+) (?:characters|code points)/i,
    (text: string, least, most = '') => text.length >= Number(least ?? 0) && text.length <= numberOf(most),
    (least, most = '') => ({ ...(least && { empty: '' }), 'too long': 'x'.repeat(numberOf(most) + 1) }),
  ],
  [/\bnot only spaces/, (text: string) => text.trim() !== '', () => ({ 'only spaces': ' ' })],
  [
    /^([01]) to (\d+)\./,
    (value: number, least, most) => value >= Number(least) && value <= Number(most),
    (least, most) => ({ ...(least === '1' && { nothing: 0 }), 'too much': Number(most) + 1 }),
  ],
  [
    /\bmore than zero(?=[,.:]| and)/i,
    (value) => Number(value) > 0,
    () => ({ zero: '0.00', 'less than zero': '-1.00' }),
  ],
  [/\bNot zero/, (value) => Number(value) !== 0, () => ({ zero: '0.00' })],
  [/\bzero or more/i, (value) => Number(value) >= 0, () => ({ 'less than zero': '-0.01' })],
  [/\bless than (\d+)/, (value, most) => Number(value) < Number(most), (most) => ({ 'too much': most })],
  [
    /\bfrom 0 to 1\b(?!,)/,
    (value) => Number(value) >= 0 && Number(value) <= 1,
    () => ({ 'less than 0': '-0.1', 'more than 1': '1.1' }),
  ],
  [
    /\bfrom 0 to ([\d,]{2,})/,
    (value: number, most = '') => value >= 0 && value <= numberOf(most),
    (most = '') => ({ 'less than nothing': -1, 'too much': numberOf(most) + 1 }),
  ],
  [/\bat least 1\b/i, (value) => Number(value) >= 1, () => ({ nothing: 0 })],
  [/^An e-mail address/, (text: string) => text.includes('@'), () => ({ 'no address': 'nobody' })],
  [/\blater than now/i, (at: Date) => at.getTime() > Date.now(), () => ({ past: new Date(0) })],
  [/\bnot in the future/, (at: Date) => at.getTime() <= Date.now(), () => ({ 'in the future': TOMORROW })],
  [
    /\bat most (two|four|six) decimals/,
    (text: string, most) => new RegExp(`^-?\\d+(\\.\\d{1,${finest(most)}})?$`).test(text),
    (most) => ({ 'more decimals': (1 / 9).toFixed(finest(most) + 1) }),
  ],
  [
    /\bISO 4217/,
    (text: string) => /^[A-Z]{3}$/.test(text),
    () => ({ 'lower case': 'usd', 'no currency': 'XX' }),
  ],
  [/\bUUID\b/, (text: string) => /^[0-9a-f-]{36}$/.test(text), () => ({ 'no id': 'one' })],
  [
    /\b(?:UNSPECIFIED is VALIDATION_FAILED|VALIDATION_FAILED in a request)/,
    (name: string) => !name.endsWith('UNSPECIFIED'),
    () => ({ unspecified: 0 }),
  ],
  [
    /\bnone UNSPECIFIED/,
    (names: string[]) => !names.some((name) => name.endsWith('UNSPECIFIED')),
    () => ({ 'one unspecified': [0] }),
  ],
  [/\bAt least one/, (all: unknown[]) => all.length > 0, () => ({ none: [] })],
  [
    /\b(?:each|no)\b.* (?:once|twice)/i,
    (all: (object | string)[]) => new Set(all.map(idOf)).size === all.length,
    () => ({ 'one twice': (all: unknown[]) => [...all, ...all] }),
  ],
  [
    /\bkeys, at most (\d+)\./,
    (all: unknown[], most) => all.length <= Number(most),
    (most) => ({ 'too many': Array(Number(most) + 1).fill('ORD-1') }),
  ],
];

/**
 * Whether what is no id is invalid: in these services, where it may be absent, and for an RPC that finds nothing by its ids; elsewhere
 * it names nothing.
 */
export const isValidatedId = ({ parent, proto }: DescField, method?: DescMethod): boolean =>
  proto.proto3Optional ||
  /^reseller\.(finance|scent)\./.test(parent.typeName) ||
  (method !== undefined && !rpcComment(method).errors.some(({ code }) => code.startsWith('NOT_FOUND_')));

function rulesOf(
  field: DescField,
  method: DescMethod,
): { isKept: Rule[1]; not: Rule[2]; groups: string[] }[] {
  const own = isValidatedId(field, method) ? fieldComment(field) : fieldComment(field).replace('UUID', '');
  const comment = `${own} ${field.enum && field.fieldKind !== 'list' ? zeroComment(field.enum) : ''}`;
  return RULES.flatMap(([says, isKept, not]) => {
    const [said, ...groups] = says.exec(comment) ?? [];
    return said === undefined ? [] : [{ isKept, not, groups }];
  });
}

/** The message that a request holds in a field, of ours and no page: what its comments say holds of the request. */
export const messageIn = ({ name, message }: DescField): DescMessage | undefined =>
  name !== 'page' && message?.typeName.startsWith('reseller.') ? message : undefined;

/** What a field is refused with by the RPCs that validate, by a name for each: a value, or what is made of a valid one. */
export const invalidValues = (field: DescField, method: DescMethod): [string, unknown][] => [
  ...rulesOf(field, method).flatMap(({ not, groups }) => Object.entries(not(...groups))),
  ...(/\bafter (\w+_at)\b/.exec(fieldComment(field))?.slice(1) ?? []).map((begin): [string, unknown] => [
    `not after ${begin}`,
    (_: unknown, message: Readonly<Record<string, unknown>>) => message[begin],
  ]),
];

/** Whether a generated request keeps to what the comments of its fields say, or its RPC does not validate. */
export const isValid = (method: DescMethod, request: Values): boolean =>
  !rpcComment(method).errors.some(({ code }) => code === 'VALIDATION_FAILED') ||
  keepsToComments(method.input, request, method);

type Values = Readonly<Record<string, unknown>>;

const keepsToComments = (message: DescMessage, values: Values, method: DescMethod): boolean =>
  message.fields.every((field) => {
    const value = values[field.localName];
    if (value === undefined) return true;
    const inner = messageIn(field);
    const isKept = rulesOf(field, method).every((rule) => rule.isKept(value as never, ...rule.groups));
    return isKept && (!inner || [value].flat().every((one) => keepsToComments(inner, one as Values, method)));
  });
