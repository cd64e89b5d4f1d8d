import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Environment, PartnerRegistered, PartnerUpdated } from '@reseller/contracts';
import { UNLIMITED, anonymous, byOperator, register, startFixture, type Fixture } from './identity-fixture';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const setFrozen = (partnerId: string, isFrozen: boolean) =>
  fixture.partners.setPartnerFrozen({ partnerId, isFrozen }, byOperator);

/** Whom gateways refuse. */
async function refused(): Promise<string[]> {
  const { frozenPartnerIds } = await fixture.tokens.getRevocations({ knownVersion: '' }, anonymous);
  return frozenPartnerIds;
}

/** What the last event of a partner says of it and those above it. */
async function lastEvent(partnerId: string): Promise<{ isFrozen: boolean; version: number }> {
  const { rows } = await fixture.database.pool.query<{ type: string; payload: Buffer }>(
    'SELECT type, payload FROM outbox WHERE aggregate_id = $1 ORDER BY aggregate_seq DESC LIMIT 1',
    [partnerId],
  );
  const [{ type, payload } = { type: '', payload: Buffer.of() }] = rows;
  const codec = type.endsWith('PartnerRegistered') ? PartnerRegistered : PartnerUpdated;
  const { partner, isFrozenWithAncestors } = codec.decode(payload);
  return { isFrozen: isFrozenWithAncestors, version: partner?.version ?? 0 };
}

describe('limits of credentials (spec §18.6)', () => {
  it('when a credential reaches its end, then it gets no token, and what came of each exchange is on record', async () => {
    const partnerId = await register(fixture, 'Temporary');
    const expiresAt = new Date(fixture.clock.now().getTime() + 60_000);
    const { clientId, clientSecret } = await fixture.partners.createCredential(
      { partnerId, environment: Environment.LIVE, expiresAt, allowedCidrs: ['127.0.0.0/8'] },
      byOperator,
    );
    const request = { clientId, clientSecret, onBehalfOf: undefined, callerAddress: '::ffff:127.0.0.1' };
    await fixture.tokens.issueToken(request, { requestId: 'in-time' });
    const forStranger = { ...request, onBehalfOf: '018f0000-0000-7000-8000-00000000dead' };
    await expect(
      fixture.tokens.issueToken(forStranger, { requestId: 'for-a-stranger' }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN_NOT_YOUR_DESCENDANT' });
    fixture.clock.advance(60_000);
    await expect(fixture.tokens.issueToken(request, { requestId: 'too-late' })).rejects.toMatchObject({
      code: 'UNAUTHORIZED_INVALID_CREDENTIALS',
    });
    const { signIns } = await fixture.partners.listSignIns({ partnerId, page: undefined }, byOperator);
    expect(signIns.map(({ result, requestId }) => [result, requestId])).toEqual([
      ['UNAUTHORIZED_INVALID_CREDENTIALS', 'too-late'],
      ['FORBIDDEN_NOT_YOUR_DESCENDANT', 'for-a-stranger'],
      ['Issued', 'in-time'],
    ]);
    const [used] = (await fixture.partners.listCredentials({ partnerId, page: undefined }, byOperator))
      .credentials;
    expect(used).toMatchObject({
      lastUsedAt: signIns.at(-1)?.at,
      lastUsedFrom: '::ffff:127.0.0.1',
      expiresAt,
    });
    // Its sign-ins go after 90 days; the last use stays, within a day.
    await fixture.database.pool.query('DELETE FROM sign_ins WHERE client_id = $1', [clientId]);
    const [kept] = (await fixture.partners.listCredentials({ partnerId, page: undefined }, byOperator))
      .credentials;
    expect(kept).toMatchObject({ lastUsedAt: expect.any(Date), lastUsedFrom: '::ffff:127.0.0.1' });
  });
});

describe('frozen partners (spec §18.5)', () => {
  it('when partners are frozen, moved and registered all at once, then list and last events agree with the hierarchy', async () => {
    const root = await register(fixture, 'Root');
    const other = await register(fixture, 'Other');
    const middle = await register(fixture, 'Middle', root);
    const leaf = await register(fixture, 'Leaf', middle);
    const [, , , born] = await Promise.all([
      setFrozen(root, true),
      fixture.partners.updatePartner({ partnerId: middle, parentPartnerId: other }, byOperator),
      setFrozen(leaf, true),
      register(fixture, 'Born', root),
      setFrozen(other, true),
      setFrozen(other, false),
    ]);
    const all = [root, other, middle, leaf, born];
    const { rows } = await fixture.database.pool.query<{ id: string; version: number; frozen: boolean }>(
      `SELECT p.id, p.version, EXISTS (SELECT 1 FROM partners a WHERE a.id = ANY (p.path) AND a.is_frozen) AS frozen
       FROM partners p WHERE p.id = ANY ($1::uuid[])`,
      [all],
    );
    const listed = new Set(await refused());
    for (const { id, version, frozen } of rows) {
      expect([id, listed.has(id)]).toEqual([id, frozen]);
      expect([id, await lastEvent(id)]).toEqual([id, { isFrozen: frozen, version }]);
    }
    expect(rows).toHaveLength(all.length);
  });

  it('when nothing was frozen or revoked since, then the version stays, whichever instance is called', async () => {
    const second = await fixture.start();
    const { version } = await fixture.tokens.getRevocations({ knownVersion: '' }, anonymous);
    expect(await second.tokens.getRevocations({ knownVersion: version }, anonymous)).toEqual({
      version,
      isUnchanged: true,
      frozenPartnerIds: [],
      revokedClientIds: [],
      revokedKeyIds: [],
    });
    await setFrozen(await register(fixture, 'Late'), true);
    const next = await second.tokens.getRevocations({ knownVersion: version }, anonymous);
    expect([next.isUnchanged, next.version === version]).toEqual([false, false]);
  });

  it('when a credential was revoked ten minutes ago, then no token of it lives and it is listed no more', async () => {
    const partnerId = await register(fixture, 'Careless');
    const { clientId } = await fixture.partners.createCredential(
      { partnerId, environment: Environment.LIVE, ...UNLIMITED },
      byOperator,
    );
    const isListed = async () =>
      (await fixture.tokens.getRevocations({ knownVersion: '' }, anonymous)).revokedClientIds.includes(
        clientId,
      );
    expect(await isListed()).toBe(false);
    await fixture.partners.revokeCredential({ clientId }, byOperator);
    expect(await isListed()).toBe(true);
    await fixture.database.pool.query(
      `UPDATE credentials SET revoked_at = revoked_at - interval '601 seconds' WHERE client_id = $1`,
      [clientId],
    );
    expect(await isListed()).toBe(false);
  });
});
