import { expect } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from 'jose';
import type { ServiceContract } from '../contract';
import { text } from '../message';
import type { World } from '../world';
import { credentialOf, operator, register } from './arrange';

async function jwks(world: World): Promise<JSONWebKeySet> {
  return JSON.parse(text(await world.call('TokenService.GetJwks'), 'jwks_json')) as JSONWebKeySet;
}

const issue = (world: World, request: object) => world.call('TokenService.IssueToken', { ...request });

/** Tokens for credentials, and the keys that verify them. */
export const tokens: ServiceContract = {
  service: 'TokenService',
  speaksFor: 'whom the request names',
  rpcs: {
    IssueToken: {
      promises: {
        'answers a token for 300 seconds that the published keys verify, with what the gateway reads': async (
          world,
        ) => {
          const partner = await register(world);
          const credential = await credentialOf(world, partner, 'ENVIRONMENT_LIVE');
          const answer = await issue(world, credential);
          expect(answer['expires_in_seconds']).toBe(300);
          const { payload, protectedHeader } = await jwtVerify(
            text(answer, 'access_token'),
            createLocalJWKSet(await jwks(world)),
          );
          expect(protectedHeader).toMatchObject({ kid: expect.any(String) });
          expect(payload).toMatchObject({
            iss: expect.any(String),
            aud: 'partner-api',
            sub: partner['id'],
            gid: partner['global_id'],
            client_id: credential.client_id,
            env: 'live',
            path: [partner['id']],
            jti: expect.any(String),
          });
          expect(Number(payload.exp) - Number(payload.iat)).toBe(300);
          expect(payload['act']).toBeUndefined();
        },
        'each call makes a token of its own': async (world) => {
          const credential = await credentialOf(world, await register(world));
          const [one, other] = [await issue(world, credential), await issue(world, credential)];
          expect(decodeJwt(text(one, 'access_token')).jti).not.toBe(
            decodeJwt(text(other, 'access_token')).jti,
          );
        },
        'for a descendant, it names who acts, and leaves an audit entry': async (world) => {
          const parent = await register(world);
          const child = await register(world, { parent_partner_id: parent['id'] });
          const grandchild = await register(world, { parent_partner_id: child['id'] });
          const credential = await credentialOf(world, parent);
          const answer = await issue(world, { ...credential, on_behalf_of: grandchild['id'] });
          const claims = decodeJwt(text(answer, 'access_token'));
          expect(claims).toMatchObject({
            sub: grandchild['id'],
            path: [parent['id'], child['id'], grandchild['id']],
            act: { sub: parent['id'], client_id: credential.client_id },
          });
          const audit = await world.call('AuditService.ListAuditEntries', { partner_id: grandchild['id'] });
          expect(audit['entries']).toMatchObject([
            {
              actor_type: 'ACTOR_TYPE_PARTNER',
              acting_partner_id: parent['id'],
              acting_client_id: credential.client_id,
              partner_id: grandchild['id'],
              action: 'token.issue',
              request_id: 'contract',
            },
            { action: 'partner.create' },
          ]);
        },
      },
      refuses: {
        UNAUTHORIZED_INVALID_CREDENTIALS: {
          'an unknown client id': (world) => issue(world, { client_id: 'nobody', client_secret: 'x' }),
          'a wrong secret': async (world) => {
            const { client_id } = await credentialOf(world, await register(world));
            return issue(world, { client_id, client_secret: 'wrong' });
          },
          'a revoked credential': async (world) => {
            const credential = await credentialOf(world, await register(world));
            const { client_id } = credential;
            await world.call('PartnerService.RevokeCredential', { client_id }, operator);
            return issue(world, credential);
          },
          'a partner that is not active': async (world) => {
            const partner = await register(world);
            const credential = await credentialOf(world, partner);
            const request = { partner_id: partner['id'], is_active: false };
            await world.call('PartnerService.UpdatePartner', request, operator);
            return issue(world, credential);
          },
        },
        FORBIDDEN_NOT_YOUR_DESCENDANT: {
          'a stranger': async (world) => {
            const credential = await credentialOf(world, await register(world));
            return issue(world, { ...credential, on_behalf_of: (await register(world))['id'] });
          },
          'the parent': async (world) => {
            const parent = await register(world);
            const credential = await credentialOf(
              world,
              await register(world, { parent_partner_id: parent['id'] }),
            );
            return issue(world, { ...credential, on_behalf_of: parent['id'] });
          },
          'the partner itself': async (world) => {
            const partner = await register(world);
            return issue(world, { ...(await credentialOf(world, partner)), on_behalf_of: partner['id'] });
          },
          'what is no partner': async (world) =>
            issue(world, { ...(await credentialOf(world, await register(world))), on_behalf_of: 'me' }),
        },
        FORBIDDEN_DELEGATION_TARGET_INVALID: {
          'a descendant that is not active': async (world) => {
            const parent = await register(world);
            const child = await register(world, { parent_partner_id: parent['id'] });
            const request = { partner_id: child['id'], is_active: false };
            await world.call('PartnerService.UpdatePartner', request, operator);
            return issue(world, { ...(await credentialOf(world, parent)), on_behalf_of: child['id'] });
          },
        },
      },
    },
    GetJwks: {
      promises: {
        'answers public keys only, and for how long they may be kept': async (world) => {
          const answer = await world.call('TokenService.GetJwks');
          expect(answer['max_age_seconds']).toBeGreaterThan(0);
          const { keys } = await jwks(world);
          expect(keys.length).toBeGreaterThan(0);
          for (const key of keys) {
            expect(key).toMatchObject({ kid: expect.any(String), alg: expect.any(String) });
            expect(key).not.toHaveProperty('d');
          }
        },
      },
    },
  },
};
