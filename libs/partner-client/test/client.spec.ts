import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  createResellerClient,
  isResellerError,
  ResellerConnectionError,
  ResellerError,
  type AttemptInfo,
  type ClientOptions,
  type FollowOptions,
  type StoredToken,
  type TokenStore,
} from '../src/index.ts';
import { eventually } from '@reseller/testing';
import {
  hangsUp,
  issuesToken,
  refuses,
  responds,
  scriptedApi,
  staysSilent,
  type Scripted,
} from './scripted-api';

let close: (() => Promise<unknown>) | undefined;
afterEach(() => close?.());

/** A client of a script, and what it sent. */
async function clientOf(script: Scripted[], options: Partial<ClientOptions> = {}) {
  const api = await scriptedApi(...script);
  close = api.close;
  const attempts: AttemptInfo[] = [];
  const client = createResellerClient({
    baseUrl: api.baseUrl,
    clientId: 'id',
    clientSecret: 'secret',
    hooks: { onAttempt: (attempt) => attempts.push(attempt) },
    ...options,
  });
  return { client, api, attempts };
}

const order = {
  externalReference: 'r-1',
  geoScopeGlobalId: 'GEO-SA',
  amount: '25.50',
  phoneNumber: '+966501234567',
};
const completed = responds(200, 'SUCCESS', { status: 'Completed' });
const unavailable = refuses(503, 'SERVICE_UNAVAILABLE', {}, { 'Retry-After': '0' });

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

  it('when the caller ends it, then it rejects with the reason and sends nothing more', async () => {
    const stop = new AbortController();
    const ended: Scripted = (response) => {
      stop.abort(new Error('the user left'));
      response.destroy();
    };
    const { client, api } = await clientOf([ended]);
    await expect(client.getWalletBalance({}, { signal: stop.signal })).rejects.toThrow('the user left');
    expect(api.calls).toHaveLength(1);
  });

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

describe('tokens', () => {
  it('when many calls begin at once, then one token is fetched; acting for another partner takes one of its own', async () => {
    const { client, api } = await clientOf([completed, completed, completed, completed]);
    await Promise.all([client.getWalletBalance(), client.getWalletBalance(), client.getWalletBalance()]);
    await client.onBehalfOf('child').getWalletBalance();
    expect(api.tokens.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { clientId: 'id', clientSecret: 'secret' },
      { clientId: 'id', clientSecret: 'secret', onBehalfOf: 'child' },
    ]);
    expect(api.calls.map(({ headers }) => headers.authorization)).toEqual([
      ...Array<string>(3).fill('Bearer token-1'),
      'Bearer token-2',
    ]);
  });

  it('when a token is refused, then a new one is fetched once and the call made again; a second refusal is the error', async () => {
    const refused = refuses(401, 'UNAUTHORIZED_INVALID_TOKEN');
    const { client, api } = await clientOf([refused, completed, refused, refused]);
    await client.getWalletBalance();
    await expect(client.getWalletBalance()).rejects.toMatchObject({ state: 'UNAUTHORIZED_INVALID_TOKEN' });
    expect(api.calls.map(({ headers }) => headers.authorization)).toEqual(
      ['token-1', 'token-2', 'token-2', 'token-3'].map((token) => `Bearer ${token}`),
    );
  });

  it('when tokens are stored, then a stored one is used until it is refused or nearly over, and a new one is stored', async () => {
    const refused = refuses(401, 'UNAUTHORIZED_INVALID_TOKEN');
    const saved: StoredToken[] = [];
    let stored: StoredToken | undefined = { accessToken: 'stored', expiresAt: Date.now() + 60_000 };
    const tokenStore: TokenStore = { load: () => stored, save: (token) => void saved.push((stored = token)) };
    const { client, api } = await clientOf([completed, refused, completed], { tokenStore });
    await client.getWalletBalance();
    await client.getWalletBalance();
    expect(api.calls.map(({ headers }) => headers.authorization)).toEqual(
      ['stored', 'stored', 'token-1'].map((token) => `Bearer ${token}`),
    );
    expect(saved).toEqual([{ accessToken: 'token-1', expiresAt: expect.any(Number) }]);

    stored = { accessToken: 'nearly over', expiresAt: Date.now() + 29_000 };
    const next = await clientOf([completed], { tokenStore });
    await next.client.getWalletBalance();
    expect(next.api.calls[0]?.headers.authorization).toBe('Bearer token-1');
    await api.close();
  });

  it('when a stored token is refused to two processes, then one fetches another and the other one finds it', async () => {
    const refused = refuses(401, 'UNAUTHORIZED_INVALID_TOKEN');
    let stored: StoredToken | undefined = { accessToken: 'stored', expiresAt: Date.now() + 60_000 };
    const tokenStore: TokenStore = { load: () => stored, save: (token) => void (stored = token) };
    const { client, api } = await clientOf([completed, completed, refused, completed, refused, completed], {
      tokenStore,
    });
    const { baseUrl } = api;
    const other = createResellerClient({ baseUrl, clientId: 'id', clientSecret: 'secret', tokenStore });
    for (const each of [client, other, client, other]) await each.getWalletBalance();
    expect(api.tokens).toHaveLength(1);
    expect(api.calls.at(-1)?.headers.authorization).toBe('Bearer token-1');
  });

  it.each([
    ['is refused', unavailable],
    ['gets no response', staysSilent],
  ])(
    'when renewing a token that is nearly over %s, then calls go on with that token',
    async (_how, renewal) => {
      const { client, api } = await clientOf([completed, completed], { maxAttempts: 1 });
      api.issues.push(issuesToken('nearly over', 29), renewal);
      await client.getWalletBalance();
      await client.getWalletBalance();
      expect(api.calls.map(({ headers }) => headers.authorization)).toEqual([
        'Bearer nearly over',
        'Bearer nearly over',
      ]);
      await eventually(async () => expect(api.tokens).toHaveLength(2));
    },
  );

  it('when a token was not renewed at first, then it is tried again, once however many calls there are', async () => {
    const { client, api } = await clientOf(Array<Scripted>(500).fill(completed), { maxAttempts: 1 });
    api.issues.push(issuesToken('nearly over', 29), unavailable);
    await eventually(async () => {
      await Promise.all([client.getWalletBalance(), client.getWalletBalance()]);
      expect(api.calls.at(-1)?.headers.authorization).toBe('Bearer token-3');
    });
    expect(api.tokens).toHaveLength(3);
  });

  it('when a token is refused while it is being renewed, then the call is made again with the next one', async () => {
    const refused = refuses(401, 'UNAUTHORIZED_INVALID_TOKEN');
    const { client, api } = await clientOf([completed, refused, completed]);
    api.issues.push(issuesToken('nearly over', 29));
    await client.getWalletBalance();
    await client.getWalletBalance();
    expect(api.calls.at(-1)?.headers.authorization).toBe('Bearer token-2');
    expect(api.tokens).toHaveLength(2);
  });

  it('when no token comes, then a call ends in its own time, or when its caller ends it', async () => {
    const noToken = () => new Promise<Response>(() => undefined);
    const { client, api } = await clientOf([], { fetch: noToken });
    await expect(client.getWalletBalance({}, { timeoutMs: 50 })).rejects.toThrow('no response within 0.1 s');
    const stop = new AbortController();
    const ended = client.getWalletBalance({}, { signal: stop.signal });
    stop.abort(new Error('the user left'));
    await expect(ended).rejects.toThrow('the user left');
    expect(api.calls).toEqual([]);
  });

  it('when a token is refused to the credential, then each call that needs it ends in that refusal', async () => {
    const refused = createResellerClient({
      baseUrl: 'http://127.0.0.1',
      clientId: 'id',
      clientSecret: 'wrong',
      fetch: async () =>
        Response.json(
          {
            state: 'UNAUTHORIZED_INVALID_CREDENTIALS',
            payload: null,
            details: { message: 'No.', requestId: 'r' },
          },
          { status: 401 },
        ),
    });
    const calls = [refused.getWalletBalance(), refused.listTopupOrders()];
    const outcomes = await Promise.allSettled(calls);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({
        reason: { state: 'UNAUTHORIZED_INVALID_CREDENTIALS', operation: 'createToken', attempts: 1 },
      });
  });

  it('when a token comes from elsewhere, then it is requested at each attempt and no credential is needed', async () => {
    const given = ['a', 'b'];
    const { client, api } = await clientOf([hangsUp, completed], {
      clientId: undefined,
      clientSecret: undefined,
      token: () => given.shift() ?? '',
    } as Partial<ClientOptions>);
    await client.getWalletBalance();
    expect(api.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer a', 'Bearer b']);
  });
});

const page = (ids: number[], number: number, totalPages: number) =>
  responds(200, 'SUCCESS', {
    items: ids.map((id) => ({ orderId: `o-${id}` })),
    pagination: { page: number, totalPages },
  });

describe('lists', () => {
  it('when one is iterated, then each page is read once, and an item that moved down to the next page comes once', async () => {
    const { client, api } = await clientOf([page([5, 4], 1, 3), page([4, 3], 2, 3), page([2], 3, 3)]);
    const seen: string[] = [];
    for await (const { orderId } of client.listTopupOrders({ pageSize: 2 })) seen.push(orderId);
    expect(seen).toEqual(['o-5', 'o-4', 'o-3', 'o-2']);
    expect(api.calls.map(({ url }) => url.split('?')[1])).toEqual([
      'pageSize=2',
      'page=2&pageSize=2',
      'page=3&pageSize=2',
    ]);
  });

  it('when more came in than a page holds, then what moved down by several pages comes once', async () => {
    const { client } = await clientOf([
      page([5, 4], 1, 4),
      page([7, 5], 2, 4),
      page([4, 3], 3, 4),
      page([2], 4, 4),
    ]);
    const seen: string[] = [];
    for await (const { orderId } of client.listTopupOrders({ pageSize: 2 })) seen.push(orderId);
    expect(seen).toEqual(['o-5', 'o-4', 'o-7', 'o-3', 'o-2']);
  });

  it('when one is awaited, then it is one page', async () => {
    const { client, api } = await clientOf([page([5, 4], 1, 3)]);
    expect((await client.listTopupOrders()).items).toHaveLength(2);
    expect(api.calls).toHaveLength(1);
  });
});

describe('the events feed', () => {
  const events = (ids: string[], nextCursor: string, hasMore: boolean) =>
    responds(200, 'SUCCESS', { items: ids.map((eventId) => ({ eventId })), nextCursor, hasMore });

  it('when it is followed, then reading goes on from the stored cursor, which is saved once a page has been handled', async () => {
    const { client, api } = await clientOf([
      events(['1', '2'], 'c2', true),
      events(['3'], 'c3', false),
      events([], 'c3', false),
    ]);
    const happened: string[] = [];
    const cursor = { load: () => 'c0', save: (saved: string) => void happened.push(saved) };
    const follow = () =>
      client.followEvents({ cursor, eventType: ['order.completed', 'order.failed'], untilCaughtUp: true });
    for await (const { eventId } of follow()) happened.push(eventId);
    expect(happened).toEqual(['1', '2', 'c2', '3', 'c3']);
    expect(api.calls.map(({ url }) => new URLSearchParams(url.split('?')[1]).get('after'))).toEqual([
      'c0',
      'c2',
    ]);
  });

  it('when the API is away for longer than a call tries, then a reader that has begun goes on where it was', async () => {
    const { client, api } = await clientOf(
      [events(['1'], 'c1', false), hangsUp, unavailable, events(['2'], 'c2', false)],
      { maxAttempts: 1 },
    );
    const seen: string[] = [];
    for await (const { eventId } of client.followEvents()) {
      seen.push(eventId);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual(['1', '2']);
    expect(api.calls.map(({ url }) => new URLSearchParams(url.split('?')[1]).get('after'))).toEqual([
      null,
      'c1',
      'c1',
      'c1',
    ]);
  });

  it.each<[string, Scripted[], FollowOptions]>([
    ['it cannot begin', [unavailable], {}],
    ['it only catches up', [events(['1'], 'c1', true), unavailable], { untilCaughtUp: true }],
    ['the API refuses it', [events(['1'], 'c1', false), refuses(400, 'VALIDATION_CURSOR_EXPIRED')], {}],
  ])('when %s, then a reader ends with the error', async (_why, script, options) => {
    const { client } = await clientOf(script, { maxAttempts: 1 });
    const read = async () => {
      for await (const _ of client.followEvents(options));
    };
    await expect(read()).rejects.toThrow(ResellerError);
  });

  it('when the loop ends inside a page, then the cursor stays where it was', async () => {
    const { client } = await clientOf([events(['1', '2'], 'c2', true)]);
    const saved: string[] = [];
    for await (const _ of client.followEvents({
      cursor: { load: () => undefined, save: (to) => void saved.push(to) },
    }))
      break;
    expect(saved).toEqual([]);
  });
});
