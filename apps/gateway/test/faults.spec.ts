import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server, type Socket } from 'node:net';
import { TestGateway, type GatewayResponse } from './support/gateway';
import { someTopupOrder } from './support/samples';

let gateway: TestGateway;
let silent: Server;
const sockets = new Set<Socket>();

const outcome = ({ status, body }: GatewayResponse) => [status, body.state];

beforeAll(async () => {
  // A dependency that takes connections and never says a word.
  silent = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  gateway = await TestGateway.start({ FINANCE_ADDRESS: `127.0.0.1:${port}` }, false);
});
afterAll(async () => {
  await gateway.stop();
  silent.close();
  for (const socket of sockets) socket.destroy();
});

describe('a dependency that fails', () => {
  it('when one is silent and another is gone, then each gets 503 with Retry-After and the third goes on', async () => {
    const waiting = gateway.sendAs(gateway.token, '/api/v1/wallet/balance');
    const served = await untilServed(() => gateway.sendAs(gateway.token, '/api/v1/orders'));
    expect(outcome(served)).toEqual([200, 'SUCCESS']);
    const response = await waiting;
    expect(outcome(response)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    await gateway.dependencies.servers.ordersSaga.stop();
    expect(outcome(await gateway.sendAs(gateway.token, '/api/v1/orders'))).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
    ]);
    expect((await gateway.send('/healthz')).status).toBe(200);
  });
});

describe('a caller that goes away', () => {
  it('when it leaves before the responses, then its read is given up and its change goes on', async () => {
    const other = await TestGateway.start();
    const bearer = await other.signer.sign();
    const { wallets, topups } = other.dependencies;
    const read = hold();
    const change = hold();
    wallets.getBalance = (_request, call) =>
      new Promise((_resolve, reject) => {
        call.signal?.addEventListener('abort', () => {
          read.leave();
          reject(new Error('given up'));
        });
        read.arrive();
      });
    let isChangeCancelled: boolean | undefined;
    topups.createTopupOrder = async (_request, call) => {
      change.arrive();
      await change.left;
      isChangeCancelled = call.signal?.aborted;
      return { order: someTopupOrder() };
    };
    const leaving = new AbortController();
    const { signal } = leaving;
    const body = JSON.stringify({
      externalReference: 'r',
      geoScopeGlobalId: 'g',
      amount: 1,
      phoneNumber: '+966501234567',
    });
    const headers = { 'content-type': 'application/json' };
    const sent = [
      other.sendAs(bearer, '/api/v1/orders/topup', { method: 'POST', body, headers, signal }),
      other.sendAs(bearer, '/api/v1/wallet/balance', { signal }),
    ];
    const outcomes = Promise.allSettled(sent);
    await Promise.all([read.arrived, change.arrived]);
    leaving.abort();
    await Promise.all([outcomes, read.left]);
    // The gateway has noticed; what it had to say about the change goes before this call on the same channel.
    await other.sendAs(bearer, '/api/v1/orders/topup');
    change.leave();
    await other.sendAs(bearer, '/api/v1/orders/topup');
    expect(isChangeCancelled).toBe(false);
    await other.stop();
  });
});

describe('a gateway that is stopped', () => {
  it('when a change takes longer than the grace period, then its caller gets a response that says to try again', async () => {
    const stopped = await TestGateway.start();
    const bearer = await stopped.signer.sign();
    const change = hold();
    stopped.dependencies.topups.createTopupOrder = async () => {
      change.arrive();
      await change.left;
      return { order: someTopupOrder() };
    };
    const response = stopped.sendAs(bearer, '/api/v1/orders/topup', {
      method: 'POST',
      body: JSON.stringify({
        externalReference: 'r',
        geoScopeGlobalId: 'g',
        amount: 1,
        phoneNumber: '+966501234567',
      }),
      headers: { 'content-type': 'application/json', 'x-request-id': 'mine' },
    });
    await change.arrived;
    const stop = stopped.stop();
    const { status, body, headers } = await response;
    expect([status, body.state, body.details.requestId]).toEqual([503, 'SERVICE_UNAVAILABLE', 'mine']);
    expect(headers.get('connection')).toBe('close');
    change.leave();
    await stop;
  });
});

/** Two moments of a call that a test waits for or decides. */
function hold() {
  let arrive = (): void => undefined;
  let leave = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const left = new Promise<void>((resolve) => (leave = resolve));
  return { arrived, left, arrive: () => arrive(), leave: () => leave() };
}

describe('the caller’s address', () => {
  it('when a proxy is trusted, then the address it forwards is limited, and a stranger’s header is not believed', async () => {
    const trusting = await TestGateway.start({ TRUST_PROXY: 'loopback', RATE_LIMIT_DEFAULT: '1' });
    const doubting = await TestGateway.start({ TRUST_PROXY: '10.0.0.0/8', RATE_LIMIT_DEFAULT: '1' });
    const statuses = async (to: TestGateway, addresses: string[]) => {
      const seen = [];
      for (const address of addresses) {
        seen.push((await to.send('/api/v1/none', { headers: { 'x-forwarded-for': address } })).status);
      }
      return seen;
    };
    expect(await statuses(trusting, ['1.2.3.4', '5.6.7.8', '1.2.3.4', 'not an address'])).toEqual([
      404, 404, 429, 404,
    ]);
    expect(await statuses(doubting, ['1.2.3.4', '5.6.7.8'])).toEqual([404, 429]);
    await Promise.all([trusting.stop(), doubting.stop()]);
  });
});

describe('the request id', () => {
  it.each([
    ['my-id_1.2', true],
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
    ['a b', false],
    ['a/b', false],
  ])('when the caller sends "%s", then it is kept: %s', async (id, isKept) => {
    for (const path of [
      '/api/v1/none',
      '/healthz',
      '/docs',
      '/docs/reference/scalar.js',
      '/api/v1/wallet/balance',
    ]) {
      const { headers } = await gateway.send(path, { headers: { 'x-request-id': id } });
      expect(headers.get('x-request-id') === id).toBe(isKept);
      expect(headers.get('x-request-id')).toMatch(/^[\w.-]{1,128}$/);
    }
  });
});

describe('the pages', () => {
  it('when metrics are read, then requests are counted by route pattern and made-up methods are not labels', async () => {
    await untilServed(() => gateway.sendAs(gateway.token, '/api/v1/orders/topup/not-a-uuid'));
    await gateway.raw('PROPFIND /api/v1/none HTTP/1.1\r\nConnection: close\r\n\r\n');
    const { text } = await gateway.send('/metrics');
    const counted = text.split('\n').filter((line) => line.startsWith('http_request_duration_seconds_count'));
    expect(counted).toEqual(
      expect.arrayContaining([
        expect.stringContaining('method="GET",route="/api/v1/orders/topup/{orderId}",status="400"'),
        expect.stringContaining('method="other",route="none",status="404"'),
      ]),
    );
    expect(text).toContain('gateway_rate_limiter_degraded');
    expect(text).not.toContain('PROPFIND');
  });

  it('when the reference is opened, then all it needs comes from here under a policy that allows it', async () => {
    const page = await gateway.send('/docs/reference');
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(assets).toHaveLength(5);
    for (const asset of assets) {
      const { status, headers } = await gateway.send(asset);
      expect([asset, status, headers.get('x-content-type-options')]).toEqual([asset, 200, 'nosniff']);
    }
    expect(page.text).not.toMatch(/https?:\/\/|<style|<script>|javascript:/);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none';script-src 'self';");
    const [, nonce = ''] = /style-src 'self' 'nonce-([^']+)'/.exec(policy) ?? [];
    expect(page.text).toContain(`content="${nonce}"`);
    expect((await gateway.send('/docs/reference')).text).not.toContain(nonce);
    expect((await gateway.send('/docs/reference/start.js')).text).toContain('/api/v1/openapi.json');
    const moved = await gateway.send('/docs/reference/', { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([302, '/docs/reference']);
  });

  it('when anything is returned, then no header says what it runs on and nothing of the API is cached', async () => {
    const { headers } = await gateway.sendAs(gateway.token, '/api/v1/none');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('etag')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

async function untilServed(send: () => Promise<GatewayResponse>): Promise<GatewayResponse> {
  const giveUpAt = Date.now() + 5_000;
  for (;;) {
    const response = await send();
    if (response.status !== 503 || Date.now() > giveUpAt) return response;
  }
}
