import { randomBytes } from 'node:crypto';
import { expect, lists, operatorRpc, rpc, service } from '../prelude';
import type { Message, World } from '../prelude';

const ROLES = ['OPERATOR_ROLE_FINANCE', 'OPERATOR_ROLE_VIEWER'];
const TOKEN = { name: 'nightly', roles: ROLES };

const createToken = (world: World, more: Message = {}): Promise<Message> =>
  world.call('CreateOperatorToken', { ...TOKEN, ...more });
const beginSession = (world: World): Promise<Message> => world.call('BeginOperatorSession', { roles: ROLES });
const idOf = ({ operator_token }: Message): unknown => (operator_token as Message).id;

const ofToken = async (world: World) => {
  const made = await createToken(world);
  return [world, { token: made.token, id: idOf(made) }] as const;
};
const ofSession = async (world: World) => [world, { session: (await beginSession(world)).session }] as const;

/** Operators' tokens and sessions (spec §18.1, §18.2). */
export const operators = service('OperatorService', {
  AuthenticateOperator: rpc(ofToken, {
    'says who is behind a token, and counts it as the operator who made it': async (use) => {
      const expires_at = new Date(Date.now() + 3_600_000);
      const { token } = await createToken(use, { expires_at });
      const who = await use.call(use.rpc, { token });
      expect(who).toEqual({
        name: 'nightly',
        account: 'idp olga',
        roles: ROLES,
        expires_at: expires_at.toISOString(),
      });
    },
    'says who is in a session, and until when': async (use) => {
      const { session, expires_at } = await beginSession(use);
      const who = await use.call(use.rpc, { session });
      expect(who).toEqual({ name: 'Olga', account: 'idp olga', roles: ROLES, expires_at });
    },
    'notes the last use of a token': async (use, { request: { id }, call }) => {
      await call();
      const used = { id, last_used_at: expect.any(String) };
      expect((await use.list('ListOperatorTokens'))[0]).toMatchObject(used);
    },
    'UNAUTHORIZED_INVALID_TOKEN: an unknown token': { token: `op_${'0'.repeat(43)}` },
    'UNAUTHORIZED_INVALID_TOKEN: a revoked token': ['RevokeOperatorToken', {}],
    'UNAUTHORIZED_INVALID_TOKEN: a session that has ended': async (use) => {
      const { session } = await beginSession(use);
      await use.call('EndOperatorSession', { session });
      return use.call(use.rpc, { session });
    },
    'UNAUTHORIZED_INVALID_TOKEN: neither of the two': { token: undefined },
  }),
  CreateOperatorToken: operatorRpc((world) => [world, TOKEN], {
    'makes a token whose secret is in no list; each call makes another': async (use, { call }) => {
      const made = [await call(), await call()];
      const listed = JSON.stringify(await use.list('ListOperatorTokens'));
      for (const { token } of made) {
        expect(token).toMatch(/^op_[A-Za-z0-9_-]{43}$/);
        expect(listed).not.toContain(token);
      }
      return made.map(({ operator_token }) => operator_token);
    },
  }),
  ListOperatorTokens: lists(async (world) => {
    const made = [await createToken(world), await createToken(world)];
    return [world, made.map(({ operator_token }) => operator_token as Message)];
  }),
  RevokeOperatorToken: operatorRpc(ofToken, {
    'revokes a token': {},
  }),
  UseOperatorSignIn: rpc((world) => [world, { sign_in: randomBytes(32).toString('base64url') }], {
    'uses up an attempt': [{}],
    'UNAUTHORIZED_INVALID_TOKEN: an attempt that was used before': [{}, {}],
  }),
  BeginOperatorSession: operatorRpc((world) => [world, { roles: ROLES }], {
    'begins a session under a secret of 32 random bytes; each call begins another': async (_, { call }) => {
      const sessions = [await call(), await call()].map(({ session }) => String(session));
      for (const session of sessions) expect(Buffer.from(session, 'base64url')).toHaveLength(32);
      expect(new Set(sessions).size).toBe(2);
    },
  }),
  EndOperatorSession: operatorRpc(ofSession, {
    'ends a session; repeated, and of what never was, it changes nothing': [{}, {}, { session: 'none' }],
  }),
});
