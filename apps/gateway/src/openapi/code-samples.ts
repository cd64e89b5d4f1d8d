import type { NamedRoute } from '../routes/route';

/** What one call is shown with beside the samples that the reference makes itself. */
interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

const isPlainName = (name: string): boolean => /^[a-zA-Z_$][\w$]*$/.test(name);

/** A value as somebody would write it in TypeScript. */
function literal(value: unknown, indent: string): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(
        ([name, part]) => `${isPlainName(name) ? name : literal(name, '')}: ${literal(part, inner)}`,
      );
  if (parts.length === 0) return Array.isArray(value) ? '[]' : '{}';
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

/** The values of a query, which are text in its example, as the client takes them. */
const asValues = (query: object = {}): object =>
  Object.fromEntries(
    Object.entries(query).map(([name, text]: [string, unknown]) => [
      name,
      typeof text === 'string' && /^(true|false|\d+)$/.test(text) ? (JSON.parse(text) as unknown) : text,
    ]),
  );

/** An operation as the client that partners install calls it (docs/partners/client.md), with the values of its examples. */
export function codeSamplesOf({ operationId, access, examples, file }: NamedRoute): CodeSample[] {
  // The client fetches tokens by itself.
  if (access === 'anonymous') return [];
  const { params, query, body } = examples as Partial<Record<'params' | 'query' | 'body', object>>;
  const input = { ...params, ...asValues(query), ...body, ...(file && { csv: examples.file }) };
  const argument = Object.keys(input).length > 0 ? literal(input, '') : '';
  const source = `const result = await reseller.${operationId}(${argument});`;
  return [{ lang: 'TypeScript', label: '@reseller/client', source }];
}
