import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { routes } from '../src/routes';
import { expectEnvelope, useGateway } from './support/gateway';

const gateway = useGateway();

const PATH = '/api/v1/orders/topup';

describe('bytes that are hardly HTTP', () => {
  const close = 'Connection: close\r\n\r\n';
  it.each<[string, string, RegExp]>([
    ['garbage', 'hello\r\n\r\n', /^HTTP\/1.1 400 /],
    ['a header block over 16 KiB', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, /^HTTP\/1.1 400 /],
    [
      'two lengths',
      `POST ${PATH} HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`,
      /^HTTP\/1.1 400 /,
    ],
    ['no host', `GET /api/v1/none HTTP/1.1\r\n${close}`, /^HTTP\/1.1 404 /],
    ['HTTP/1.0', 'GET /api/v1/none HTTP/1.0\r\n\r\n', /^HTTP\/1.1 404 /],
    ['an absolute target', `GET http://other/healthz HTTP/1.1\r\nHost: a\r\n${close}`, /^HTTP\/1.1 200 /],
    ['an asterisk', `OPTIONS * HTTP/1.1\r\nHost: a\r\n${close}`, /^HTTP\/1.1 404 /],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', /^HTTP\/1.1 405 /],
    [
      'an upgrade',
      `GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
      /^HTTP\/1.1 200 /,
    ],
    [
      'an unknown expectation',
      `GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n${close}`,
      /^HTTP\/1.1 200 /,
    ],
  ])('when %s arrives, then it gets an envelope with a request id', async (_name, bytes, start) => {
    const response = await gateway.raw(bytes);
    expect(response).toMatch(start);
    expect(response).toMatch(/\r\nX-Request-Id: [\w.-]+\r\n/i);
    expect(JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4))).toHaveProperty('state');
  });
});

describe('any input at all', () => {
  const anyJson = fc.jsonValue({ maxDepth: 3 });
  const patterns = [...routes.map(({ path }) => path), '/docs/{x}', '/{x}', '/readyz'];
  const segment = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('%', '%00', '..', '*', ''),
  );
  const target = fc
    .tuple(
      fc.constantFrom(...patterns),
      fc.array(segment, { minLength: 2, maxLength: 2 }),
      fc.webQueryParameters(),
    )
    .map(([pattern, parts, query]) => {
      let next = 0;
      const path = pattern.replaceAll(/\{\w+\}/g, () => encodeLoosely(parts[next++ % 2] ?? ''));
      return `${path}?${query}`;
    });
  const bodies = fc.oneof(
    anyJson.map((value) => JSON.stringify(value)),
    fc
      .record({ externalReference: anyJson, amount: anyJson, phoneNumber: anyJson, partnerId: anyJson })
      .map((v) => JSON.stringify(v)),
    fc.string({ unit: 'binary' }),
    fc.constant(undefined),
  );
  const types = fc.constantFrom(
    'application/json',
    'text/plain',
    'application/json; charset=x',
    ';',
    undefined,
  );

  it('when it is sent, then its response is below 500, in an envelope, with a request id', async () => {
    await fc.assert(
      fc.asyncProperty(
        target,
        fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
        bodies,
        types,
        fc.boolean(),
        async (path, method, body, type, isAuthorized) => {
          const hasBody = method !== 'GET' && method !== 'HEAD';
          const response = await gateway.send(path, {
            method,
            ...(hasBody && body !== undefined ? { body: Buffer.from(body) } : {}),
            headers: {
              ...(type ? { 'content-type': type } : {}),
              ...(isAuthorized ? { authorization: `Bearer ${gateway.token}` } : {}),
            },
          });
          expect(response.status).toBeLessThan(500);
          expect(response.headers.get('x-request-id')).toMatch(/\S/);
          if (response.status >= 400 && method !== 'HEAD') expectEnvelope(response);
        },
      ),
      { numRuns: 600 },
    );
  });
});

/** Mostly well encoded, now and then with what a careless client leaves in. */
function encodeLoosely(text: string): string {
  if (text.startsWith('%') || text === '*') return text;
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '?'));
}
