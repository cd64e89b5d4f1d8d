import { expect } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from 'jose';
import type { Message } from '../contract';
import { rpc, service } from '../notation';
import type { World } from '../world';
import { credentialOf, family, register, update } from './arrange';

async function jwks(world: World): Promise<JSONWebKeySet> {
  const { jwks_json } = await world.call('GetJwks');
  return JSON.parse(String(jwks_json)) as JSONWebKeySet;
}

const claimsOf = ({ access_token }: Message) => decodeJwt(String(access_token));

/** A parent's token for its child. */
const delegated = async (
  world: World,
  prepare: (child: Message) => Promise<unknown> = async () => undefined,
) => {
  const [parent, child] = await family(world);
  await prepare(child);
  return world.call('IssueToken', { ...(await credentialOf(world, parent)), on_behalf_of: child.id });
};

/** Tokens for credentials, and the keys that verify them. */
export const tokens = service('TokenService', {
  IssueToken: rpc(async (world) => [world, await credentialOf(world, await register(world))], {
    'answers a token for 300 seconds that the published keys verify, with what the gateway reads': async (
      use,
    ) => {
      const partner = await register(use);
      const credential = await credentialOf(use, partner, 'ENVIRONMENT_LIVE');
      const { access_token, expires_in_seconds } = await use.call('IssueToken', credential);
      expect(expires_in_seconds).toBe(300);
      const keys = createLocalJWKSet(await jwks(use));
      const { payload, protectedHeader } = await jwtVerify(String(access_token), keys);
      expect(protectedHeader).toMatchObject({ kid: expect.any(String) });
      expect(payload).toMatchObject({
        iss: expect.any(String),
        aud: 'partner-api',
        sub: partner.id,
        gid: partner.global_id,
        client_id: credential.client_id,
        env: 'live',
        path: [partner.id],
        jti: expect.any(String),
      });
      expect([Number(payload.exp) - Number(payload.iat), payload['act']]).toEqual([300, undefined]);
    },
    'each call makes a token of its own': async (use) => {
      const { call } = await use.given();
      expect(claimsOf(await call()).jti).not.toBe(claimsOf(await call()).jti);
    },
    'for a descendant, it names who acts, and leaves an audit entry': async (use) => {
      const [parent, child] = await family(use);
      const grandchild = await register(use, { parent_partner_id: child.id });
      const credential = await credentialOf(use, parent);
      const token = await use.call('IssueToken', { ...credential, on_behalf_of: grandchild.id });
      expect(claimsOf(token)).toMatchObject({
        sub: grandchild.id,
        path: [parent.id, child.id, grandchild.id],
        act: { sub: parent.id, client_id: credential.client_id },
      });
      expect(await use.list('ListAuditEntries', { partner_id: grandchild.id })).toMatchObject([
        {
          actor_type: 'ACTOR_TYPE_PARTNER',
          acting_partner_id: parent.id,
          acting_client_id: credential.client_id,
          partner_id: grandchild.id,
          action: 'token.issue',
          request_id: 'contract',
        },
        { action: 'partner.create' },
      ]);
    },
    'UNAUTHORIZED_INVALID_CREDENTIALS: an unknown client id': { client_id: 'nobody' },
    'UNAUTHORIZED_INVALID_CREDENTIALS: a wrong secret': { client_secret: 'wrong' },
    'UNAUTHORIZED_INVALID_CREDENTIALS: a revoked credential': async (use) => {
      const { request, call } = await use.given();
      await use.call('RevokeCredential', { client_id: request.client_id });
      return call();
    },
    'UNAUTHORIZED_INVALID_CREDENTIALS: a partner that is not active': async (use) => {
      const partner = await register(use);
      const credential = await credentialOf(use, partner);
      await update(use, partner, { is_active: false });
      return use.call('IssueToken', credential);
    },
    'FORBIDDEN_NOT_YOUR_DESCENDANT: a stranger': async (use) =>
      (await use.given()).call({ on_behalf_of: (await register(use)).id }),
    'FORBIDDEN_NOT_YOUR_DESCENDANT: the parent': async (use) => {
      const [parent, child] = await family(use);
      return use.call('IssueToken', { ...(await credentialOf(use, child)), on_behalf_of: parent.id });
    },
    'FORBIDDEN_NOT_YOUR_DESCENDANT: the partner itself': async (use) => {
      const partner = await register(use);
      return use.call('IssueToken', { ...(await credentialOf(use, partner)), on_behalf_of: partner.id });
    },
    'FORBIDDEN_NOT_YOUR_DESCENDANT: what is no partner': { on_behalf_of: 'me' },
    'FORBIDDEN_DELEGATION_TARGET_INVALID: a descendant that is not active': (use) =>
      delegated(use, (child) => update(use, child, { is_active: false })),
  }),
  GetJwks: rpc(undefined, {
    'answers public keys only, and for how long they may be kept': async (use) => {
      expect((await use.call('GetJwks')).max_age_seconds).toBeGreaterThan(0);
      const { keys } = await jwks(use);
      expect(keys).not.toEqual([]);
      for (const key of keys) {
        expect(key).toMatchObject({ kid: expect.any(String), alg: expect.any(String) });
        expect(key).not.toHaveProperty('d');
      }
    },
  }),
});
