import type { DescField, DescMethod } from '@bufbuild/protobuf';
import { rpcComment } from './promised-errors';
import { fieldComment } from './schema';

/** What a comment says of a field, whether a value keeps to it, and by what they are called values that do not. */
type Rule = readonly [
  says: RegExp,
  isKept: (value: never, ...groups: string[]) => boolean,
  not: (...groups: string[]) => Record<string, unknown>,
];

const numberOf = (digits: string): number => Number(digits.replace(',', ''));
const longer = (most: string): string => 'x'.repeat(numberOf(most) + 1);
const idOf = (one: object | string): unknown => (typeof one === 'string' ? one : Object.values(one)[0]);

const RULES: readonly Rule[] = [
  [
    /\b1 to ([\d,]+) (?:characters|code points)/,
    (text: string, most) => text.length > 0 && text.length <= numberOf(most ?? ''),
    (most = '') => ({ empty: '', 'too long': longer(most) }),
  ],
  [/\bnot only spaces/, (text: string) => text.trim() !== '', () => ({ 'only spaces': ' ' })],
  [
    /\bat most ([\d,]+) characters/i,
    (text: string, most = '') => text.length <= numberOf(most),
    (most = '') => ({ 'too long': longer(most) }),
  ],
  [
    /^([01]) to (\d+)\./,
    (value: number, least, most) => value >= Number(least) && value <= Number(most),
    (least, most) => ({ ...(least === '1' && { nothing: 0 }), 'too much': Number(most) + 1 }),
  ],
  [
    /\bmore than zero(?=[,.]| and)/i,
    (value) => Number(value) > 0,
    () => ({ zero: '0.00', 'less than zero': '-1.00' }),
  ],
  [/\bNot zero/, (value) => Number(value) !== 0, () => ({ zero: '0.00' })],
  [/\bZero or more/, (value) => Number(value) >= 0, () => ({ 'less than zero': '-0.01' })],
  [/\bless than (\d+)/, (value, most) => Number(value) < Number(most), (most) => ({ 'too much': most })],
  [
    /\bfrom 0 to 1\b/,
    (value) => Number(value) >= 0 && Number(value) <= 1,
    () => ({ 'less than 0': '-0.1', 'more than 1': '1.1' }),
  ],
  [
    /\bat most two decimals/,
    (text: string) => /^-?\d+(\.\d{1,2})?$/.test(text),
    () => ({ 'three decimals': '1.001' }),
  ],
  [
    /\bat most six decimals/,
    (text: string) => /^-?\d+(\.\d{1,6})?$/.test(text),
    () => ({ 'seven decimals': '0.1234567' }),
  ],
  [
    /\bISO 4217/,
    (text: string) => /^[A-Z]{3}$/.test(text),
    () => ({ 'lower case': 'usd', 'no currency': 'XX' }),
  ],
  [/\bUUID\b/, (text: string) => /^[0-9a-f-]{36}$/.test(text), () => ({ 'no id': 'one' })],
  [
    /\bUNSPECIFIED is VALIDATION_FAILED/,
    (name: string) => !name.endsWith('UNSPECIFIED'),
    () => ({ unspecified: 0 }),
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

/** Whether a field that is no id is invalid: in these services, and where it may be absent; elsewhere it names nothing. */
export const isValidatedId = ({ parent, proto }: DescField): boolean =>
  proto.proto3Optional || /^reseller\.(finance|scent)\./.test(parent.typeName);

function rulesOf(field: DescField): { isKept: Rule[1]; not: Rule[2]; groups: string[] }[] {
  const comment = isValidatedId(field) ? fieldComment(field) : fieldComment(field).replace('UUID', '');
  return RULES.flatMap(([says, isKept, not]) => {
    const [said, ...groups] = says.exec(comment) ?? [];
    return said === undefined ? [] : [{ isKept, not, groups }];
  });
}

/** What a field is refused with by the RPCs that validate, by a name for each: a value, or what is made of a valid one. */
export const invalidValues = (field: DescField): [string, unknown][] =>
  rulesOf(field).flatMap(({ not, groups }) => Object.entries(not(...groups)));

/** Whether a generated request keeps to what the comments of its fields say, or its RPC does not validate. */
export function isValid(method: DescMethod, request: Readonly<Record<string, unknown>>): boolean {
  if (!rpcComment(method).errors.some(({ code }) => code === 'VALIDATION_FAILED')) return true;
  return method.input.fields.every((field) => {
    const value = request[field.localName];
    return value === undefined || rulesOf(field).every((rule) => rule.isKept(value as never, ...rule.groups));
  });
}
