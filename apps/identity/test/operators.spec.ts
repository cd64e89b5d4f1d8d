import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorRole } from '@reseller/contracts';
import { anonymous, byOperator, SESSION_MS, settings, startFixture, type Fixture } from './identity-fixture';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const { VIEWER, FINANCE, ADMIN } = OperatorRole;
const inMs = (ms: number): Date => new Date(fixture.clock.now().getTime() + ms);
const refused = { code: 'UNAUTHORIZED_INVALID_TOKEN' };

const createToken = (fields: { name?: string; roles?: OperatorRole[]; expiresAt?: Date } = {}) =>
  fixture.operators.createOperatorToken(
    { name: 'nightly', roles: [VIEWER], expiresAt: undefined, ...fields },
    byOperator,
  );
const whoIs = (token: string) => fixture.operators.authenticateOperator({ token }, anonymous);
const beginSession = () => fixture.operators.beginOperatorSession({ roles: [FINANCE, VIEWER] }, byOperator);
const whoIsIn = (session: string) => fixture.operators.authenticateOperator({ session }, anonymous);

/** The operators' actions in the audit that are about this, newest first. */
async function auditOf(subject: string): Promise<string[]> {
  const request = { page: { page: 1, pageSize: 100 }, fromAt: undefined, toAt: undefined };
  const { entries } = await fixture.audit.listAuditEntries(request, byOperator);
  return entries
    .filter((entry) => entry.subject === subject)
    .map(({ operator, action }) => `${operator} ${action}`);
}

/** Whether a text stands in any table of operators, in any spelling of its bytes. */
async function isStored(secret: string): Promise<boolean> {
  const tables = ['operator_tokens', 'operator_sessions', 'operator_sign_ins', 'audit_entries'];
  const dumps = await Promise.all(
    tables.map((table) =>
      fixture.database.pool.query<{ row: string }>(`SELECT t::text AS row FROM ${table} AS t`),
    ),
  );
  const all = dumps.flatMap(({ rows }) => rows.map(({ row }) => row)).join('\n');
  return [secret, Buffer.from(secret).toString('hex')].some((spelling) => all.includes(spelling));
}

describe('operator tokens (spec §18.1)', () => {
  it('when one is made, then it is 32 random bytes behind op_, kept only as a hash, and counts as its maker', async () => {
    const { token, operatorToken } = await createToken({ roles: [FINANCE, ADMIN] });
    expect(token).toMatch(/^op_[A-Za-z0-9_-]{43}$/);
    expect(await isStored(token)).toBe(false);
    expect(await whoIs(token)).toMatchObject({
      name: 'nightly',
      account: 'https://idp olga',
      roles: [FINANCE, ADMIN],
      expiresAt: undefined,
    });
    expect(await auditOf(operatorToken?.id ?? '')).toEqual(['Olga operator-token.create']);
  });

  it('when it is used, then its last use is noted, once a second', async () => {
    const { token, operatorToken } = await createToken();
    expect(operatorToken?.lastUsedAt).toBeUndefined();
    const lastUse = async () => {
      await whoIs(token);
      const { operatorTokens } = await fixture.operators.listOperatorTokens({ page: undefined }, byOperator);
      return operatorTokens.find(({ id }) => id === operatorToken?.id)?.lastUsedAt;
    };
    const first = await lastUse();
    expect(first).toEqual(fixture.clock.now());
    fixture.clock.advance(500);
    expect(await lastUse()).toEqual(first);
    fixture.clock.advance(501);
    expect(await lastUse()).toEqual(fixture.clock.now());
  });

  it('when it is past its end, then it is refused', async () => {
    const { token } = await createToken({ expiresAt: inMs(1_000) });
    expect((await whoIs(token)).expiresAt).toEqual(inMs(1_000));
    fixture.clock.advance(1_000);
    await expect(whoIs(token)).rejects.toMatchObject(refused);
  });

  it('when it is revoked, then it is refused at once; a second time returns the first revocation and audits nothing', async () => {
    const { token, operatorToken } = await createToken();
    const id = operatorToken?.id ?? '';
    const revoke = () => fixture.operators.revokeOperatorToken({ id }, byOperator);
    const first = await revoke();
    await expect(whoIs(token)).rejects.toMatchObject(refused);
    fixture.clock.advance(1_000);
    expect(await Promise.all([revoke(), revoke()])).toEqual([first, first]);
    expect(await auditOf(id)).toEqual(['Olga operator-token.revoke', 'Olga operator-token.create']);
  });

  it('when it is unfit, then every fault is named', async () => {
    await expect(
      createToken({ name: ' ', roles: [VIEWER, VIEWER], expiresAt: fixture.clock.now() }),
    ).rejects.toMatchObject({
      details: { errors: ['roles', 'name', 'expiresAt'].map((path) => expect.objectContaining({ path })) },
    });
    for (const roles of [[], [OperatorRole.UNSPECIFIED]])
      await expect(createToken({ roles })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('when a token is seeded again after it was revoked, then it stays revoked', async () => {
    const seeded = settings.LOCAL_OPERATOR_TOKEN;
    await Promise.all([1, 2].map(() => fixture.identity.seedOperatorToken()));
    expect(await whoIs(seeded)).toMatchObject({ name: 'local', roles: [ADMIN] });
    const { operatorTokens } = await fixture.operators.listOperatorTokens({ page: undefined }, byOperator);
    const [only, ...others] = operatorTokens.filter(({ name }) => name === 'local');
    expect(others).toEqual([]);
    await fixture.operators.revokeOperatorToken({ id: only?.id ?? '' }, byOperator);
    await fixture.identity.seedOperatorToken();
    await expect(whoIs(seeded)).rejects.toMatchObject(refused);
  });
});

describe('sessions of operators (spec §18.1)', () => {
  it('when one begins, then it is 32 random bytes kept only as a hash, and its use does not lengthen it', async () => {
    const { session, expiresAt } = await beginSession();
    expect(Buffer.from(session, 'base64url')).toHaveLength(32);
    expect(await isStored(session)).toBe(false);
    expect(expiresAt).toEqual(inMs(SESSION_MS));
    const olga = { name: 'Olga', account: 'https://idp olga', roles: [FINANCE, VIEWER], expiresAt };
    expect(await whoIsIn(session)).toEqual(olga);
    fixture.clock.advance(SESSION_MS - 1);
    expect(await whoIsIn(session)).toEqual(olga);
    fixture.clock.advance(1);
    await expect(whoIsIn(session)).rejects.toMatchObject(refused);
  });

  it('when it is ended, then it is refused at once, and both are in the audit', async () => {
    const { session } = await beginSession();
    const end = () => fixture.operators.endOperatorSession({ session }, byOperator);
    await Promise.all([end(), end()]);
    await expect(whoIsIn(session)).rejects.toMatchObject(refused);
    expect((await auditOf('https://idp olga')).slice(0, 2)).toEqual([
      'Olga operator.sign-out',
      'Olga operator.sign-in',
    ]);
  });

  it('when a session is shown as a token, or a token as a session, then it is refused', async () => {
    const [{ session }, { token }] = await Promise.all([beginSession(), createToken()]);
    await expect(whoIs(session)).rejects.toMatchObject(refused);
    await expect(whoIsIn(token)).rejects.toMatchObject(refused);
    await expect(fixture.operators.authenticateOperator({}, anonymous)).rejects.toMatchObject(refused);
  });

  it('when an attempt to sign in is used several times at once, then one has it', async () => {
    const signIn = 'a'.repeat(43);
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () =>
        fixture.operators.useOperatorSignIn({ signIn }, anonymous).then(
          () => 'used',
          (error: { code: string }) => error.code,
        ),
      ),
    );
    expect(outcomes.sort()).toEqual([...Array<string>(4).fill(refused.code), 'used']);
    expect(await isStored(signIn)).toBe(false);
  });
});
