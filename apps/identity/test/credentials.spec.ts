import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Environment } from '@reseller/contracts';
import type { AuditRepository } from '../src/audit/audit.repository';
import { ClientSecrets } from '../src/credential/client-secrets';
import { CredentialRepository } from '../src/credential/credential.repository';
import { KeyedHashes, type KeyedHash } from '../src/secret/keyed-hashes';
import type { TokenSigner } from '../src/signing-key/token-signer';
import { SignInRepository } from '../src/credential/sign-in.repository';
import { issueToken } from '../src/token/issue-token';
import { TokenRepository } from '../src/token/token.repository';
import {
  UNLIMITED,
  anonymous,
  byOperator,
  register,
  settings,
  startFixture,
  type Fixture,
} from './identity-fixture';

let fixture: Fixture;
let partnerId: string;
beforeAll(async () => {
  fixture = await startFixture();
  partnerId = await register(fixture, 'Holder');
});
afterAll(() => fixture.stop());

/** Every value of every table, as text. */
async function dump(): Promise<string> {
  const { pool } = fixture.database;
  const { rows: tables } = await pool.query<{ name: string }>(
    "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  const dumps = tables.map(async ({ name }) => {
    const { rows } = await pool.query<Record<string, unknown>>(`SELECT * FROM ${name}`);
    const asText = (value: unknown): string =>
      Buffer.isBuffer(value)
        ? `${value.toString('latin1')} ${value.toString('hex')}`
        : (JSON.stringify(value) ?? '');
    return rows.map((row) => Object.values(row).map(asText).join(' ')).join('\n');
  });
  return (await Promise.all(dumps)).join('\n');
}

class CountingHashes extends KeyedHashes {
  made = 0;
  override makeUnder(keyId: string, text: string): Uint8Array<ArrayBuffer> | undefined {
    this.made += 1;
    return super.makeUnder(keyId, text);
  }
  override make(text: string): KeyedHash {
    this.made += 1;
    return super.make(text);
  }
}

describe('credentials', () => {
  it('when a credential is made, then its secret is 32 random bytes and stored nowhere, in no spelling', async () => {
    const made = await fixture.partners.createCredential(
      { partnerId, environment: Environment.SANDBOX, ...UNLIMITED },
      byOperator,
    );
    expect(made).toMatchObject({ partnerId, environment: Environment.SANDBOX });
    expect(made.clientId).toMatch(/^pk_sandbox_[0-9a-f]{32}$/);
    const bytes = Buffer.from(made.clientSecret, 'base64url');
    expect(bytes).toHaveLength(32);
    expect(bytes.toString('base64url')).toBe(made.clientSecret);

    await fixture.tokens.issueToken({ clientId: made.clientId, clientSecret: made.clientSecret }, anonymous);
    const everything = await dump();
    expect(everything).toContain(made.clientId);
    for (const spelling of [
      made.clientSecret,
      bytes.toString('hex'),
      bytes.toString('latin1'),
      bytes.toString('base64'),
    ]) {
      expect(everything).not.toContain(spelling);
    }
  });

  it('when what limits a credential is unfit, then every fault is named; 50 networks are none, and are on record (spec §18.6)', async () => {
    const make = (environment: Environment, allowedCidrs: string[], expiresAt?: Date) =>
      fixture.partners.createCredential({ partnerId, environment, allowedCidrs, expiresAt }, byOperator);
    const most = Array.from({ length: 50 }, () => '203.0.113.0/24');
    const paths = ['allowedCidrs.50', 'allowedCidrs', 'expiresAt', 'environment'];
    await expect(
      make(Environment.UNSPECIFIED, [...most, '203.0.113.0/33'], fixture.clock.now()),
    ).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { errors: paths.map((path) => ({ path, message: expect.stringMatching(/^must be /) })) },
    });
    const { clientId } = await make(Environment.LIVE, most);
    const request = { page: undefined, partnerId, fromAt: undefined, toAt: undefined };
    const { entries } = await fixture.audit.listAuditEntries(request, byOperator);
    expect(entries[0]).toMatchObject({ action: 'credential.create', subject: clientId });
    const details = { environment: 'live', expiresAt: null, allowedCidrs: most };
    expect(JSON.parse(entries[0]?.detailsJson ?? '')).toEqual(details);
  });

  it('when a private signing key is stored, then no part of it can be read', async () => {
    const everything = await dump();
    expect(everything).not.toContain('PRIVATE KEY');
    expect(everything).not.toContain('"d":');
  });

  it('when the client id is unknown, then the same statements run and the same hashes are made as for a wrong secret', async () => {
    const made = await fixture.partners.createCredential(
      { partnerId, environment: Environment.LIVE, ...UNLIMITED },
      byOperator,
    );
    const work = async (
      clientId: string,
    ): Promise<{ statements: unknown[]; hashes: number; code: unknown }> => {
      const client = await fixture.database.pool.connect();
      const hashes = new CountingHashes(settings.CREDENTIAL_HASH_KEY);
      const secrets = new ClientSecrets(hashes);
      const statements: unknown[] = [];
      const query = client.query.bind(client) as (config: { text: string }) => unknown;
      Object.assign(client, {
        query: (config: { text: string }) => (statements.push(config.text), query(config)),
      });
      hashes.made = 0;
      try {
        const deps = {
          tokens: new TokenRepository(client),
          credentials: new CredentialRepository(fixture.prisma, fixture.database.servicePool),
          secrets,
          signer: {} as TokenSigner,
          audit: {} as AuditRepository,
          clock: fixture.clock,
          issuer: '',
          signIns: new SignInRepository(fixture.prisma, client),
        };
        const failure = await issueToken(deps, 'r', { clientId, clientSecret: 'wrong' }).catch(
          (error: unknown) => error,
        );
        return { statements, hashes: hashes.made, code: (failure as { code?: unknown }).code };
      } finally {
        Object.assign(client, { query });
        client.release(true);
      }
    };
    const wrongSecret = await work(made.clientId);
    expect(wrongSecret).toMatchObject({
      statements: [expect.any(String), expect.any(String)],
      hashes: 1,
      code: 'UNAUTHORIZED_INVALID_CREDENTIALS',
    });
    expect(await work('pk_live_00000000000000000000000000000000')).toEqual(wrongSecret);
    expect(await work('\u0000')).toEqual(wrongSecret);
  });

  it('when a credential is revoked twice, then the first revocation is returned and audited once', async () => {
    const { clientId } = await fixture.partners.createCredential(
      { partnerId, environment: Environment.LIVE, ...UNLIMITED },
      byOperator,
    );
    const revocations = await Promise.all(
      Array.from({ length: 5 }, () => fixture.partners.revokeCredential({ clientId }, byOperator)),
    );
    expect(new Set(revocations.map(({ revokedAt }) => revokedAt?.getTime())).size).toBe(1);
    expect(revocations[0]).toMatchObject({ clientId, partnerId, environment: Environment.LIVE });
    const request = { page: { page: 1, pageSize: 100 }, partnerId, fromAt: undefined, toAt: undefined };
    const { entries } = await fixture.audit.listAuditEntries(request, byOperator);
    const about = entries.filter(({ subject }) => subject === clientId).map(({ action }) => action);
    expect(about).toEqual(['credential.revoke', 'credential.create']);
  });

  it.each(['', '\u0000'])('when the client id is %j, then there is no such credential', async (clientId) => {
    await expect(fixture.partners.revokeCredential({ clientId }, byOperator)).rejects.toMatchObject({
      code: 'NOT_FOUND_CREDENTIAL',
    });
  });
});
