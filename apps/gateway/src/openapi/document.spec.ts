import { beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isErrorCode } from '@reseller/errors';
import { WEBHOOK_EVENT_TYPES } from '@reseller/presenters';
import { z } from 'zod';
import { openApiDocument } from './document';
import { routes } from '../routes';
import { event } from '../routes/events/event.resource';
import { errorsOf } from '../routes/implied-errors';

const document = openApiDocument(routes);
const validator = new Validator();
let validity: unknown;
/** The document with every reference followed. */
let resolved: typeof document;

beforeAll(async () => {
  validity = await validator.validate(JSON.parse(JSON.stringify(document)) as Record<string, unknown>);
  resolved = validator.resolveRefs() as unknown as typeof document;
});

const named = routes.map((route) => [`${route.method} ${route.path}`, route] as const);

interface OperationWithExample {
  requestBody: { content: { 'application/json': { example: unknown } } };
}

/** Whether a schema has the field that a JSON pointer leads to. */
const hasField = (schema: unknown, [field, ...rest]: readonly string[]): boolean =>
  field === undefined || (schema instanceof z.ZodObject && hasField(schema.shape[field], rest));

/** The sets of words that have no name of their own. */
function inlineEnums(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return [];
  const { enum: words } = json as { enum?: unknown };
  const own = Array.isArray(words) ? [words.join('|')] : [];
  return [...own, ...Object.values(json).flatMap(inlineEnums)];
}

/** Every object of the document but those of its examples. */
function schemasOf(json: unknown): Record<string, unknown>[] {
  if (typeof json !== 'object' || json === null) return [];
  const within = Object.entries(json).flatMap(([key, value]) =>
    /^examples?$/.test(key) ? [] : schemasOf(value),
  );
  return Array.isArray(json) ? within : [json as Record<string, unknown>, ...within];
}

describe('the OpenAPI document', () => {
  it('when it is read by a validator, then it is valid OpenAPI 3.1', () => {
    expect(validity).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('when it is read by the rules that Redocly recommends, then they find nothing', () => {
    const linter = path.join(__dirname, '../../../../libs/toolchain/lint-openapi.mjs');
    const { stdout, status } = spawnSync(process.execPath, [linter], {
      input: JSON.stringify(document),
      encoding: 'utf8',
    });
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
  });

  it('when a route takes what is sent, then it declares a body or a file, be it one without fields, so that nothing unknown passes (spec §1.7)', () => {
    const sends = named.filter(([, { method }]) => ['POST', 'PUT', 'PATCH'].includes(method));
    expect(sends.filter(([, { body, file }]) => !body && !file).map(([name]) => name)).toEqual([]);
  });

  it('when a route has a file, then it is in the table', async () => {
    const folder = path.join(__dirname, '..');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.route.ts'),
    );
    for (const file of files)
      for (const route of Object.values((await import(path.join(folder, file))) as Record<string, object>))
        expect([file, routes.some((one) => one.handle === (route as typeof one).handle)]).toEqual([
          file,
          true,
        ]);
  });

  it('when it is read, then it has every route of the table and nothing else', () => {
    const described = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(named.map(([name]) => name).sort());
  });

  it('when code is generated from it, then each operation has a name of its own that a person would choose', () => {
    const ids = Object.values(document.paths ?? {}).flatMap((item) =>
      Object.values(item as Record<string, { operationId: string }>).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(routes.length);
    expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)+$/.test(id))).toEqual([]);
  });

  it('when code is generated from it, then no set of words is named after each of its places', () => {
    const sets = inlineEnums({ paths: document.paths, components: document.components });
    expect(sets.filter((set, index) => sets.indexOf(set) !== index && set !== 'true|false')).toEqual([]);
  });

  it('when a set of words or forms may grow, then the promise to partners names it, and no other', () => {
    const page = readFileSync(path.join(__dirname, '../../../../docs/partners/changelog.md'), 'utf8');
    const promised = [...page.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, sets = '']) =>
      sets.match(/\b[A-Z]\w+/g),
    );
    const marked = Object.entries(document.components?.schemas ?? {}).filter(
      ([, schema]) => 'x-extensible' in schema,
    );
    expect(marked.map(([name]) => name).sort()).toEqual(promised.sort());
  });

  it('when code is generated from it, then calls and webhooks have no tag in common, of which a generator makes one file', () => {
    const tagsOf = (paths: object = {}): Set<string> =>
      new Set(
        Object.values(paths as Record<string, Record<string, { tags: string[] }>>)
          .flatMap((item) => Object.values(item))
          .flatMap(({ tags }) => tags),
      );
    const ofCalls = tagsOf(document.paths);
    expect([...tagsOf(document.webhooks)].filter((tag) => ofCalls.has(tag))).toEqual([]);
  });

  it('when code is generated from it, then numbers are doubles, but for the one of more digits', () => {
    const others = schemasOf(document).filter(
      ({ type, format }) => [type].flat().includes('number') && format !== 'double',
    );
    expect(others).toEqual([expect.objectContaining({ description: expect.stringMatching(/more digits/) })]);
    const doubles = schemasOf(document).filter(({ format }) => format === 'double');
    expect(doubles.filter(({ type }) => [type].flat().includes('integer'))).toEqual([]);
  });

  it('when code is generated from it, then nothing is of the type null alone, at which generators give up', () => {
    expect(JSON.stringify(document).replaceAll(/,\{"type":"null"\}\]/g, ']')).not.toContain('"type":"null"');
  });

  it('when code is generated from it, then each parameter is described at itself, which keeps the type of its schema', () => {
    const parameters = schemasOf(document).filter((json) => 'in' in json && 'schema' in json);
    expect(parameters.length).toBeGreaterThan(100);
    for (const { name, description, schema } of parameters)
      expect([name, description, schema]).toEqual([
        name,
        expect.any(String),
        expect.not.objectContaining({ description: expect.anything() }),
      ]);
  });

  it('when a response links to another operation, then that takes the parameters and the response has the fields', () => {
    const byId = new Map(routes.map((route) => [route.operationId, route]));
    const linked = routes.flatMap(({ operationId, links = {}, response }) =>
      Object.entries(links).map(([to, fields]) => ({
        link: `${operationId} to ${to}`,
        parameters: Object.keys(fields),
        taken: Object.keys(byId.get(to)?.params?.shape ?? {}),
        missing: Object.values(fields).filter((field) => !hasField(response, field.split('/'))),
      })),
    );
    expect(linked.length).toBeGreaterThan(10);
    for (const { parameters, taken, missing, link } of linked)
      expect([link, parameters, missing]).toEqual([link, taken, []]);
  });

  it('when webhooks are described, then each event is there with an example of its form', () => {
    const described = Object.entries(document.webhooks ?? {}) as unknown as [
      string,
      { post: OperationWithExample & { parameters: { name: string; required?: boolean }[] } },
    ][];
    expect(described.map(([name]) => name)).toEqual(WEBHOOK_EVENT_TYPES);
    for (const [name, { post }] of described) {
      const { example } = post.requestBody.content['application/json'];
      expect(event.safeParse(example)).toMatchObject({ success: true, data: { eventType: name } });
      // What test-fire sends would count as real where a client made of the document does not know its mark (spec §10.7).
      const [mark] = post.parameters.filter((header) => header.name === 'X-Service-Test');
      expect(mark).toBeDefined();
      expect(mark?.required).toBeFalsy();
    }
  });

  it.each(named)('when %s is described, then its examples parse by its own schemas', (_name, route) => {
    const { params, query, body, response, examples } = route;
    for (const [schema, example] of [
      [params, examples.params],
      [body, examples.body],
    ] as const) {
      expect(schema === undefined).toBe(example === undefined);
      if (schema) expect(schema.safeParse(example)).toMatchObject({ success: true });
    }
    expect(
      (query ?? undefined) === undefined ? undefined : query?.safeParse(examples.query ?? {}).success,
    ).not.toBe(false);
    expect(response.safeParse(examples.response)).toMatchObject({ success: true });
  });

  it.each(named)(
    'when %s is described, then its path has its parameters and its errors are the catalogue’s',
    (_name, route) => {
      const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(route.params?.shape ?? {})).toEqual(inPath);
      for (const code of errorsOf(route)) expect([code, isErrorCode(code)]).toEqual([code, true]);
      expect(route.description).toMatch(/\S.{20}/);
    },
  );

  it('when only some codes of a status carry Retry-After, then the header is described and not promised', () => {
    const responses = resolved.paths?.['/api/v1/orders/topup']?.post?.responses as Record<
      string,
      { headers: Record<string, { required?: boolean }> }
    >;
    const isPromised = ['409', '429', '503'].map(
      (status) => responses[status]?.headers['Retry-After']?.required === true,
    );
    expect(isPromised).toEqual([false, true, true]);
    expect(Object.keys(responses['409']?.headers ?? {})).toContain('Retry-After');
  });

  it('when a decimal or date of a request is described, then it is what a partner sends', () => {
    const create = resolved.paths?.['/api/v1/orders/topup'];
    expect(create?.post?.requestBody).toMatchObject({
      content: {
        'application/json': {
          schema: {
            properties: { amount: { type: 'number', exclusiveMinimum: 0 }, phoneNumber: { type: 'string' } },
            required: ['externalReference', 'geoScopeGlobalId', 'amount', 'phoneNumber'],
            additionalProperties: false,
          },
        },
      },
    });
    const parameters = create?.get?.parameters as {
      name: string;
      in: string;
      required?: boolean;
      schema: object;
    }[];
    const inQuery = parameters.filter((parameter) => parameter.in === 'query');
    expect(inQuery.map(({ name, schema }) => [name, schema])).toEqual([
      ['page', expect.objectContaining({ type: 'integer', default: 1 })],
      ['pageSize', expect.objectContaining({ type: 'integer', maximum: 100 })],
      ['status', expect.objectContaining({ type: 'string', enum: expect.arrayContaining(['Completed']) })],
      ['fromDate', expect.objectContaining({ type: 'string', format: 'date-time' })],
      ['toDate', expect.objectContaining({ type: 'string', format: 'date-time' })],
    ]);
    expect(parameters.filter(({ required }) => required)).toEqual([]);
  });

  it('when a validator of the partner reads it, then it takes every amount and id that the gateway takes', () => {
    const { post } = resolved.paths?.['/api/v1/orders/topup'] ?? {};
    const body = post?.requestBody as {
      content: { 'application/json': { schema: { properties: { amount: object } } } };
    };
    // 8.2 / 0.01 is no whole number in binary.
    expect(body.content['application/json'].schema.properties.amount).not.toHaveProperty('multipleOf');
    const byId = resolved.paths?.['/api/v1/orders/topup/{orderId}']?.get?.parameters as {
      schema: { pattern: string };
    }[];
    const id = '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10';
    for (const spelt of [id, id.toUpperCase()])
      expect(spelt).toMatch(new RegExp(byId[0]?.schema.pattern ?? ''));
  });

  it('when a list is tried out as the reference fills it in, then nothing filters it', () => {
    const filledIn = Object.values(resolved.paths ?? {}).flatMap((item) => {
      const parameters = (item as { get?: { parameters?: unknown[] } }).get?.parameters ?? [];
      return (parameters as { in: string; name: string; schema: object }[])
        .filter((parameter) => parameter.in === 'query' && 'example' in parameter.schema)
        .map(({ name }) => name);
    });
    expect(new Set(filledIn)).toEqual(new Set(['page', 'pageSize', 'limit', 'wait']));
  });
});
