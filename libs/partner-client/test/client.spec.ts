import { describe, expect, it, jest } from '@jest/globals';
import {
  createResellerClient,
  isResellerError,
  ResellerConnectionError,
  type ClientOptions,
} from '../src/index.ts';
import { clientOf, completed, unavailable } from './client-of';
import { hangsUp, refuses, responds, scriptedApi, staysSilent, type Scripted } from './scripted-api';

const order = {
  externalReference: 'r-1',
  geoScopeGlobalId: 'GEO-SA',
  amount: '25.50',
  phoneNumber: '+966501234567',
};

describe('a call', () => {
  it('when the connection ends and then the service is away, then the same request goes out again until there is a response', async () => {
    const { client, api, attempts } = await clientOf([hangsUp, unavailable, completed]);
    await expect(client.createTopupOrder(order)).resolves.toEqual({ status: 'Completed' });
    expect(new Set(api.calls.map(({ body, headers }) => `${headers['x-request-id']} ${body}`)).size).toBe(1);
    expect(JSON.parse(api.calls[0]?.body ?? '')).toEqual({ ...order, amount: 25.5 });
    expect(attempts.map(({ operation, attempt, status }) => [operation, attempt, status])).toEqual([
      ['createToken', 1, 200],
      ['createTopupOrder', 1, undefined],
      ['createTopupOrder', 2, 503],
      ['createTopupOrder', 3, 200],
    ]);
  });

  it('when a create has no reference, then every attempt carries the same key, and another call another one', async () => {
    const added = responds(200, 'SUCCESS', { lines: [] });
    const { client, api } = await clientOf([hangsUp, added, added]);
    await client.addCartItem({ customerRef: 'c 1', variantId: 'v', quantity: 2 });
    await client.addCartItem({ customerRef: 'c 1', variantId: 'v', quantity: 2 });
    const keys = api.calls.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([expect.any(String), keys[0], expect.any(String)]);
    expect(keys[2]).not.toBe(keys[0]);
    expect([api.calls[0]?.url, api.calls[0]?.body]).toEqual([
      '/api/v1/scent/cart/items?customerRef=c%201',
      '{"variantId":"v","quantity":2}',
    ]);
  });

  it('when it must not be done twice, then a lost response is an error, and a refusal for its rate is not', async () => {
    const { client, api } = await clientOf([
      refuses(429, 'RATE_LIMITED', {}, { 'Retry-After': '0' }),
      hangsUp,
    ]);
    await expect(client.deliverGroup({ id: 'g' })).rejects.toThrow(ResellerConnectionError);
    expect(api.calls).toHaveLength(2);
  });

  it('when a reconciliation gets no response, then it is made again, which does no harm (spec §1.11)', async () => {
    const made = responds(200, 'SUCCESS', { reconciliationId: 'r' });
    const { client, api } = await clientOf([hangsUp, unavailable, made]);
    const period = { fromDate: '2026-01-01T00:00:00Z', toDate: '2026-02-01T00:00:00Z' };
    const file = 'externalReference,amount,status\n';
    await client.createReconciliation({ productType: 'Topup', ...period, csv: file });
    expect(api.calls.map(({ body }) => body)).toEqual([file, file, file]);
  });

  it('when the API refuses, then the error has its state, details, status and request id, and nothing is sent again', async () => {
    const { client, api } = await clientOf([refuses(422, 'BUSINESS_SPENDING_LIMIT', { limit: 100 })]);
    const error: unknown = await client.createTopupOrder(order).catch((thrown: unknown) => thrown);
    if (!isResellerError(error, 'BUSINESS_SPENDING_LIMIT')) throw error;
    expect([error.status, error.details.limit, error.requestId, error.operation, error.attempts]).toEqual([
      422,
      100,
      'theirs',
      'createTopupOrder',
      1,
    ]);
    expect([isResellerError(error), isResellerError(error, 'RATE_LIMITED'), api.calls.length]).toEqual([
      true,
      false,
      1,
    ]);
  });

  it('when a diagnosis takes all of its 35 s, then it is not given up and begun anew', async () => {
    jest.useFakeTimers();
    try {
      const sent: AbortSignal[] = [];
      const fetch: typeof globalThis.fetch = async (request) => {
        sent.push((request as Request).signal);
        await new Promise((resolve) => setTimeout(resolve, 35_000));
        return Response.json({ state: 'SUCCESS', payload: { grade: 'Pass' } });
      };
      const client = createResellerClient({ baseUrl: 'http://127.0.0.1', token: () => 'token', fetch });
      const diagnosing = client.diagnoseWebhook({ id: 'w' });
      await jest.advanceTimersByTimeAsync(35_000);
      expect(sent.map(({ aborted }) => aborted)).toEqual([false]);
      await expect(diagnosing).resolves.toEqual({ grade: 'Pass' });
    } finally {
      jest.useRealTimers();
    }
  });

  it('when a call says how long an attempt may take, then that is its time', async () => {
    const { client, api } = await clientOf([staysSilent, completed], { attemptTimeoutMs: 60_000 });
    await client.getWalletBalance({}, { attemptTimeoutMs: 50 });
    expect(api.calls).toHaveLength(2);
  });

  it('when there is no response in time, then it ends and says with what the call is safe to repeat', async () => {
    const { client } = await clientOf([staysSilent, staysSilent, staysSilent]);
    const calling = client.addCartItem(
      { variantId: 'v', quantity: 1 },
      { timeoutMs: 100, idempotencyKey: 'mine' },
    );
    await expect(calling).rejects.toMatchObject({ name: 'ResellerConnectionError', idempotencyKey: 'mine' });
  });

  it('when the last attempt too got a 503, then the error says with what the call is safe to repeat', async () => {
    const { client, api } = await clientOf([unavailable, unavailable], { maxAttempts: 2 });
    const error: unknown = await client
      .addCartItem({ variantId: 'v', quantity: 1 })
      .catch((thrown: unknown) => thrown);
    const [key] = api.calls.map(({ headers }) => headers['idempotency-key']);
    expect(key).toEqual(expect.any(String));
    expect(error).toMatchObject({ state: 'SERVICE_UNAVAILABLE', idempotencyKey: key });
  });

  it('when the API says to come back later than the call may last, then it ends at once and says when', async () => {
    const { client, api } = await clientOf([
      refuses(429, 'RATE_LIMITED', {}, { 'Retry-After': '1' }),
      completed,
    ]);
    await expect(client.createTopupOrder(order, { timeoutMs: 900 })).rejects.toMatchObject({
      state: 'RATE_LIMITED',
      retryAfterSeconds: 1,
    });
    expect(api.calls).toHaveLength(1);
  });

  it.each(['getWalletBalance', 'deliverGroup'] as const)(
    'when the caller ends it, then %s rejects with the reason and sends nothing more',
    async (operation) => {
      const [stop, reason] = [new AbortController(), new Error('the user left')];
      const ended: Scripted = (response) => {
        stop.abort(reason);
        response.destroy();
      };
      const { client, api } = await clientOf([ended]);
      await expect(client[operation]({ id: 'g' }, { signal: stop.signal })).rejects.toBe(reason);
      expect(api.calls).toHaveLength(1);
    },
  );

  it('when what responds is not the API, then the error says to look at the address', async () => {
    const page: Scripted = (response) => response.writeHead(404).end('<h1>Not here</h1>');
    const { client } = await clientOf([page]);
    await expect(client.getWalletBalance()).rejects.toThrow('is the address right?');
  });

  it('when the address leads elsewhere, then no secret goes there and the error says to look at the address', async () => {
    const elsewhere = await scriptedApi(completed);
    const moved: Scripted = (response) => response.writeHead(307, { Location: elsewhere.baseUrl }).end();
    const { client, api } = await clientOf([]);
    api.issues.push(moved);
    await expect(client.createTopupOrder(order)).rejects.toThrow('status 307 that is not the API');
    await elsewhere.close();
    expect([elsewhere.calls, elsewhere.tokens]).toEqual([[], []]);
  });

  it('when there is no address, then no client is made', () => {
    const of = (baseUrl: string | undefined) => () =>
      createResellerClient({ baseUrl, token: () => 'token' } as ClientOptions);
    for (const none of [undefined, '', '/api', 'api.example.com', 'ftp://api.example.com'])
      expect(of(none)).toThrow('baseUrl must be');
  });

  it.each(['', '.', '..'])(
    'when part of an address is "%s", then it is refused before anything is sent',
    async (id) => {
      const { client, api } = await clientOf([]);
      await expect(client.removeCartItem({ id })).rejects.toThrow('id is needed');
      expect([api.calls, api.tokens]).toEqual([[], []]);
    },
  );

  it('when a hook goes around it, then it runs around every attempt and its headers are sent', async () => {
    const around: string[] = [];
    const { client, api } = await clientOf([hangsUp, completed], {
      hooks: {
        aroundCall: async (call, run) => {
          call.headers.traceparent = 'trace';
          around.push(`${call.operation} begins`);
          const result = await run();
          around.push(`${call.operation} ends`);
          return result;
        },
      },
    });
    await client.getTopupOrder({ orderId: 'o/1' });
    expect(around).toEqual([
      'getTopupOrder begins',
      'createToken begins',
      'createToken ends',
      'getTopupOrder ends',
    ]);
    expect(api.calls.map(({ url, headers }) => [url, headers.traceparent])).toEqual([
      ['/api/v1/orders/topup/o%2F1', 'trace'],
      ['/api/v1/orders/topup/o%2F1', 'trace'],
    ]);
  });
});
