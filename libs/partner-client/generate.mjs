// Writes src/generated: the types of the partners' API and the table of its operations, out of the gateway's OpenAPI
// document, and test/generated: the document's code samples. They are in no commit: `nx run partner-client:generate`, and whatever needs them, makes them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const here = path.dirname(fileURLToPath(import.meta.url));
const generated = path.join(here, 'src/generated');

// What a POST is, that has neither a reference nor a key: one that changes something each time must not be repeated, one that reads may
// be, and so may one of which another does no harm.
const ONCE = [
  'shipGroup',
  'deliverGroup',
  'cancelGroup',
  'approveReturn',
  'declineReturn',
  'resolveOrder',
  'reverseOrder',
  'createStatement',
  'expirePriceLock',
];
const HARMLESS = [
  'createToken',
  'checkDiscountCode',
  'quotePrice',
  'diagnoseWebhook',
  'createReconciliation',
];

const document = JSON.parse(
  readFileSync(path.join(here, '../../apps/gateway/src/generated/openapi.json'), 'utf8'),
);

const follow = (schema) =>
  schema?.$ref
    ? schema.$ref
        .slice(2)
        .split('/')
        .reduce((node, key) => node[key], document)
    : schema;

/** Whether a schema takes numbers that need not be whole. */
const isDecimal = ({ type }) => [type].flat().includes('number');
const isWhole = ({ type }) => [type].flat().includes('integer');

const NUMBER = ts.factory.createTypeReferenceNode('Decimal');
const NULL = ts.factory.createLiteralTypeNode(ts.factory.createNull());

/** A decimal is a type of its own: number or text, as the client's user chooses. */
function transform(schema) {
  if (schema.enum || !isDecimal(schema)) return undefined;
  return [schema.type].flat().includes('null') ? ts.factory.createUnionTypeNode([NUMBER, NULL]) : NUMBER;
}

/** Calls `visit` with each property of a schema, its name and the property that it is in. */
function eachProperty(schema, visit, parent, seen = new Set()) {
  const target = follow(schema);
  if (typeof target !== 'object' || target === null || seen.has(target)) return;
  const inside = new Set(seen).add(target);
  for (const [name, property] of Object.entries(target.properties ?? {})) {
    visit(name, follow(property), parent);
    eachProperty(property, visit, name, inside);
  }
  for (const part of [...(target.anyOf ?? []), ...(target.oneOf ?? []), ...(target.allOf ?? [])]) {
    if (parent && !part.properties) visit(parent, follow(part));
    eachProperty(part, visit, parent, inside);
  }
  eachProperty(target.items, visit, parent, inside);
}

const operations = Object.entries(document.paths).flatMap(([template, item]) =>
  Object.entries(item).map(([method, operation]) => ({ template, method, operation })),
);

/** The fields of responses that hold whole numbers; as `parent.field` where the same name holds decimals elsewhere. */
function wholeFields() {
  const uses = [];
  for (const { operation } of operations) {
    const { schema } = successOf(operation).content?.['application/json'] ?? {};
    eachProperty(schema, (name, property, parent) => {
      if (isDecimal(property) || isWhole(property)) uses.push({ name, parent, whole: isWhole(property) });
    });
  }
  const decimals = new Set(uses.filter(({ whole }) => !whole).map(({ name }) => name));
  const names = uses
    .filter(({ whole }) => whole)
    .map(({ name, parent }) => (decimals.has(name) ? `${parent}.${name}` : name));
  const clash = uses.find(({ name, parent, whole }) => !whole && names.includes(`${parent}.${name}`));
  if (clash)
    throw new Error(`${clash.parent}.${clash.name} is a decimal in one response and a count in another`);
  return [...new Set(names)].sort();
}

function successOf({ responses }) {
  return responses['200'] ?? responses['201'];
}

/** How a call is repeated when nobody knows whether it was done. */
function repeatOf(method, { operationId, parameters = [], requestBody }) {
  if (parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'))) return 'with-key';
  const body = follow(requestBody?.content?.['application/json']?.schema);
  if (method !== 'post' || HARMLESS.includes(operationId) || body?.required?.includes('externalReference'))
    return 'always';
  if (ONCE.includes(operationId)) return 'never';
  throw new Error(
    `may ${operationId} be repeated? Say so in libs/partner-client/generate.mjs, in ONCE or HARMLESS`,
  );
}

/** The field of a list's items by which they differ: where a list has none, what it holds does not change. */
function keyOf(operation) {
  const { payload } = follow(successOf(operation).content['application/json'].schema).properties;
  const pages = [follow(payload), ...(follow(payload).anyOf ?? []).map(follow)];
  const item = follow(pages.find(({ properties }) => properties?.items)?.properties.items.items);
  const names = Object.keys(item.properties).filter((name) => typeof item.properties[name].type === 'string');
  const key = names.includes('id') ? 'id' : names.find((name) => /^[a-z]+(Global)?Id$/.test(name));
  return key && { key };
}

function rowOf({ template, method, operation }) {
  const { operationId, parameters = [], requestBody } = operation;
  const inQuery = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const inPath = [...template.matchAll(/\{(.+?)\}/g)].map(([, name]) => name);
  const media = Object.keys(requestBody?.content ?? {});
  const body = follow(requestBody?.content?.['application/json']?.schema)?.properties ?? {};
  const inBody = Object.keys(body);
  const decimals = inBody.filter((name) => [body[name], ...(body[name].anyOf ?? [])].some(isDecimal));
  const twice = [...inQuery, ...inPath].find((name) => inBody.includes(name));
  if (twice)
    throw new Error(`${operationId} has ${twice} both in its body and in its address: one input cannot`);
  return {
    method: method.toUpperCase(),
    path: template,
    ...(inQuery.length > 0 && { query: inQuery }),
    ...(media.includes('text/csv') && { csv: true }),
    ...(inBody.length > 0 && { body: true }),
    ...(decimals.length > 0 && { decimals }),
    ...(repeatOf(method, operation) !== 'always' && { repeat: repeatOf(method, operation) }),
    ...(successOf(operation).content['application/pdf'] && { file: true }),
    ...(inQuery.includes('page') && { list: true, ...keyOf(operation) }),
  };
}

const ids = operations.map(({ operation }) => operation.operationId);
const unknown = [...ONCE, ...HARMLESS].find((id) => !ids.includes(id));
if (unknown)
  throw new Error(
    `${unknown} is no operation: correct ONCE and HARMLESS in libs/partner-client/generate.mjs`,
  );

/** Whose set of words a text in an error's details is of: an example shows one of them. */
const SETS = { BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE: { reason: 'DiscountRefusal' } };

const unionOf = (set) => document.components.schemas[set].enum.map((word) => `'${word}'`).join(' | ');

const typeOfValue = (value) =>
  Array.isArray(value)
    ? `${typeOfValue(value[0])}[]`
    : typeof value === 'object'
      ? `{ ${Object.entries(value)
          .map(([name, part]) => `${name}: ${typeOfValue(part)}`)
          .join('; ')} }`
      : typeof value;

/** What an error's details hold besides what all have, out of the document's example of each. */
const details = Object.entries(document.components.examples).map(([state, { summary, value }]) => {
  const more = Object.fromEntries(
    Object.entries(value.details).filter(([name]) => name !== 'message' && name !== 'requestId'),
  );
  const parts = Object.entries(more).map(([name, part]) => {
    const set = SETS[state]?.[name];
    return `${name}: ${set ? unionOf(set) : typeOfValue(part)}`;
  });
  return `  /** ${summary} */\n  ${state}: ${parts.length > 0 ? `{ ${parts.join('; ')} }` : 'object'};`;
});

/** What the types need of the document: errors have types of their own, and examples are in the reference. */
const forTypes = JSON.parse(
  JSON.stringify(document, (key, value) => (key === 'example' || key === 'examples' ? undefined : value)),
);
for (const item of Object.values(forTypes.paths))
  for (const operation of Object.values(item))
    for (const status of Object.keys(operation.responses))
      if (Number(status) >= 300) delete operation.responses[status];
delete forTypes.components.responses;

const types = await openapiTS(forTypes, {
  transform,
  inject: "import type { Decimal } from '../decimals.ts';\n",
});
const rows = operations
  .filter(({ operation }) => operation.operationId !== 'createToken')
  .map((found) => `  ${found.operation.operationId}: ${JSON.stringify(rowOf(found))},`);

const commentOf = ({ summary, description }) =>
  `  /**\n${`${summary}.\n\n${description ?? ''}`
    .trim()
    .replaceAll('*/', '*\\/')
    .split('\n')
    .map((line) => `   * ${line}`.trimEnd())
    .join('\n')}\n   */`;
const methods = operations
  .filter(({ operation }) => operation.operationId !== 'createToken')
  .map(
    ({ operation }) =>
      `${commentOf(operation)}\n  ${operation.operationId}: Operation<'${operation.operationId}', Form>;`,
  );

/** Each sample of the reference as code, so that the type check holds them all to what the methods take. */
const samples = operations.flatMap(({ operation }) =>
  (operation['x-codeSamples'] ?? []).map(
    ({ source }) => `export async function ${operation.operationId}() {\n${source}\nreturn result;\n}`,
  ),
);
const samplesFolder = path.join(here, 'test/generated');
mkdirSync(samplesFolder, { recursive: true });
writeFileSync(
  path.join(samplesFolder, 'code-samples.ts'),
  `// Made by generate.mjs.\nimport type { ResellerClient } from '../../src/index.ts';\n\ndeclare const reseller: ResellerClient;\n\n${samples.join('\n\n')}\n`,
);

mkdirSync(generated, { recursive: true });
/** Writes one file of src/generated. */
const write = (name, text) => writeFileSync(path.join(generated, name), `// Made by generate.mjs.\n${text}`);

write(
  'api.ts',
  astToString(types).replace(/^( {4})+/gm, (indent) => ' '.repeat(indent.length / 4)),
);
write(
  'errors.ts',
  `/** Every state of an error, with what its details hold besides message and requestId. */
export interface ErrorDetails {
${details.join('\n')}
}
`,
);
write(
  'methods.ts',
  `import type { Operation } from '../operation.ts';
import type { DecimalForm } from '../decimals.ts';

/** The API's operations, each a method named after its operationId. */
export interface Methods<Form extends DecimalForm> {
${methods.join('\n')}
}
`,
);
write(
  'operations.ts',
  `/** Every operation but createToken, by its operationId: how to call it. */
export const OPERATIONS = {
${rows.join('\n')}
} as const;

/** The fields of responses that hold counts; every other number is a decimal. */
export const WHOLE_FIELDS: readonly string[] = ${JSON.stringify(wholeFields())};
`,
);
