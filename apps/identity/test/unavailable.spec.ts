import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ActorType, Environment, OperatorRole } from '@reseller/contracts';
import { createPool } from '@reseller/database';
import { eventually, freePort, silentLog } from '@reseller/testing';
import { PartnerRepository } from '../src/partner/partner.repository';
import { createTransact } from '../src/transaction';
import {
  UNLIMITED,
  anonymous,
  byOperator,
  register,
  serveOver,
  startFixture,
  type Fixture,
  type Instance,
} from './identity-fixture';

const id = '018f0000-0000-7000-8000-00000000dead';

/** Every RPC of identity, with a request that would be served were the database there. */
function everyCall({ tokens, partners, audit, operators }: Instance): Record<string, () => Promise<unknown>> {
  const entry = {
    entryId: id,
    actorType: ActorType.OPERATOR,
    operator: 'Olga',
    action: 'a',
    requestId: 'r',
    detailsJson: '',
  };
  const roles = [OperatorRole.VIEWER];
  return {
    IssueToken: () => tokens.issueToken({ clientId: 'pk_live_0', clientSecret: 'x' }, anonymous),
    GetJwks: () => tokens.getJwks({}, anonymous),
    CreatePartner: () => partners.createPartner({ name: 'x' }, byOperator),
    UpdatePartner: () => partners.updatePartner({ partnerId: id, name: 'x' }, byOperator),
    GetPartner: () => partners.getPartner({ partnerId: id }, byOperator),
    ListPartners: () => partners.listPartners({ page: undefined }, byOperator),
    CreateCredential: () =>
      partners.createCredential({ partnerId: id, environment: Environment.LIVE, ...UNLIMITED }, byOperator),
    RevokeCredential: () => partners.revokeCredential({ clientId: 'pk_live_0' }, byOperator),
    RecordAuditEntry: () => audit.recordAuditEntry(entry, byOperator),
    ListAuditEntries: () =>
      audit.listAuditEntries({ page: undefined, fromAt: undefined, toAt: undefined }, byOperator),
    AuthenticateOperator: () => operators.authenticateOperator({ token: 'op_x' }, anonymous),
    CreateOperatorToken: () =>
      operators.createOperatorToken({ name: 'x', roles, expiresAt: undefined }, byOperator),
    ListOperatorTokens: () => operators.listOperatorTokens({ page: undefined }, byOperator),
    RevokeOperatorToken: () => operators.revokeOperatorToken({ id }, byOperator),
    UseOperatorSignIn: () => operators.useOperatorSignIn({ signIn: 'x'.repeat(43) }, anonymous),
    BeginOperatorSession: () => operators.beginOperatorSession({ roles }, byOperator),
    EndOperatorSession: () => operators.endOperatorSession({ session: 'x' }, byOperator),
  };
}

describe('without its database', () => {
  let fixture: Fixture;
  let instance: Instance;
  beforeAll(async () => {
    fixture = await startFixture();
    const connectionString = `postgresql://postgres@127.0.0.1:${await freePort()}/nowhere`;
    const pool = createPool({ connectionString, max: 2, name: 'nowhere', log: silentLog });
    instance = await serveOver(pool, fixture.clock);
  });
  afterAll(async () => {
    await instance.stop();
    await fixture.stop();
  });

  it('when any RPC is called, then it is SERVICE_UNAVAILABLE', async () => {
    const calls = Object.entries(everyCall(instance));
    const codes = await Promise.all(
      calls.map(async ([name, call]) => [name, await call().catch((error: { code: string }) => error.code)]),
    );
    expect(codes).toEqual(calls.map(([name]) => [name, 'SERVICE_UNAVAILABLE']));
  });

  it('when more reads stand in line for a connection than may, then the rest is SERVICE_UNAVAILABLE at once', async () => {
    const connectionString = fixture.database.serviceUrl;
    const pool = createPool({ connectionString, max: 1, name: 'busy', log: silentLog });
    const busy = await serveOver(pool, fixture.clock);
    const taken = await pool.connect();
    const refusals: string[] = [];
    const calls = Array.from({ length: 100 }, () =>
      busy.operators
        .listOperatorTokens({ page: undefined }, byOperator)
        .catch((error: { code: string }) => refusals.push(error.code)),
    );
    await eventually(() => expect(refusals.length).toBeGreaterThan(0));
    taken.release();
    await Promise.all(calls);
    expect(refusals.length).toBeLessThan(calls.length);
    expect(new Set(refusals)).toEqual(new Set(['SERVICE_UNAVAILABLE']));
    await busy.stop();
  });

  it('when the connection is cut in the middle of a change, then the caller gets SERVICE_UNAVAILABLE, and a repeat works', async () => {
    const { pool } = fixture.database;
    const parentPartnerId = await register(fixture, 'Parent');
    const change = await createTransact(fixture.prisma)(async (tx) => {
      // Whoever registers a partner below another waits behind this lock, in the middle of its transaction.
      await new PartnerRepository(fixture.prisma, pool).lockHierarchy(tx);
      const code = register(fixture, 'Child', parentPartnerId).catch((error: { code: string }) => error.code);
      await eventually(async () => {
        const { rowCount } = await pool.query(
          "SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database d ON d.oid = database WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted",
        );
        expect(rowCount).toBe(1);
      });
      return { code };
    });
    expect(await change.code).toBe('SERVICE_UNAVAILABLE');
    await register(fixture, 'Child', parentPartnerId);
  });
});
