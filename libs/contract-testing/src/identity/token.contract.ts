import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from 'jose';
import { expect, rpc, service } from '../prelude';
import type { Case, Message, World } from '../prelude';
import { auditOf, credentialOf, family, freeze, register, update } from './arrange';

async function jwks(world: World): Promise<JSONWebKeySet> {
  const { jwks_json } = await world.call('GetJwks');
  return JSON.parse(String(jwks_json)) as JSONWebKeySet;
}

const claimsOf = ({ access_token }: Message) => decodeJwt(String(access_token));

type Kin = 'root' | 'child' | 'grandchild' | 'stranger';

interface Acts {
  readonly as?: Kin;
  readonly inactive?: Kin;
  readonly frozen?: Kin;
}

/** A token for one partner of a family, as another if named, after one of them became inactive or frozen. */
async function tokenOf(world: World, acting: Kin, { as, inactive, frozen }: Acts) {
  const [root, child] = await family(world);
  const grandchild = await register(world, { parent_partner_id: child.id });
  const kin: Record<Kin, Message> = { root, child, grandchild, stranger: await register(world) };
  const credential = await credentialOf(world, kin[acting]);
  if (inactive) await update(world, kin[inactive], { is_active: false });
  if (frozen) await freeze(world, kin[frozen]);
  const token = await world.call('IssueToken', { ...credential, ...(as && { on_behalf_of: kin[as].id }) });
  return { kin, token };
}

/** Who is given no token, by how it stands with the family. */
const REFUSED: readonly (readonly [sentence: string, acting: Kin, acts: Acts])[] = [
  ['UNAUTHORIZED_INVALID_CREDENTIALS: a partner that is not active', 'root', { inactive: 'root' }],
  ['UNAUTHORIZED_INVALID_CREDENTIALS: one below a partner that is not', 'child', { inactive: 'root' }],
  ['UNAUTHORIZED_INVALID_CREDENTIALS: inactive, frozen too', 'root', { inactive: 'root', frozen: 'root' }],
  ['UNAUTHORIZED_PARTNER_FROZEN: a partner below a frozen one', 'child', { frozen: 'root' }],
  ['FORBIDDEN_DELEGATION_TARGET_INVALID: a frozen descendant', 'root', { as: 'child', frozen: 'child' }],
  ['FORBIDDEN_DELEGATION_TARGET_INVALID: an inactive descendant', 'root', { as: 'child', inactive: 'child' }],
  [
    'FORBIDDEN_DELEGATION_TARGET_INVALID: below an inactive one',
    'root',
    { as: 'grandchild', inactive: 'child' },
  ],
  ['FORBIDDEN_NOT_YOUR_DESCENDANT: a stranger', 'root', { as: 'stranger' }],
  ['FORBIDDEN_NOT_YOUR_DESCENDANT: the parent', 'child', { as: 'root' }],
  ['FORBIDDEN_NOT_YOUR_DESCENDANT: the partner itself', 'root', { as: 'root' }],
];

/** Tokens for credentials, and the keys that verify them. */
export const tokens = service('TokenService', {
  IssueToken: rpc(async (world) => [world, await credentialOf(world, await register(world))], {
    'returns a token for 300 seconds that the published keys verify, with its claims': async (use) => {
      const partner = await register(use);
      const credential = await credentialOf(use, partner, 'ENVIRONMENT_LIVE');
      const { access_token, expires_in_seconds } = await use.call('IssueToken', credential);
      const keys = createLocalJWKSet(await jwks(use));
      const { payload, protectedHeader } = await jwtVerify(String(access_token), keys);
      expect(protectedHeader).toMatchObject({ kid: expect.any(String) });
      const { iat, nbf, exp, iss, gid, ...claims } = payload;
      expect([nbf, gid, claims.client_id]).toEqual([iat, partner.global_id, credential.client_id]);
      expect(iss).toEqual(expect.any(String));
      return { partner: partner.id, expires_in_seconds, lives: Number(exp) - Number(iat), claims };
    },
    'each call makes a token of its own': async (_, { call }) =>
      expect(claimsOf(await call()).jti).not.toBe(claimsOf(await call()).jti),
    'for a descendant, it names who acts, and leaves an audit entry': async (use) => {
      const { kin, token } = await tokenOf(use, 'root', { as: 'grandchild' });
      const { sub, path, act } = claimsOf(token);
      const [entry] = await auditOf(use, kin.grandchild);
      return { ids: [kin.root.id, kin.child.id, kin.grandchild.id], sub, path, act, entry };
    },
    'UNAUTHORIZED_INVALID_CREDENTIALS: an unknown client id': { client_id: 'nobody' },
    'UNAUTHORIZED_INVALID_CREDENTIALS: a wrong secret': { client_secret: 'wrong' },
    'UNAUTHORIZED_INVALID_CREDENTIALS: a revoked credential': ['RevokeCredential', {}],
    'UNAUTHORIZED_INVALID_CREDENTIALS: from outside of its networks': async (use) => {
      const allowed_cidrs = ['203.0.113.0/24'];
      const credential = await credentialOf(use, await register(use), 'ENVIRONMENT_LIVE', { allowed_cidrs });
      await use.call('IssueToken', { ...credential, caller_address: '203.0.113.7' });
      expect(await use.refusal('IssueToken', credential)).toBe('UNAUTHORIZED_INVALID_CREDENTIALS');
      return use.call('IssueToken', { ...credential, caller_address: '203.0.114.7' });
    },
    'UNAUTHORIZED_PARTNER_FROZEN: a frozen partner, by the right secret only': async (use) => {
      const partner = await register(use);
      const credential = await credentialOf(use, partner);
      await freeze(use, partner);
      const wrong = { ...credential, client_secret: 'wrong' };
      expect(await use.refusal('IssueToken', wrong)).toBe('UNAUTHORIZED_INVALID_CREDENTIALS');
      return use.call('IssueToken', credential);
    },
    'FORBIDDEN_NOT_YOUR_DESCENDANT: what is no partner': { on_behalf_of: 'me' },
    ...Object.fromEntries(
      REFUSED.map(([sentence, acting, acts]): [string, Case] => [
        sentence,
        (use) => tokenOf(use, acting, acts),
      ]),
    ),
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
    'leaves the lists out when the version is known': async (use) => {
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
