import { describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { expectEnvelope, expectFaults, useGateway } from './support/gateway';

const gateway = useGateway();

const topup = {
  externalReference: 'ref-1',
  geoScopeGlobalId: 'GEO-SA',
  amount: 10.1,
  phoneNumber: '+966501234567',
};
const PATH = '/api/v1/orders/topup';

describe('a create’s body (spec §1.7)', () => {
  it.each<[string, string, string[]]>([
    ['nothing at all', '', ['amount', 'externalReference', 'geoScopeGlobalId', 'phoneNumber']],
    ['an empty object', '{}', ['amount', 'externalReference', 'geoScopeGlobalId', 'phoneNumber']],
    ['an unknown field', json({ extra: 1 }), ['extra']],
    ['__proto__', `{"__proto__":{"amount":1},${json({}).slice(1)}`, ['__proto__']],
    ['constructor and toString', json({ constructor: 1, toString: 2 }), ['constructor', 'toString']],
    ['a number as text', json({ amount: '10.10' }), ['amount']],
    ['zero', json({ amount: 0 }), ['amount']],
    ['a negative amount', json({ amount: -1 }), ['amount']],
    ['three decimals', json({ amount: 10.001 }), ['amount']],
    ['an infinite amount', raw('amount', '1e400'), ['amount']],
    ['an amount beyond a double', raw('amount', '10.10000000000000000001'), ['amount']],
    ['an integer beyond a double', raw('amount', '9007199254740993'), ['amount']],
    ['an amount too large', raw('amount', '1e15'), ['amount']],
    ['null for a required field', json({ amount: null }), ['amount']],
    ['a NUL character', raw('externalReference', '"a\\u0000b"'), ['externalReference']],
    ['a lone surrogate', raw('externalReference', '"a\\ud800b"'), ['externalReference']],
    ['a NUL in an unknown place', json({ extra: { deep: ['\u0000'] } }), ['extra']],
    ['a reference too long', json({ externalReference: 'x'.repeat(129) }), ['externalReference']],
    ['an empty reference', json({ externalReference: '' }), ['externalReference']],
    ['a local phone number', json({ phoneNumber: '0501234567' }), ['phoneNumber']],
    ['a partner id that is no uuid', json({ partnerId: 'me' }), ['partnerId']],
    [
      'every fault at once',
      json({ amount: 'x', a: 1, b: 2, phoneNumber: 5 }),
      ['a', 'amount', 'b', 'phoneNumber'],
    ],
  ])('when it is %s, then each fault is named', async (_name, body, faults) => {
    const response = await gateway.post(gateway.token, PATH, body);
    expectFaults(response, faults);
  });

  it.each<[string, string, string]>([
    ['10.1', '10.1', '10.1'],
    ['10.10', '10.10', '10.1'],
    ['1e2', '1e2', '100'],
    ['0.07', '0.07', '0.07'],
    ['9999999999999.99', '9999999999999.99', '9999999999999.99'],
  ])('when the amount is %s, then the service gets it exactly', async (_name, written, passed) => {
    const response = await gateway.post(gateway.token, PATH, raw('amount', written));
    expect(response.status).toBe(200);
    expect(gateway.dependencies.seen.calls.at(-1)?.request).toMatchObject({ amount: passed });
  });

  it('when it has 128 characters outside the basic plane, then they count as 128', async () => {
    const response = await gateway.post(gateway.token, PATH, {
      ...topup,
      externalReference: '😀'.repeat(128),
    });
    expect(response.status).toBe(200);
  });

  it.each([
    ['not JSON', '{"a":', {}, 'VALIDATION_MALFORMED_JSON'],
    ['an array', '[]', {}, 'VALIDATION_MALFORMED_JSON'],
    ['null', 'null', {}, 'VALIDATION_MALFORMED_JSON'],
    ['a number too long for a double', '1e999', {}, 'VALIDATION_MALFORMED_JSON'],
    ['nested without end', '{"a":'.repeat(15_000), {}, 'VALIDATION_MALFORMED_JSON'],
    ['nested very deep', `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, {}, null],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), {}, 'VALIDATION_MALFORMED_JSON'],
    ['over 100 KiB', JSON.stringify({ a: 'x'.repeat(102_400) }), {}, 'VALIDATION_PAYLOAD_TOO_LARGE'],
    [
      'a form',
      'a=1',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'VALIDATION_UNSUPPORTED_MEDIA_TYPE',
    ],
    ['of no type', Buffer.from('{}'), { 'content-type': '' }, 'VALIDATION_UNSUPPORTED_MEDIA_TYPE'],
    [
      'JSON in utf-16',
      '{}',
      { 'content-type': 'application/json; charset=utf-16' },
      'VALIDATION_UNSUPPORTED_MEDIA_TYPE',
    ],
    ['compressed', gzipSync('{}'), { 'content-encoding': 'gzip' }, 'VALIDATION_UNSUPPORTED_MEDIA_TYPE'],
    ['of an unknown encoding', '{}', { 'content-encoding': 'nonsense' }, 'VALIDATION_UNSUPPORTED_MEDIA_TYPE'],
    [
      'JSON with a charset',
      '{}',
      { 'content-type': 'Application/JSON; charset="UTF-8"' },
      'VALIDATION_FAILED',
    ],
  ])('when it is %s, then it is refused as such', async (_name, body, headers, state) => {
    const response = await gateway.sendAs(gateway.token, PATH, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
    expectEnvelope(response);
    if (state) expect(response.body.state).toBe(state);
    // What is compressed or in another charset has the right type already.
    if (state === 'VALIDATION_UNSUPPORTED_MEDIA_TYPE')
      expect(response.body.details?.message).toMatch(/in UTF-8.*uncompressed/);
  });

  it('when an endless chunked body passes 100 KiB, then the response comes before its end', async () => {
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    const head = `POST ${PATH} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${gateway.token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const response = await gateway.raw(head + chunk.repeat(100), 'responded');
    expect(response).toMatch(/^HTTP\/1.1 413 /);
  });

  it('when a body too large goes on in chunks of a byte, then its sender is cut off', async () => {
    const head = `POST ${PATH} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${gateway.token}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    // Far from 4 MiB, and without an end: the connection closes because of what the chunks cost (spec §14.1).
    const ended = gateway.raw(head + '1\r\n \r\n'.repeat(200_000));
    // In order, or by a reset where it is still sending.
    await expect(ended.catch((error: NodeJS.ErrnoException) => error.code)).resolves.toMatch(
      /^HTTP\/1.1 413 |^ECONNRESET$|^EPIPE$|^$/,
    );
  });
});

describe('a list in a body', () => {
  const a = '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10';
  const code = {
    code: 'ABC',
    discountType: 'Percent',
    value: 5,
    isActive: true,
    productScope: 'VariantList',
  };

  it.each<[string, string, object, string[]]>([
    [
      'lines of a quote',
      '/api/v1/scent/price-quote',
      {
        lines: [
          { variantId: a, quantity: 1 },
          { variantId: a.toUpperCase(), quantity: 'x' },
        ],
      },
      ['lines.1.quantity', 'lines.1.variantId'],
    ],
    [
      'lines of a return',
      `/api/v1/scent/orders/${a}/return-request`,
      {
        fulfillmentGroupId: a,
        lines: ['Damaged', 'Bored'].map((reasonCode) => ({ scentOrderLineId: a, quantity: 1, reasonCode })),
      },
      ['lines.1.reasonCode', 'lines.1.scentOrderLineId'],
    ],
    [
      'variants of a code',
      '/api/v1/scent/discount-codes',
      { ...code, scopedVariantIds: [a, 'x', a] },
      ['scopedVariantIds.1', 'scopedVariantIds.2'],
    ],
    [
      'event types',
      '/api/v1/webhooks',
      { url: 'https://example.com', eventTypes: ['order.failed', 'order.failed', 5] },
      ['eventTypes', 'eventTypes.2'],
    ],
  ])(
    'when it repeats one of the %s beside another fault, then both are named',
    async (...[, path, body, faults]) => {
      const response = await gateway.post(gateway.token, path, body);
      expectFaults(response, faults);
    },
  );
});

describe('the body of a change that takes none', () => {
  const PATH_WITHOUT = '/api/v1/webhooks/019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10/rotate-secret';

  it.each([
    ['a field', '{"secret":"mine"}', 'VALIDATION_FAILED'],
    ['no JSON', '{', 'VALIDATION_MALFORMED_JSON'],
  ])('when it holds %s, then it is refused and nothing is changed', async (_name, body, state) => {
    const callsBefore = gateway.dependencies.seen.calls.length;
    const response = await gateway.post(gateway.token, PATH_WITHOUT, body);
    expectEnvelope(response);
    expect(response.body.state).toBe(state);
    expect(gateway.dependencies.seen.calls).toHaveLength(callsBefore);
  });
});

function json(changes: object): string {
  return JSON.stringify({ ...topup, ...changes });
}

function raw(field: keyof typeof topup, value: string): string {
  return JSON.stringify({ ...topup, [field]: '@@' }).replace('"@@"', value);
}
