import { describe, expect, it } from '@jest/globals';
import { expectFaults, type GatewayResponse, TestGateway, useGateway } from './support/gateway';
import { someStatement } from './support/samples';

const LIMIT = 7;
const order = {
  externalReference: 'r',
  geoScopeGlobalId: 'GEO-SA',
  amount: 1,
  phoneNumber: '+966501234567',
};

const gateway = useGateway();

const send = (fault: string, init: RequestInit = {}, path = '/api/v1/orders/topup', as = gateway.token) =>
  gateway.sendAs(as, path, { ...init, headers: { ...init.headers, 'x-sandbox-fault': fault } });
const create = (fault: string, body: unknown = order) =>
  send(fault, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
const outcome = ({ status, body, headers }: GatewayResponse) => [
  status,
  body.state,
  headers.get('retry-after'),
];
const calls = () => gateway.dependencies.seen.calls.map(({ method }) => method);

describe('a rehearsed fault (spec §15.2)', () => {
  it.each([
    ['unavailable', 503, 'SERVICE_UNAVAILABLE', []],
    ['rate-limited', 429, 'RATE_LIMITED', []],
    ['unavailable-after', 503, 'SERVICE_UNAVAILABLE', ['createTopupOrder']],
  ])(
    'when it is %s, then it is %i %s with Retry-After 1 and calls %j',
    async (fault, status, state, seen) => {
      expect(outcome(await create(fault))).toEqual([status, state, '1']);
      expect(calls()).toEqual(seen);
    },
  );

  it('when the response is dropped, then the work is done and not a byte comes back', async () => {
    const body = JSON.stringify(order);
    const head = `POST /api/v1/orders/topup HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nX-Sandbox-Fault: drop-response\r\n\r\n`;
    expect(await gateway.raw(head + body)).toBe('');
    expect(calls()).toEqual(['createTopupOrder']);
  });

  it('when the request is wrong, then a fault before it wins and one after it meets its error too', async () => {
    expect(outcome(await create('rate-limited', {}))).toEqual([429, 'RATE_LIMITED', '1']);
    expect(outcome(await create('unavailable-after', {}))).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
    expect(calls()).toEqual([]);
  });

  it.each(['', 'none', 'Slow', 'slow, unavailable'])(
    'when it is "%s", then it is a fault of the header',
    async (fault) => {
      expectFaults(await create(fault), ['X-Sandbox-Fault']);
      expectFaults(await send(fault, {}, '/api/v1/wallet/balance'), ['X-Sandbox-Fault']);
    },
  );

  it('when a streamed document meets one, then it gets the fault and no byte of the document', async () => {
    const path = `/api/v1/statements/${someStatement().id}`;
    expect(outcome(await send('unavailable-after', {}, path))).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
    await expect(send('drop-response', {}, path)).rejects.toThrow();
  });

  it('when the token is live or there is none, then the header is ignored', async () => {
    const live = await gateway.signer.sign({ env: 'live' });
    expect((await send('unavailable', {}, '/api/v1/orders', live)).status).toBe(200);
    expect((await send('none', {}, '/api/v1/orders', 'no-token')).status).toBe(401);
  });

  it('when the permits are used up, then the limit comes before the fault, and each fault has used one', async () => {
    const limited = await TestGateway.start({ RATE_LIMIT_DEFAULT: String(LIMIT) });
    const bearer = await limited.signer.sign();
    const codes = [];
    for (let count = 0; count <= LIMIT; count += 1) {
      const headers = { 'x-sandbox-fault': 'unavailable' };
      codes.push((await limited.sendAs(bearer, '/api/v1/orders', { headers })).status);
    }
    expect(codes).toEqual([...Array<number>(LIMIT).fill(503), 429]);
    await limited.stop();
  });

  it('when it is slow, then the response is whole after 5 s, and no route is measured by any of them', async () => {
    const startedAt = performance.now();
    const response = await send('slow', {}, `/api/v1/statements/${someStatement().id}`);
    expect([response.status, response.body.state]).toEqual([200, 'SUCCESS']);
    expect(performance.now() - startedAt).toBeGreaterThan(4_990);
    const { text } = await gateway.send('/metrics');
    const counted = text
      .split('\n')
      .filter((line) => /^http_request_(errors|duration).*_total|_count/.test(line));
    const measured = counted.filter((line) => /route="\/api.*(statements|status="(429|503))/.test(line));
    expect(measured).toEqual([]);
    expect(counted.join('\n')).toContain('route="sandbox-fault",status="503"');
  });
});
