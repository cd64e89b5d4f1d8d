import { describe, expect, it } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { createResellerClient, type ClientOptions, type StoredToken, type TokenStore } from '../src/index.ts';
import { clientOf, completed, unavailable } from './client-of';
import { hangsUp, issuesToken, refuses, staysSilent, type Scripted } from './scripted-api';

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

  it('when a token comes from elsewhere, then no client acts with it for a partner that it may not be for', () => {
    const options = { baseUrl: 'http://127.0.0.1', token: () => 'of the partner above' };
    const client = createResellerClient(options);
    expect(() => client.onBehalfOf('below')).toThrow('onBehalfOf needs clientId and clientSecret');
    expect(() => createResellerClient({ ...options, onBehalfOf: 'below' })).toThrow('onBehalfOf needs');
  });
});
