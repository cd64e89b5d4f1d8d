import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ActorType, Environment, type CreateCredentialResponse } from '@reseller/contracts';
import {
  createLocalJWKSet,
  decodeProtectedHeader,
  jwtVerify,
  type JSONWebKeySet,
  type JWTPayload,
} from 'jose';
import {
  UNLIMITED,
  ISSUER,
  anonymous,
  byOperator,
  register,
  startFixture,
  type Fixture,
} from './identity-fixture';

let fixture: Fixture;
let parent: string;
let child: string;
let grandchild: string;
let stranger: string;
let credential: CreateCredentialResponse;

beforeAll(async () => {
  fixture = await startFixture();
  parent = await register(fixture, 'Parent');
  child = await register(fixture, 'Child', parent);
  grandchild = await register(fixture, 'Grandchild', child);
  stranger = await register(fixture, 'Stranger');
  credential = await newCredential(parent, Environment.SANDBOX);
});
afterAll(() => fixture.stop());

function newCredential(partnerId: string, environment: Environment): Promise<CreateCredentialResponse> {
  return fixture.partners.createCredential({ partnerId, environment, ...UNLIMITED }, byOperator);
}

async function issue(by: CreateCredentialResponse, onBehalfOf?: string): Promise<string> {
  const { clientId, clientSecret } = by;
  const response = await fixture.tokens.issueToken({ clientId, clientSecret, onBehalfOf }, anonymous);
  expect(response.expiresInSeconds).toBe(300);
  return response.accessToken;
}

async function verify(token: string): Promise<JWTPayload> {
  const { jwksJson } = await fixture.tokens.getJwks({}, anonymous);
  const keys = createLocalJWKSet(JSON.parse(jwksJson) as JSONWebKeySet);
  const options = {
    issuer: ISSUER,
    audience: 'partner-api',
    algorithms: ['EdDSA'],
    currentDate: fixture.clock.now(),
  };
  return (await jwtVerify(token, keys, options)).payload;
}

const refused = (code: string): object => expect.objectContaining({ code }) as object;

describe('issuing tokens', () => {
  it('when a credential is exchanged, then the token carries exactly the claims of spec §2.3 and gid', async () => {
    const token = await issue(credential);
    const iat = Math.floor(fixture.clock.now().getTime() / 1000);
    const { partner } = await fixture.partners.getPartner({ partnerId: parent }, byOperator);
    expect(await verify(token)).toEqual({
      iss: ISSUER,
      aud: 'partner-api',
      sub: parent,
      gid: partner?.globalId,
      client_id: credential.clientId,
      env: 'sandbox',
      path: [parent],
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      iat,
      nbf: iat,
      exp: iat + 300,
    });
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'EdDSA', typ: 'JWT', kid: expect.any(String) });
  });

  it('when the credential is for live, then so is the token', async () => {
    const live = await newCredential(stranger, Environment.LIVE);
    expect(live.clientId).toMatch(/^pk_live_/);
    expect(await verify(await issue(live))).toMatchObject({ sub: stranger, env: 'live' });
  });

  it('when the key set is read, then it holds public halves only', async () => {
    const { jwksJson, maxAgeSeconds } = await fixture.tokens.getJwks({}, anonymous);
    expect(maxAgeSeconds).toBe(300);
    const { keys } = JSON.parse(jwksJson) as JSONWebKeySet;
    expect(keys.map((key) => Object.keys(key).sort())).toEqual([['alg', 'crv', 'kid', 'kty', 'use', 'x']]);
  });

  it.each([
    ['an empty secret', () => ({ clientSecret: '' })],
    ['a client id that is not even text for the database', () => ({ clientId: 'pk_\u0000' })],
  ])('when %s is given, then it is UNAUTHORIZED_INVALID_CREDENTIALS', async (_, wrong) => {
    const { clientId, clientSecret } = credential;
    await expect(
      fixture.tokens.issueToken({ clientId, clientSecret, ...wrong() }, anonymous),
    ).rejects.toEqual(refused('UNAUTHORIZED_INVALID_CREDENTIALS'));
  });

  it('when the credential is revoked or the partner inactive, then there are no new tokens at once', async () => {
    const partnerId = await register(fixture, 'Short-lived');
    const [first, second] = await Promise.all([
      newCredential(partnerId, Environment.SANDBOX),
      newCredential(partnerId, Environment.SANDBOX),
    ]);
    await fixture.partners.revokeCredential({ clientId: first.clientId }, byOperator);
    await expect(issue(first)).rejects.toEqual(refused('UNAUTHORIZED_INVALID_CREDENTIALS'));
    await issue(second);
    await fixture.partners.updatePartner({ partnerId, isActive: false }, byOperator);
    await expect(issue(second)).rejects.toEqual(refused('UNAUTHORIZED_INVALID_CREDENTIALS'));
    await fixture.partners.updatePartner({ partnerId, isActive: true }, byOperator);
    await issue(second);
  });
});

describe('delegation', () => {
  it.each([
    ['a child', () => child, () => [parent, child]],
    ['a grandchild', () => grandchild, () => [parent, child, grandchild]],
    ['a child by its id in capitals', () => child.toUpperCase(), () => [parent, child]],
  ])(
    'when a parent acts for %s, then the token is that partner’s and names who acts',
    async (_, target, path) => {
      const claims = await verify(await issue(credential, target()));
      expect(claims).toMatchObject({
        sub: target().toLowerCase(),
        path: path(),
        client_id: credential.clientId,
        env: 'sandbox',
        act: { sub: parent, client_id: credential.clientId },
      });
      const { partner } = await fixture.partners.getPartner({ partnerId: target() }, byOperator);
      expect(claims.gid).toBe(partner?.globalId);
    },
  );

  it('when a delegated token is issued, then who acted as whom is on record', async () => {
    const call = { requestId: 'req-delegated' };
    const { clientId, clientSecret } = credential;
    const { accessToken } = await fixture.tokens.issueToken(
      { clientId, clientSecret, onBehalfOf: child },
      call,
    );
    const { jti } = await verify(accessToken);
    const { entries } = await fixture.audit.listAuditEntries(
      { page: undefined, partnerId: child, fromAt: undefined, toAt: undefined },
      byOperator,
    );
    expect(entries[0]).toMatchObject({
      actorType: ActorType.PARTNER,
      actingPartnerId: parent,
      actingClientId: clientId,
      partnerId: child,
      action: 'token.issue',
      requestId: 'req-delegated',
    });
    expect(JSON.parse(entries[0]?.detailsJson ?? '')).toEqual({ jti, environment: 'sandbox' });
  });

  it.each([
    ['an unknown partner', () => '018f0000-0000-7000-8000-00000000dead'],
    ['nothing, spelled out', () => ''],
  ])('when a partner acts for %s, then it is FORBIDDEN_NOT_YOUR_DESCENDANT', async (_, target) => {
    await expect(issue(credential, target())).rejects.toEqual(refused('FORBIDDEN_NOT_YOUR_DESCENDANT'));
  });

  it('when a child acts for its parent or its sibling, then it is FORBIDDEN_NOT_YOUR_DESCENDANT', async () => {
    const sibling = await register(fixture, 'Sibling', parent);
    const childCredential = await newCredential(child, Environment.SANDBOX);
    for (const target of [parent, sibling]) {
      await expect(issue(childCredential, target)).rejects.toEqual(refused('FORBIDDEN_NOT_YOUR_DESCENDANT'));
    }
  });

  it('when a partner is inactive, then so is everybody below it until it is active again (spec §2.6)', async () => {
    const middle = await register(fixture, 'Middle', parent);
    const leaf = await register(fixture, 'Leaf', middle);
    const below = await register(fixture, 'Below', leaf);
    const own = await newCredential(below, Environment.LIVE);
    const setActive = (partnerId: string, isActive: boolean) =>
      fixture.partners.updatePartner({ partnerId, isActive }, byOperator);
    const expectClosed = async (...targets: string[]): Promise<void> => {
      for (const target of targets)
        await expect(issue(credential, target)).rejects.toEqual(
          refused('FORBIDDEN_DELEGATION_TARGET_INVALID'),
        );
      await expect(issue(own)).rejects.toEqual(refused('UNAUTHORIZED_INVALID_CREDENTIALS'));
    };
    await setActive(middle, false);
    await expectClosed(middle, leaf, below);
    await setActive(leaf, false);
    await setActive(middle, true);
    // One that is inactive itself stays so, and those below it with it.
    expect(await verify(await issue(credential, middle))).toMatchObject({ sub: middle });
    await expectClosed(leaf, below);
    await setActive(leaf, true);
    expect(await verify(await issue(credential, below))).toMatchObject({ sub: below });
    expect(await verify(await issue(own))).toMatchObject({ sub: below });
    // A move counts at once: what is above it now decides.
    await setActive(middle, false);
    await fixture.partners.updatePartner({ partnerId: leaf, parentPartnerId: parent }, byOperator);
    expect(await verify(await issue(own))).toMatchObject({ path: [parent, leaf, below] });
  });

  it('when the secret is wrong, then it says so before anything about the descendant', async () => {
    const wrong = { ...credential, clientSecret: 'wrong' };
    await expect(issue(wrong, stranger)).rejects.toEqual(refused('UNAUTHORIZED_INVALID_CREDENTIALS'));
  });

  it('when a descendant is moved away, then the next token for it is refused', async () => {
    const leaver = await register(fixture, 'Leaver', child);
    await issue(credential, leaver);
    await fixture.partners.updatePartner({ partnerId: leaver, parentPartnerId: stranger }, byOperator);
    await expect(issue(credential, leaver)).rejects.toEqual(refused('FORBIDDEN_NOT_YOUR_DESCENDANT'));
  });
});
