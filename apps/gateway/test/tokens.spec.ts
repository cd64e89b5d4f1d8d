import { describe, expect, it, jest } from '@jest/globals';
import { Environment } from '@reseller/contracts';
import { eventually } from '@reseller/testing';
import { type GatewayResponse, TestGateway, useGateway } from './support/gateway';
import { ACME, ACME_NORTH } from './support/samples';
import { Signer } from './support/signer';

const outcome = ({ status, body }: GatewayResponse) => [status, body.state];

const b64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const seconds = () => Math.floor(Date.now() / 1000);
// The last of a signature's 86 characters stands for two bits: A, Q, g or w; the next letter decodes to the same bytes.
const withSpareBit = (token: string) =>
  token.slice(0, -1) + String.fromCharCode(token.charCodeAt(token.length - 1) + 1);

/** Each of them is refused in the same words. */
const BAD_TOKENS: [string, (signer: Signer) => Promise<string>][] = [
  ['expired', (signer) => signer.sign({ exp: seconds() })],
  ['not yet valid', (signer) => signer.sign({ nbf: seconds() + 60 })],
  ['for another audience', (signer) => signer.sign({ aud: 'other' })],
  ['of another issuer', (signer) => signer.sign({ iss: 'other' })],
  ['without a partner', (signer) => signer.sign({ sub: 'x' })],
  ['of no environment', (signer) => signer.sign({ env: 'test' })],
  ['without an end', (signer) => signer.sign({ exp: undefined })],
  [
    'signed by a stranger under a known key id',
    async (signer) => (await Signer.create()).sign({}, { kid: signer.jwk['kid'] }),
  ],
  ['signed by an unknown key', async () => (await Signer.create()).sign()],
  ['signed with RSA', async () => (await Signer.create('RS256')).sign()],
  ['unsigned', () => Promise.resolve(`${b64({ alg: 'none' })}.${b64({ sub: ACME })}.`)],
  ['of two parts', () => Promise.resolve('a.b')],
  ['of a critical extension', (signer) => signer.sign({}, { crit: ['x'], x: 1 }).catch(() => 'a.b.c')],
  ['spelt with spare bits set', async (signer) => withSpareBit(await signer.sign())],
  ['tampered with', async (signer) => `${(await signer.sign()).slice(0, -4)}AAAA`],
];

describe('the token (spec §2.3)', () => {
  const gateway = useGateway();

  it.each(BAD_TOKENS)(
    'when it is %s, then the response is 401 with WWW-Authenticate',
    async (_name, make) => {
      const response = await gateway.sendAs(await make(gateway.signer), '/api/v1/wallet/balance');
      expect([...outcome(response), response.headers.get('www-authenticate')]).toEqual([
        401,
        'UNAUTHORIZED_INVALID_TOKEN',
        'Bearer',
      ]);
    },
  );

  it('when tokens were refused, then their reasons are counted, apart from those of tokens that were just issued', async () => {
    const reasons = async (at: string): Promise<string[]> => {
      const { text } = await gateway.send('/metrics');
      const counted = new RegExp(
        `^gateway_tokens_refused_total\\{.*at="${at}",reason="([^"]+)".*\\} [1-9]`,
        'gm',
      );
      return Array.from(text.matchAll(counted), ([, reason = '']) => reason);
    };
    for (const [, make] of BAD_TOKENS)
      await gateway.sendAs(await make(gateway.signer), '/api/v1/wallet/balance');
    const refused = ['expired', 'issuer', 'malformed', 'not-yet-valid', 'signature', 'unknown-key'];
    expect((await reasons('request')).toSorted()).toEqual(refused);
    const exchange = () =>
      gateway.send('/api/v1/auth/token', {
        method: 'POST',
        body: '{"clientId":"a","clientSecret":"b"}',
        headers: { 'content-type': 'application/json' },
      });
    const { tokens } = gateway.dependencies;
    const { issueToken } = tokens;
    expect(outcome(await exchange())).toEqual([200, 'SUCCESS']);
    tokens.issueToken = async () => ({
      accessToken: await gateway.signer.sign({ iss: 'other' }),
      expiresInSeconds: 300,
    });
    expect(outcome(await exchange())).toEqual([200, 'SUCCESS']);
    await eventually(async () => expect(await reasons('issue')).toEqual(['issuer']));
    tokens.issueToken = issueToken;
  });

  it('when it is good, then services see whose it is and who acts, as its claims say', async () => {
    const { calls } = gateway.dependencies.seen;
    const act = { sub: ACME, client_id: 'acme-live' };
    const path = [ACME, ACME_NORTH];
    const claims = { sub: ACME_NORTH, gid: 'P-NORTH', client_id: 'acme-live', env: 'live', path, act };
    await gateway.sendAs(await gateway.signer.sign(claims), '/api/v1/wallet/balance');
    expect(calls.at(-1)?.call.partner).toEqual({
      partnerId: ACME_NORTH,
      partnerGlobalId: 'P-NORTH',
      path,
      environment: Environment.LIVE,
      clientId: 'acme-live',
      actingPartnerId: ACME,
      actingClientId: 'acme-live',
    });
  });

  it('when it was verified before and ends, then it is good no more', async () => {
    const endsAt = seconds() + 30;
    const token = await gateway.signer.sign({ exp: endsAt });
    const outcomeNow = async () => outcome(await gateway.sendAs(token, '/api/v1/wallet/balance'));
    expect(await outcomeNow()).toEqual([200, 'SUCCESS']);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(endsAt * 1000);
    try {
      expect(await outcomeNow()).toEqual([401, 'UNAUTHORIZED_INVALID_TOKEN']);
    } finally {
      clock.mockRestore();
    }
    expect(await outcomeNow()).toEqual([200, 'SUCCESS']);
  });

  it.each(['', 'Basic YTpi', 'Bearer', 'Bearer a b'])(
    'when the header is "%s", then the response is 401',
    async (authorization) => {
      const response = await gateway.send('/api/v1/wallet/balance', { headers: { authorization } });
      expect(outcome(response)).toEqual([401, 'UNAUTHORIZED_INVALID_TOKEN']);
    },
  );

  it('when identity signs with a new key, then its tokens are taken after one look at the keys', async () => {
    const next = await Signer.create('ES256');
    const { tokens } = gateway.dependencies;
    tokens.getJwks = () =>
      Promise.resolve({
        jwksJson: JSON.stringify({ keys: [gateway.signer.jwk, next.jwk] }),
        maxAgeSeconds: 3600,
      });
    // The stranger above made the gateway look a moment ago; it looks again once that is long enough ago.
    const response = await untilNot(401, async () =>
      gateway.sendAs(await next.sign(), '/api/v1/wallet/balance'),
    );
    expect(outcome(response)).toEqual([200, 'SUCCESS']);
    expect(outcome(await gateway.sendAs(await gateway.signer.sign(), '/api/v1/wallet/balance'))).toEqual([
      200,
      'SUCCESS',
    ]);
  });

  it('when identity is away, then known keys go on verifying and the rest of the gateway goes on serving', async () => {
    await gateway.dependencies.servers.identity.stop();
    const fresh = await gateway.signer.sign();
    expect(outcome(await gateway.sendAs(fresh, '/api/v1/wallet/balance'))).toEqual([200, 'SUCCESS']);
    expect((await gateway.send('/readyz')).status).toBe(200);
    const token = await gateway.send('/api/v1/auth/token', {
      method: 'POST',
      body: '{"clientId":"a","clientSecret":"b"}',
      headers: { 'content-type': 'application/json' },
    });
    expect(outcome(token)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(token.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  });
});

describe('a gateway whose identity publishes a key no more', () => {
  it('when another key took its place, then tokens that were verified by it before are refused', async () => {
    const gateway = await TestGateway.start();
    const balance = async (token: string) => outcome(await gateway.sendAs(token, '/api/v1/wallet/balance'));
    const old = await gateway.signer.sign();
    expect(await balance(old)).toEqual([200, 'SUCCESS']);
    const next = await Signer.create('ES256');
    const jwksJson = JSON.stringify({ keys: [next.jwk] });
    gateway.dependencies.tokens.getJwks = () => Promise.resolve({ jwksJson, maxAgeSeconds: 3600 });
    await untilNot(401, async () => gateway.sendAs(await next.sign(), '/api/v1/wallet/balance'));
    expect(await balance(old)).toEqual([401, 'UNAUTHORIZED_INVALID_TOKEN']);
    await gateway.stop();
  });
});

describe('a gateway that has no keys yet', () => {
  it('when a token comes that cannot be checked, then the response is 503, and 401 for what is no token', async () => {
    const gateway = await TestGateway.start({ IDENTITY_ADDRESS: '127.0.0.1:1' }, false);
    const token = await gateway.signer.sign();
    const response = await gateway.sendAs(token, '/api/v1/wallet/balance');
    expect(outcome(response)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(outcome(await gateway.send('/api/v1/wallet/balance'))).toEqual([
      401,
      'UNAUTHORIZED_INVALID_TOKEN',
    ]);
    const ready = await gateway.send('/readyz');
    expect(outcome(ready)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(ready.body.details).toMatchObject({ checks: { jwks: 'failed', identity: 'failed' } });
    await gateway.stop();
  });
});

async function untilNot(status: number, send: () => Promise<GatewayResponse>): Promise<GatewayResponse> {
  const giveUpAt = Date.now() + 15_000;
  for (;;) {
    const response = await send();
    if (response.status !== status || Date.now() > giveUpAt) return response;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
