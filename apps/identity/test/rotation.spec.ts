import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Environment, type CreateCredentialResponse } from '@reseller/contracts';
import { FakeClock } from '@reseller/testing';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import {
  UNLIMITED,
  ROTATION_MS,
  anonymous,
  byOperator,
  register,
  startFixture,
  type Fixture,
  type Instance,
} from './identity-fixture';

let fixture: Fixture;
let credential: CreateCredentialResponse;
beforeEach(async () => {
  fixture = await startFixture();
  const partnerId = await register(fixture, 'Acme');
  credential = await fixture.partners.createCredential(
    { partnerId, environment: Environment.LIVE, ...UNLIMITED },
    byOperator,
  );
});
afterEach(() => fixture.stop());

const MINUTE = 60_000;

async function issue(by: Instance): Promise<string> {
  const { clientId, clientSecret } = credential;
  return (await by.tokens.issueToken({ clientId, clientSecret }, anonymous)).accessToken;
}

async function fetchKeys(from: Instance): Promise<JSONWebKeySet> {
  return JSON.parse((await from.tokens.getJwks({}, anonymous)).jwksJson) as JSONWebKeySet;
}

async function verifies(token: string, keys: JSONWebKeySet): Promise<boolean> {
  const options = { audience: 'partner-api', currentDate: fixture.clock.now(), clockTolerance: 60 };
  return jwtVerify(token, createLocalJWKSet(keys), options).then(
    () => true,
    () => false,
  );
}

const kidOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;

describe('signing keys', () => {
  it('when keys rotate under two instances, then every token verifies against any key set a verifier may still hold', async () => {
    // The other instance's clock is a little behind.
    const behind = new FakeClock(new Date(fixture.clock.now().getTime() - 20_000));
    const other = await fixture.start(behind);
    const advance = (ms: number): void => [fixture.clock, behind].forEach((clock) => clock.advance(ms));
    const usedKeys = new Set<string>();
    let cached: { keys: JSONWebKeySet; at: number }[] = [];
    let alive: { token: string; until: number }[] = [];

    const lookAround = async (): Promise<void> => {
      await Promise.all([fixture.identity.rotateKeys(), other.identity.rotateKeys()]);
      const now = fixture.clock.now().getTime();
      for (const instance of [fixture, other]) {
        cached.push({ keys: await fetchKeys(instance), at: now });
        const token = await issue(instance);
        usedKeys.add(kidOf(token));
        alive.push({ token, until: now + 300_000 });
      }
      // A verifier may hold any key set fetched in the last five minutes, and meet any token that is alive.
      cached = cached.filter(({ at }) => now - at <= 300_000);
      alive = alive.filter(({ until }) => until > now);
      for (const { token } of alive) {
        for (const { keys } of cached) expect(await verifies(token, keys)).toBe(true);
      }
    };

    for (let rotation = 0; rotation < 2; rotation += 1) {
      await lookAround();
      advance(ROTATION_MS - 20 * MINUTE);
      for (let minute = 0; minute < 40; minute += 1) {
        await lookAround();
        advance(MINUTE);
      }
    }
    expect(usedKeys.size).toBe(3);
  });

  it('when many instances find that a key is due, then exactly one is made', async () => {
    const instances = await Promise.all(Array.from({ length: 5 }, () => fixture.start()));
    fixture.clock.advance(ROTATION_MS);
    const results = await Promise.all(instances.map(({ identity }) => identity.rotateKeys()));
    expect(results.filter(({ created }) => created !== undefined)).toHaveLength(1);
    const { rows } = await fixture.database.pool.query('SELECT generation FROM signing_keys ORDER BY 1');
    expect(rows).toEqual([{ generation: 1 }, { generation: 2 }]);
  });

  it('when a key is no longer published, then its private half is gone from the database', async () => {
    const [first] = (await fetchKeys(fixture)).keys;
    fixture.clock.advance(ROTATION_MS);
    await fixture.identity.rotateKeys();
    fixture.clock.advance(60 * MINUTE);
    expect(await fixture.identity.rotateKeys()).toEqual({ created: undefined, forgotten: 1 });
    const { keys } = await fetchKeys(fixture);
    expect(keys).toHaveLength(1);
    expect(keys[0]?.kid).not.toBe(first?.kid);
    const { rows } = await fixture.database.pool.query('SELECT 1 FROM signing_keys WHERE key_id = $1', [
      first?.kid,
    ]);
    expect(rows).toEqual([]);
  });
});
