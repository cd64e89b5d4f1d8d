import { expect } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from 'jose';
import { rpc, service, type Message } from '../contract';
import { given } from '../variations';
import type { World } from '../world';
import { auditOf, credentialOf, family, freeze, register, update } from './arrange';

async function jwks(world: World): Promise<JSONWebKeySet> {
  const { jwks_json } = await world.call('GetJwks');
  return JSON.parse(String(jwks_json)) as JSONWebKeySet;
}

const claimsOf = ({ access_token }: Message) => decodeJwt(String(access_token));

/** A partner's token for another. */
const tokenFor = async (world: World, acting: Message, { id }: Message) =>
  world.call('IssueToken', { ...(await credentialOf(world, acting)), on_behalf_of: id });

/** Tokens for credentials, and the keys that verify them. */
export const tokens = service('TokenService', {
  IssueToken: rpc(async (world) => [world, await credentialOf(world, await register(world))], {
    'returns a token for 300 seconds that the published keys verify, with what the gateway reads': async (
      use,
    ) => {
      const partner = await register(use);
      const credential = await credentialOf(use, partner, 'ENVIRONMENT_LIVE');
      const { access_token, expires_in_seconds } = await use.call('IssueToken', credential);
      const keys = createLocalJWKSet(await jwks(use));
      const { payload, protectedHeader } = await jwtVerify(String(access_token), keys);
      expect(protectedHeader).toMatchObject({ kid: expect.any(String) });
      const { iat, nbf, exp, iss, gid, ...claims } = payload;
      expect([nbf, iss, gid, claims.client_id]).toEqual([
        iat,
        expect.any(String),
        partner.global_id,
        credential.client_id,
      ]);
      return { partner: partner.id, expires_in_seconds, lives: Number(exp) - Number(iat), claims };
    },
    'each call makes a token of its own': given(async ({ call }) =>
      expect(claimsOf(await call()).jti).not.toBe(claimsOf(await call()).jti),
    ),
    'for a descendant, it names who acts, and leaves an audit entry': async (use) => {
      const [parent, child] = await family(use);
      const grandchild = await register(use, { parent_partner_id: child.id });
      const { sub, path, act } = claimsOf(await tokenFor(use, parent, grandchild));
      const [entry] = await auditOf(use, grandchild);
      return { ids: [parent.id, child.id, grandchild.id], sub, path, act, entry };
    },
    'UNAUTHORIZED_INVALID_CREDENTIALS: an unknown client id': { client_id: 'nobody' },
    'UNAUTHORIZED_INVALID_CREDENTIALS: a wrong secret': { client_secret: 'wrong' },
    'UNAUTHORIZED_INVALID_CREDENTIALS: a revoked credential': given(async ({ request, call }, use) => {
      await use.call('RevokeCredential', { client_id: request.client_id });
      return call();
    }),
    'UNAUTHORIZED_INVALID_CREDENTIALS: from outside of its networks': async (use) => {
      const allowed_cidrs = ['203.0.113.0/24'];
      const credential = await credentialOf(use, await register(use), 'ENVIRONMENT_LIVE', { allowed_cidrs });
      await use.call('IssueToken', { ...credential, caller_address: '203.0.113.7' });
      expect(await use.refusal('IssueToken', credential)).toBe('UNAUTHORIZED_INVALID_CREDENTIALS');
      return use.call('IssueToken', { ...credential, caller_address: '203.0.114.7' });
    },
    'UNAUTHORIZED_INVALID_CREDENTIALS: a partner that is not active': async (use) => {
      const partner = await register(use);
      const credential = await credentialOf(use, partner);
      await update(use, partner, { is_active: false });
      return use.call('IssueToken', credential);
    },
    'UNAUTHORIZED_INVALID_CREDENTIALS: a partner below one that is not active': async (use) => {
      const [parent, child] = await family(use);
      const credential = await credentialOf(use, child);
      await update(use, parent, { is_active: false });
      return use.call('IssueToken', credential);
    },
    'UNAUTHORIZED_PARTNER_FROZEN: a frozen partner, by the right secret only': async (use) => {
      const partner = await register(use);
      const credential = await credentialOf(use, partner);
      await freeze(use, partner);
      const wrong = { ...credential, client_secret: 'wrong' };
      expect(await use.refusal('IssueToken', wrong)).toBe('UNAUTHORIZED_INVALID_CREDENTIALS');
      return use.call('IssueToken', credential);
    },
    'UNAUTHORIZED_PARTNER_FROZEN: a partner below a frozen one': async (use) => {
      const [parent, child] = await family(use);
      const credential = await credentialOf(use, child);
      await freeze(use, parent);
      return use.call('IssueToken', credential);
    },
    'FORBIDDEN_NOT_YOUR_DESCENDANT: a stranger': async (use) =>
      tokenFor(use, await register(use), await register(use)),
    'FORBIDDEN_NOT_YOUR_DESCENDANT: the parent': async (use) => {
      const [parent, child] = await family(use);
      return tokenFor(use, child, parent);
    },
    'FORBIDDEN_NOT_YOUR_DESCENDANT: the partner itself': async (use) => {
      const partner = await register(use);
      return tokenFor(use, partner, partner);
    },
    'FORBIDDEN_NOT_YOUR_DESCENDANT: what is no partner': { on_behalf_of: 'me' },
    'FORBIDDEN_DELEGATION_TARGET_INVALID: a descendant that is not active': async (use) => {
      const [parent, child] = await family(use);
      await update(use, child, { is_active: false });
      return tokenFor(use, parent, child);
    },
    'FORBIDDEN_DELEGATION_TARGET_INVALID: a frozen descendant': async (use) => {
      const [parent, child] = await family(use);
      await freeze(use, child);
      return tokenFor(use, parent, child);
    },
    'FORBIDDEN_DELEGATION_TARGET_INVALID: a descendant below one that is not active': async (use) => {
      const [parent, child] = await family(use);
      const grandchild = await register(use, { parent_partner_id: child.id });
      await update(use, child, { is_active: false });
      return tokenFor(use, parent, grandchild);
    },
  }),
  GetRevocations: rpc(undefined, {
    'lists frozen partners with everybody below them, and credentials just revoked': async (use) => {
      const [parent, child] = await family(use);
      const { client_id } = await credentialOf(use, child);
      await freeze(use, parent);
      await use.call('RevokeCredential', { client_id });
      const both = await use.call('GetRevocations');
      expect(both.frozen_partner_ids).toEqual(expect.arrayContaining([parent.id, child.id]));
      expect(both.revoked_client_ids).toContain(client_id);
      await freeze(use, parent, false);
      const after = await use.call('GetRevocations', { known_version: both.version });
      expect(after.is_unchanged).toBe(false);
      expect(after.revoked_client_ids).toContain(client_id);
      expect(after.frozen_partner_ids).not.toContain(parent.id);
      expect(after.frozen_partner_ids).not.toContain(child.id);
    },
    'leaves both lists out when the version is known': async (use) => {
      await freeze(use, await register(use));
      const { version } = await use.call('GetRevocations');
      const { version: same, ...lists } = await use.call('GetRevocations', { known_version: version });
      expect(same).toBe(version);
      return lists;
    },
  }),
  GetJwks: rpc(undefined, {
    'returns public keys only, and for how long they may be kept': async (use) => {
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
