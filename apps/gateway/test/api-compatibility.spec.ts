import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contractBreaks, contractOf, sentenceOf } from '@reseller/api-compatibility';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openApiDocument } from '../src/openapi/document';
import { routes } from '../src/routes';

type Json = Record<string, unknown>;

const document = JSON.parse(JSON.stringify(openApiDocument(routes))) as Json;
const released = contractOf(document);

/** The object at the end of a way through the document. */
function at(json: Json, ...way: readonly string[]): Json {
  return way.reduce<Json>((object, key) => {
    const next = object[key];
    if (typeof next !== 'object' || next === null) throw new Error(`the document has no ${way.join(' ')}`);
    return next as Json;
  }, json);
}

const schema = (json: Json, name: string): Json => at(json, 'components', 'schemas', name);
const property = (json: Json, name: string, field: string): Json =>
  at(schema(json, name), 'properties', field);
const words = (json: Json, name: string): unknown[] => at(schema(json, name), 'enum') as unknown as unknown[];
const required = (json: Json, name: string): string[] =>
  at(schema(json, name), 'required') as unknown as string[];
const createTopup = (json: Json): Json => at(json, 'paths', '/api/v1/orders/topup', 'post');
const listTopups = (json: Json): Json => at(json, 'paths', '/api/v1/orders/topup', 'get');
const balance = (json: Json): Json => at(json, 'paths', '/api/v1/wallet/balance', 'get');
const parameter = (operation: Json, name: string): Json =>
  (operation['parameters'] as Json[]).find((candidate) => candidate['name'] === name) ?? {};
const codes = (operation: Json, status: string): Json =>
  at(operation, 'responses', status, 'content', 'application/json', 'examples');

const TOPUP = 'CreateTopupOrderRequest';
const WALLET = 'WalletBalance';
const POST_TOPUP = 'POST /api/v1/orders/topup (createTopupOrder)';
const GET_BALANCE = 'GET /api/v1/wallet/balance (getWalletBalance)';

/** Removes an optional or required field with all that is said of it. */
function drop(json: Json, name: string, field: string): void {
  delete at(schema(json, name), 'properties')[field];
  schema(json, name)['required'] = required(json, name).filter((other) => other !== field);
}

/** The sentences on a document that was changed. */
function sentencesOn(edit: (json: Json) => void): string[] {
  const edited = structuredClone(document);
  edit(edited);
  return contractBreaks(released, contractOf(edited)).map(sentenceOf);
}

const BREAKING: readonly (readonly [what: string, edit: (json: Json) => void, sentence: string])[] = [
  [
    'a path is removed',
    (json) => delete at(json, 'paths')['/api/v1/wallet/balance'],
    `${GET_BALANCE}: is not there any more. Keep it.`,
  ],
  [
    'an operation is removed from a path',
    (json) => delete at(json, 'paths', '/api/v1/orders/topup')['post'],
    `${POST_TOPUP}: is not there any more. Keep it.`,
  ],
  [
    'an operation moves',
    (json) => {
      at(json, 'paths')['/api/v1/wallet'] = at(json, 'paths')['/api/v1/wallet/balance'];
      delete at(json, 'paths')['/api/v1/wallet/balance'];
    },
    `${GET_BALANCE}: moved to GET /api/v1/wallet. Keep it where it was as well.`,
  ],
  [
    'a parameter of a path is renamed',
    (json) => {
      at(json, 'paths')['/api/v1/scent/cart/items/{variantId}'] = at(json, 'paths')[
        '/api/v1/scent/cart/items/{id}'
      ];
      delete at(json, 'paths')['/api/v1/scent/cart/items/{id}'];
    },
    'DELETE /api/v1/scent/cart/items/{id} (removeCartItem): names the parameters of its path as in DELETE /api/v1/scent/cart/items/{variantId}. Keep the names, by which generated clients pass them.',
  ],
  [
    'an operationId is renamed',
    (json) => (balance(json)['operationId'] = 'readBalance'),
    `${GET_BALANCE}, operationId: was getWalletBalance and is readBalance. Keep the name, by which generated clients call it.`,
  ],
  [
    'a request field is removed',
    (json) => drop(json, TOPUP, 'sagaId'),
    `${POST_TOPUP}, request body, \`sagaId\`: is not taken any more. Take it still, even where it has no effect.`,
  ],
  [
    'a request field becomes required',
    (json) => required(json, TOPUP).push('sagaId'),
    `${POST_TOPUP}, request body, \`sagaId\`: has to be sent and could be left out. Let it be left out still.`,
  ],
  [
    'a required request field is added',
    (json) => {
      at(schema(json, TOPUP), 'properties')['note'] = { type: 'string' };
      required(json, TOPUP).push('note');
    },
    `${POST_TOPUP}, request body, \`note\`: is new and has to be sent. Let it be left out, and do then what was done before.`,
  ],
  [
    'a word of a request is removed',
    (json) => words(json, 'SandboxFault').pop(),
    'header x-sandbox-fault: does not take "slow" any more. Take it still.',
  ],
  [
    'the maximum of a parameter is lowered',
    (json) => (at(parameter(listTopups(json), 'pageSize'), 'schema')['maximum'] = 50),
    'GET /api/v1/orders/topup (listTopupOrders), query pageSize: had the maximum 100 and has 50. Keep the bound.',
  ],
  [
    'the longest text of a request is shortened',
    (json) => (property(json, TOPUP, 'externalReference')['maxLength'] = 64),
    `${POST_TOPUP}, request body, \`externalReference\`: had the maxLength 128 and has 64. Keep the bound.`,
  ],
  [
    'the minimum of a request is raised',
    (json) => (property(json, TOPUP, 'amount')['minimum'] = 5),
    `${POST_TOPUP}, request body, \`amount\`: had the minimum over 0 and has 5. Keep the bound.`,
  ],
  [
    'a pattern of a request changes',
    (json) => (property(json, TOPUP, 'phoneNumber')['pattern'] = '^00'),
    `${POST_TOPUP}, request body, \`phoneNumber\`: had the pattern "^\\\\+[1-9]\\\\d{6,14}$" and has "^00". Keep the pattern. One that takes and returns the same values may be accepted.`,
  ],
  [
    'the type of a request field changes',
    (json) => (property(json, TOPUP, 'amount')['type'] = 'string'),
    `${POST_TOPUP}, request body, \`amount\`: was of type number and is of type string. Keep the type, and add a field of the new type beside it.`,
  ],
  [
    'a request field may not be null any more',
    (json) =>
      (at(schema(json, TOPUP), 'properties')['sagaId'] = { type: 'string', minLength: 1, maxLength: 128 }),
    `${POST_TOPUP}, request body, \`sagaId\`: may not be null any more. Take null as if it was left out.`,
  ],
  [
    'a filter is removed',
    (json) =>
      (listTopups(json)['parameters'] = (listTopups(json)['parameters'] as Json[]).filter(
        ({ name }) => name !== 'status',
      )),
    'GET /api/v1/orders/topup (listTopupOrders), query status: is not taken any more. Take it still, even where it has no effect.',
  ],
  [
    'a header is newly required',
    (json) => (at(json, 'components', 'parameters', 'IdempotencyKey')['required'] = true),
    'header idempotency-key: has to be sent and could be left out. Let it be left out still.',
  ],
  [
    'a default changes',
    (json) => (at(parameter(listTopups(json), 'pageSize'), 'schema')['default'] = 50),
    'GET /api/v1/orders/topup (listTopupOrders), query pageSize: was 20 when left out and is 50. Keep the default.',
  ],
  [
    'a response field is removed',
    (json) => drop(json, WALLET, 'availableBalance'),
    `${GET_BALANCE}, response 200, \`payload.availableBalance\`: is not there any more. Keep it beside what replaces it.`,
  ],
  [
    'a response field may be null',
    (json) => (property(json, WALLET, 'availableBalance')['type'] = ['number', 'null']),
    `${GET_BALANCE}, response 200, \`payload.availableBalance\`: may be null, and never was. Let it always have a value.`,
  ],
  [
    'a response field may be missing',
    (json) => required(json, WALLET).splice(required(json, WALLET).indexOf('availableBalance'), 1),
    `${GET_BALANCE}, response 200, \`payload.availableBalance\`: may be missing and was always there. Have it always there.`,
  ],
  [
    'the type of a response field changes',
    (json) => (property(json, WALLET, 'availableBalance')['type'] = 'string'),
    `${GET_BALANCE}, response 200, \`payload.availableBalance\`: was of type number and is of type string. Keep the type, and add a field of the new type beside it.`,
  ],
  [
    'a complete set of words grows in a response',
    (json) => words(json, 'CartStatus').push('Paused'),
    '`payload.status`: may be "Paused", in a set of words that was promised to be complete. Say it by the words that there are, or in a new field.',
  ],
  [
    'a complete set of words is opened',
    (json) => (schema(json, 'CartStatus')['x-extensible'] = true),
    '`payload.status`: was promised to be complete and is a set that may grow. Keep the set as it was promised.',
  ],
  [
    'the state of a success changes',
    (json) => (property(json, 'GetWalletBalanceResponse', 'state')['const'] = 'OK'),
    `${GET_BALANCE}, response 200, \`state\`: may be "OK", in a set of words that was promised to be complete. Say it by the words that there are, or in a new field.`,
  ],
  [
    'the form of errors changes',
    (json) => drop(json, 'Error', 'state'),
    '`state`: is not there any more. Keep it beside what replaces it.',
  ],
  [
    'an error code is removed from an operation',
    (json) => delete codes(createTopup(json), '422')['BUSINESS_SPENDING_LIMIT'],
    `${POST_TOPUP}, errors: BUSINESS_SPENDING_LIMIT is not there any more. Keep the code for the case that it stands for.`,
  ],
  [
    'an error code gets another status',
    (json) => {
      delete codes(createTopup(json), '422')['BUSINESS_SPENDING_LIMIT'];
      codes(createTopup(json), '409')['BUSINESS_SPENDING_LIMIT'] = {};
    },
    `${POST_TOPUP}, errors: BUSINESS_SPENDING_LIMIT was status 422 and is 409. Keep the status of the code.`,
  ],
  [
    'an error has a status that the API never had',
    (json) =>
      (at(createTopup(json), 'responses')['402'] = structuredClone(
        at(createTopup(json), 'responses')['422'],
      )),
    `${POST_TOPUP}, errors: status 402 is new to the whole API. Give the new code a status that partners know.`,
  ],
  [
    'the status of a success changes',
    (json) => {
      at(balance(json), 'responses')['201'] = at(balance(json), 'responses')['200'];
      delete at(balance(json), 'responses')['200'];
    },
    `${GET_BALANCE}, success: was status 200 and is 201. Keep the status.`,
  ],
  [
    'a header of a response is removed',
    (json) => delete at(createTopup(json), 'responses', '200', 'headers')['X-Request-Id'],
    `${POST_TOPUP}, response 200 header X-Request-Id: is not there any more. Keep it beside what replaces it.`,
  ],
  [
    'a response has another media type',
    (json) => {
      const content = at(json, 'paths', '/api/v1/statements/{id}/pdf', 'get', 'responses', '200', 'content');
      content['text/html'] = content['application/pdf'];
      delete content['application/pdf'];
    },
    'GET /api/v1/statements/{id}/pdf (getStatementPdf), response 200: is not application/pdf any more. Keep the media type.',
  ],
  [
    'an operation needs a token that needed none',
    (json) => (at(json, 'paths', '/api/v1/auth/token', 'post')['security'] = [{ bearer: [] }]),
    'POST /api/v1/auth/token (createToken), security: was none and is bearer. Take what callers show today.',
  ],
  [
    'the security scheme is another one',
    (json) =>
      (at(json, 'components', 'securitySchemes')['bearer'] = { type: 'apiKey', in: 'header', name: 'X-Key' }),
    'security scheme bearer: is not what it was. Take what callers show today.',
  ],
  [
    'a webhook event is removed',
    (json) => delete at(json, 'webhooks')['order.completed'],
    'webhook order.completed: is not there any more. Keep it.',
  ],
  [
    'a field of events is removed',
    (json) => drop(json, 'OrderData', 'customerRef'),
    '`payload.items[](order.completed).data.customerRef`: is not there any more. Keep it beside what replaces it.',
  ],
  [
    'a field of one event is removed',
    (json) => drop(json, 'OrderReturnRequestUpdatedEvent', 'occurredAt'),
    'and 1 more, response 200, `payload.items[](order.return-request.updated).occurredAt`: is not there any more. Keep it beside what replaces it.',
  ],
  [
    'a header of webhooks is removed',
    (json) => (at(json, 'webhooks', 'order.completed', 'post')['parameters'] as unknown as Json[]).shift(),
    'webhook order.completed, header x-service-signature: is not there any more. Keep it beside what replaces it.',
  ],
];

const ALLOWED: readonly (readonly [what: string, edit: (json: Json) => void])[] = [
  ['nothing changes', () => undefined],
  [
    'an operation is added',
    (json) =>
      (at(json, 'paths')['/api/v1/news'] = structuredClone(at(json, 'paths')['/api/v1/wallet/balance'])),
  ],
  [
    'an optional request field is added',
    (json) => (at(schema(json, TOPUP), 'properties')['note'] = { type: 'string' }),
  ],
  [
    'an optional parameter is added',
    (json) =>
      (balance(json)['parameters'] as unknown as Json[]).push({
        in: 'query',
        name: 'at',
        schema: { type: 'string' },
      }),
  ],
  ['a request field may be left out', (json) => required(json, TOPUP).pop()],
  ['a request takes more', (json) => (property(json, TOPUP, 'externalReference')['maxLength'] = 256)],
  ['a word is added to a request', (json) => words(json, 'SandboxFault').push('garbled')],
  [
    'a response field is added',
    (json) => {
      at(schema(json, WALLET), 'properties')['note'] = { type: ['string', 'null'] };
      required(json, WALLET).push('note');
    },
  ],
  ['a set of words grows that may', (json) => words(json, 'ProductType').push('GiftCard')],
  [
    'an event is added, also to the feed',
    (json) => {
      at(json, 'webhooks')['wallet.low'] = structuredClone(at(json, 'webhooks')['order.completed']);
      words(json, 'WebhookEventType').push('wallet.low');
      const added = structuredClone(schema(json, 'OrderCompletedEvent'));
      at(added, 'properties', 'eventType')['const'] = 'wallet.low';
      at(json, 'components', 'schemas')['WalletLowEvent'] = added;
      (schema(json, 'Event')['oneOf'] as Json[]).push({ $ref: '#/components/schemas/WalletLowEvent' });
    },
  ],
  ['an error code of a status is added', (json) => (codes(createTopup(json), '422')['BUSINESS_CLOSED'] = {})],
  [
    'an operation gets a status that others have',
    (json) =>
      (at(balance(json), 'responses')['422'] = structuredClone(at(createTopup(json), 'responses')['422'])),
  ],
  [
    'a field of events is added',
    (json) => (at(schema(json, 'OrderData'), 'properties')['note'] = { type: 'string' }),
  ],
  [
    'prose, examples and chapters change',
    (json) => {
      Object.assign(balance(json), { summary: 'Other', description: 'Other.', tags: ['Orders'] });
      property(json, TOPUP, 'amount')['example'] = 1;
    },
  ],
];

describe('the check of the API’s compatibility', () => {
  it.each(BREAKING)('when %s, then it says so', (_what, edit, sentence) => {
    const sentences = sentencesOn(edit);
    expect(sentences.join('\n')).toContain(sentence);
  });

  it.each(ALLOWED)('when %s, then it says nothing', (_what, edit) => {
    expect(sentencesOn(edit)).toEqual([]);
  });
});

describe('the command', () => {
  const ROOT = path.join(__dirname, '../../..');
  let folder: string;
  let baseline: string;
  let present: string;
  const check = (...args: string[]): { status: number | null; stdout: string } =>
    spawnSync(process.execPath, ['libs/toolchain/check-api-breaking.mjs', '--against', baseline, ...args], {
      cwd: ROOT,
      encoding: 'utf8',
    });
  // To describe the API anew by the sources is nearly all that the command costs.
  const run = (...args: string[]) => check('--document', present, ...args);

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'reseller-api-'));
    baseline = path.join(folder, 'released.json');
    present = path.join(folder, 'openapi.json');
    writeFileSync(present, JSON.stringify(document));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('when the release is missing, then nothing passes, and when it is written, then the same API passes', () => {
    expect(run().status).toBe(1);
    expect(run('--release').status).toBe(0);
    expect(JSON.parse(readFileSync(baseline, 'utf8'))).toEqual(released);
    expect(check()).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('compatible with the last release'),
    });
  });

  it('when something that was released is gone, then it is named, and a release takes it in so many words', () => {
    const operations = {
      ...released.operations,
      'GET /api/v1/gone': { operationId: 'getGone', responses: {} },
    };
    writeFileSync(baseline, JSON.stringify({ ...released, operations }));
    const { status, stdout } = run();
    expect(status).toBe(1);
    expect(stdout).toContain('GET /api/v1/gone (getGone): is not there any more. Keep it.');
    expect(stdout).toContain('docs/partners/changelog.md');
    expect(run('--release').status).toBe(1);
    expect(run('--release', '--accept-breaks').status).toBe(0);
    expect(JSON.parse(readFileSync(baseline, 'utf8'))).toEqual(released);
  });
});
