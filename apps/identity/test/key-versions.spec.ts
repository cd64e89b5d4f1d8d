import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Environment, OperatorRole } from '@reseller/contracts';
import { SecretSeal } from '@reseller/service-kit';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { randomBytes } from 'node:crypto';
import { AuditRepository } from '../src/audit/audit.repository';
import { revokeSigningKeys } from '../src/signing-key/revoke-signing-keys';
import { SigningKeyRepository } from '../src/signing-key/signing-key.repository';
import { createTransact } from '../src/transaction';
import {
  UNLIMITED,
  anonymous,
  byOperator,
  register,
  settings,
  startFixture,
  type Fixture,
  type Instance,
  type Settings,
} from './identity-fixture';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await startFixture();
});
afterEach(() => fixture.stop());

const makeCredential = async () =>
  fixture.partners.createCredential(
    { partnerId: await register(fixture, 'Acme'), environment: Environment.LIVE, ...UNLIMITED },
    byOperator,
  );
type Credential = Awaited<ReturnType<typeof makeCredential>>;

const issue = ({ clientId, clientSecret }: Credential, by: Instance = fixture) =>
  by.tokens.issueToken({ clientId, clientSecret }, anonymous);

const jwksOf = async (by: Instance): Promise<JSONWebKeySet> =>
  JSON.parse((await by.tokens.getJwks({}, anonymous)).jwksJson) as JSONWebKeySet;

/** The settings with a new key behind, before, and instead of the present one. */
function rotationOf(): Partial<Settings>[] {
  const old = [settings.CREDENTIAL_HASH_KEY, settings.KEY_ENCRYPTION_KEY] as const;
  const hash = { id: 'next', key: randomBytes(32).toString('hex') };
  const seal = { id: 'next', key: randomBytes(32) };
  return [
    { CREDENTIAL_HASH_KEY: [...old[0], hash], KEY_ENCRYPTION_KEY: [...old[1], seal] },
    { CREDENTIAL_HASH_KEY: [hash, ...old[0]], KEY_ENCRYPTION_KEY: [seal, ...old[1]] },
    { CREDENTIAL_HASH_KEY: [hash], KEY_ENCRYPTION_KEY: [seal] },
  ];
}

describe('the keys of hashes and seals', () => {
  it('when both are replaced one instance after the other, under load, then no request is refused', async () => {
    const [credential, { token, operatorToken }] = await Promise.all([
      makeCredential(),
      fixture.operators.createOperatorToken(
        { name: 'nightly', roles: [OperatorRole.VIEWER], expiresAt: undefined },
        byOperator,
      ),
    ]);
    const { session } = await fixture.operators.beginOperatorSession(
      { roles: [OperatorRole.VIEWER] },
      byOperator,
    );
    let instances: Instance[] = [fixture, await fixture.start()];
    const served = [0, 0];
    let isOver = false;
    // Every call that fails rejects here.
    const load = async (index: number): Promise<void> => {
      while (!isOver) {
        for (const instance of instances) {
          await issue(credential, instance);
          await instance.operators.authenticateOperator({ token }, anonymous);
          await instance.operators.authenticateOperator({ session }, anonymous);
        }
        served[index] = (served[index] ?? 0) + 1;
      }
    };
    // Nobody calls an instance that was replaced any more, and each that replaced one was called.
    const roundsLater = async (): Promise<void> => {
      const targets = served.map((count) => count + 3);
      while (served.some((count, index) => count < (targets[index] ?? 0))) await new Promise(setImmediate);
    };
    const loads = Promise.all([load(0), load(1)]);
    for (const config of rotationOf()) {
      for (const index of [0, 1]) {
        const next = await fixture.start(fixture.clock, config);
        await next.identity.openKeys();
        instances = instances.map((instance, at) => (at === index ? next : instance));
        await Promise.race([roundsLater(), loads]);
      }
    }
    isOver = true;
    await loads;
    const { rows } = await fixture.database.pool.query(
      `SELECT hash_key_id FROM credentials UNION ALL SELECT hash_key_id FROM operator_tokens WHERE id = $1
       UNION ALL SELECT sealed_by FROM signing_keys`,
      [operatorToken?.id],
    );
    expect(rows).toEqual(Array(3).fill({ hash_key_id: 'next' }));
  });

  it('when the old hash key is taken out before its credential was used, then identity does not start and says what needs it', async () => {
    await makeCredential();
    const [, second, third] = rotationOf();
    const early = await fixture.start(fixture.clock, {
      CREDENTIAL_HASH_KEY: third?.CREDENTIAL_HASH_KEY ?? [],
    });
    await expect(early.identity.openKeys()).rejects.toThrow(
      'CREDENTIAL_HASH_KEY has no key 0, which 1 credentials',
    );
    const kept = await fixture.start(fixture.clock, second);
    await kept.identity.openKeys();
  });
});

describe('signing keys that leaked', () => {
  const revoke = () => {
    fixture.clock.advance(1);
    return revokeSigningKeys(
      {
        transact: createTransact(fixture.prisma),
        signingKeys: new SigningKeyRepository(fixture.prisma),
        seal: new SecretSeal('KEY_ENCRYPTION_KEY', settings.KEY_ENCRYPTION_KEY),
        audit: new AuditRepository(fixture.prisma, fixture.database.servicePool),
        clock: fixture.clock,
      },
      { actorType: 'operator', operator: 'keys command', requestId: 'leak' },
    );
  };

  it('when they are revoked, then every instance signs with a new one at once, and says which to refuse', async () => {
    const credential = await makeCredential();
    const other = await fixture.start();
    const before = [await issue(credential), await issue(credential, other)];
    const { revoked, created } = await revoke();
    expect(revoked).toHaveLength(1);
    for (const instance of [fixture, other]) {
      const { keys } = await jwksOf(instance);
      expect(keys.map(({ kid }) => kid)).toEqual([created]);
      const { accessToken } = await issue(credential, instance);
      const verified = await jwtVerify(accessToken, createLocalJWKSet({ keys }), {
        currentDate: fixture.clock.now(),
      });
      expect(verified.protectedHeader.kid).toBe(created);
      for (const old of before)
        await expect(jwtVerify(old.accessToken, createLocalJWKSet({ keys }))).rejects.toThrow();
      const { revokedKeyIds } = await instance.tokens.getRevocations({ knownVersion: '' }, anonymous);
      expect(revokedKeyIds).toEqual(revoked);
    }
  });

  it('when the next one was made already, then it is revoked too, and the rotation goes on from the new one', async () => {
    fixture.clock.advance(settings.KEY_ROTATION_MS - 60_000);
    await fixture.identity.rotateKeys();
    const { revoked, created } = await revoke();
    expect(revoked).toHaveLength(2);
    fixture.clock.advance(60 * 60_000);
    expect((await fixture.identity.rotateKeys()).created).toBeUndefined();
    expect((await jwksOf(fixture)).keys.map(({ kid }) => kid)).toEqual([created]);
    const { rows } = await fixture.database.pool.query('SELECT key_id FROM signing_keys');
    expect(rows).toEqual([{ key_id: created }]);
  });

  it('when they are revoked twice at the same time, then each revocation ends with one good key', async () => {
    const results = await Promise.allSettled([revoke(), revoke()]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect((await jwksOf(fixture)).keys).toHaveLength(1);
  });
});
