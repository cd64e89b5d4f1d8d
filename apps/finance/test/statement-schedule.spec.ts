import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeIdentity, identityPartner } from '@reseller/contract-testing';
import { createPool, createPrismaAdapter } from '@reseller/database';
import { PartnerServiceService } from '@reseller/contracts';
import { createRpcClient } from '@reseller/rpc';
import { runService } from '@reseller/service-kit';
import { eventually, silentLog } from '@reseller/testing';
import { PrismaClient } from '../src/generated/prisma/client';
import { describeService } from '../src/service';
import { PartnerDirectory } from '../src/partner/partner-directory';
import type { StatementDeps } from '../src/statement/create-statement';
import { LimitRepository } from '../src/limit/limit.repository';
import { issueDueStatements } from '../src/statement/issue-due-statements';
import { LedgerReportRepository } from '../src/statement/ledger-report.repository';
import { ReportQueue } from '../src/statement/report-queue';
import { VerificationRepository } from '../src/statement/verification.repository';
import { StatementRepository } from '../src/statement/statement.repository';
import { verifyStatement } from '../src/statement/verify-statement';
import { WalletRepository } from '../src/wallet/wallet.repository';
import {
  MIGRATIONS,
  newPartner,
  NOWHERE,
  startFinanceService,
  type FinanceService,
  type TestPartner,
} from './finance-service';

let identity: FakeIdentity;
let finance: FinanceService;
let deps: StatementDeps;
let close: () => Promise<void>;

beforeAll(async () => {
  identity = await new FakeIdentity().start();
  finance = await startFinanceService({ IDENTITY_ADDRESS: identity.address });
  const pool = createPool({
    connectionString: finance.database.serviceUrl,
    max: 6,
    name: 'schedule',
    log: silentLog,
  });
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) });
  const client = createRpcClient(PartnerServiceService, identity.address, {
    name: 'identity',
    defaultDeadlineMs: 60_000,
  });
  deps = {
    statements: new StatementRepository(prisma),
    ledgerReports: new LedgerReportRepository(pool),
    wallets: new WalletRepository(pool, prisma, new LimitRepository(pool)),
    directory: new PartnerDirectory(client),
    queue: new ReportQueue(2),
    platformTaxRegistrationNumber: undefined,
    hasMailServer: false,
  };
  close = async () => {
    client.close();
    await prisma.$disconnect();
    await pool.end();
  };
});
afterAll(async () => {
  await close();
  await finance.stop();
  await identity.stop();
});

async function walletOpenedAt(openedAt: string, isKnown = true): Promise<TestPartner> {
  const partner = newPartner();
  if (isKnown) identity.partners.set(partner.partnerId, identityPartner(partner.partnerId));
  await finance.wallets.openWallet(partner.ref, partner.call);
  await finance.database.pool.query('UPDATE wallets SET opened_at = $2 WHERE partner_id = $1', [
    partner.partnerId,
    openedAt,
  ]);
  return partner;
}

async function periodsOf(partner: TestPartner): Promise<[number, string, string][]> {
  const { statements } = await finance.statements.listStatements(
    { page: { page: 1, pageSize: 100 } },
    partner.call,
  );
  return statements
    .map(({ document }): [number, string, string] => [
      document?.sequenceNumber ?? 0,
      document?.periodFromAt?.toISOString() ?? '',
      document?.periodToAt?.toISOString() ?? '',
    ])
    .reverse();
}

const issue = (now: string) => issueDueStatements(deps, { now: new Date(now), log: silentLog });

describe('the monthly job', () => {
  it('when months were missed, then each is made once, in order, from the wallet’s opening, by any number of instances', async () => {
    const partners = await Promise.all(
      Array.from({ length: 3 }, () => walletOpenedAt('2025-11-15T10:20:30.456789Z')),
    );
    await Promise.all(Array.from({ length: 4 }, () => issue('2026-02-01T00:00:00.000Z')));
    // Whoever met another instance left the rest to the next run.
    await issue('2026-02-01T00:00:00.000Z');
    for (const partner of partners) {
      expect(await periodsOf(partner)).toEqual([
        [1, '2025-11-15T10:20:30.456Z', '2025-12-01T00:00:00.000Z'],
        [2, '2025-12-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
        [3, '2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
      ]);
    }
    expect(await issue('2026-02-28T23:59:59.999Z')).toBe(0);
    expect(await issue('2026-03-01T00:00:00.000Z')).toBe(3);
  });

  it('when an operator cut a month short, then the job goes on from there to the month’s end', async () => {
    const partner = await walletOpenedAt('2026-05-01T00:00:00Z');
    await finance.statementOperations.createStatement(
      {
        ...partner.ref,
        periodFromAt: new Date('2026-05-01T00:00:00Z'),
        periodToAt: new Date('2026-05-20T12:00:00Z'),
      },
      partner.call,
    );
    await issue('2026-06-02T00:00:00Z');
    expect((await periodsOf(partner)).slice(1)).toEqual([
      [2, '2026-05-20T12:00:00.000Z', '2026-06-01T00:00:00.000Z'],
    ]);
  });

  it('when one wallet fails, then the others have their statements', async () => {
    const broken = await Promise.all([
      walletOpenedAt('2026-07-03T00:00:00Z', false),
      walletOpenedAt('2026-07-03T00:00:00Z', false),
    ]);
    const whole = await walletOpenedAt('2026-07-03T00:00:00Z');
    await issue('2026-08-01T00:00:00Z');
    expect(await periodsOf(whole)).toHaveLength(1);
    for (const partner of broken) expect(await periodsOf(partner)).toEqual([]);
  });

  it('when identity is away, then it ends there, and makes them once it is back', async () => {
    const partner = await walletOpenedAt('2026-08-03T00:00:00Z');
    const nobody = createRpcClient(PartnerServiceService, NOWHERE, {
      name: 'identity',
      defaultDeadlineMs: 2_000,
    });
    const away = { ...deps, directory: new PartnerDirectory(nobody) };
    const now = new Date('2026-09-01T00:00:00Z');
    await expect(issueDueStatements(away, { now, log: silentLog })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    nobody.close();
    expect(await periodsOf(partner)).toEqual([]);
    await issueDueStatements(deps, { now, log: silentLog });
    expect(await periodsOf(partner)).toHaveLength(1);
  });

  it('when a service runs with the schedule, then it makes the statements of its own accord', async () => {
    const partner = await walletOpenedAt('2026-09-03T00:00:00Z');
    const scheduled = await runService(describeService(MIGRATIONS), {
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      DATABASE_URL: finance.database.serviceUrl,
      EVENT_BUS_URL: finance.bus.url,
      IDENTITY_ADDRESS: identity.address,
      STATEMENT_SCHEDULE: 'on',
    });
    try {
      await eventually(async () => expect(await periodsOf(partner)).not.toEqual([]));
    } finally {
      await scheduled.stop();
    }
  });
});

describe('verifying a statement with the ledger', () => {
  const make = async () => {
    const partner = await walletOpenedAt('2026-01-01T00:00:00Z');
    for (const key of ['a', 'b', 'c']) {
      await finance.wallets.creditWallet(
        { ...partner.ref, amount: '10.00', notes: key, idempotencyKey: key },
        partner.call,
      );
    }
    const { statement } = await finance.statementOperations.createStatement(
      { ...partner.ref, periodFromAt: new Date('2026-01-01T00:00:00Z'), periodToAt: new Date() },
      partner.call,
    );
    return (await deps.statements.find(statement?.id ?? ''))!;
  };
  const verify = async (id: string) =>
    verifyStatement(
      { ...deps, verifications: new VerificationRepository(finance.database.servicePool) },
      (await deps.statements.find(id))!,
    );

  it('when nothing was touched, then every byte is the same, each time', async () => {
    const { id, document } = await make();
    const first = await verify(id);
    expect(first).toMatchObject({ statementNumber: document.statementNumber, lines: 3, differences: [] });
    expect(await verify(id)).toEqual(first);
  });

  it.each([
    [
      'a note in the ledger',
      "UPDATE ledger_entries SET notes = 'x' WHERE wallet_id = $1 AND seq = 2",
      /lines 1 to 3 differ/,
    ],
    [
      'an amount',
      'UPDATE ledger_entries SET amount = 11 WHERE wallet_id = $1 AND seq = 2',
      /total credits: issued 30.00, ledger 31.00/,
    ],
    [
      'a stored line',
      'UPDATE statement_pieces SET lines = replace(lines::text, \'"b"\', \'"B"\')::json WHERE $1::uuid IS NOT NULL',
      /lines 1 to 3 differ/,
    ],
    [
      'a missing piece',
      'DELETE FROM statement_pieces WHERE $1::uuid IS NOT NULL',
      /issued in 0 pieces, expected 1/,
    ],
  ])(
    'when somebody went past the triggers and changed %s, then verification finds it',
    async (_what, sql, difference) => {
      const { id, walletId } = await make();
      const client = await finance.database.pool.connect();
      await client.query('BEGIN');
      await client.query("SET LOCAL session_replication_role = 'replica'");
      await client.query('SET LOCAL ROLE NONE');
      await client.query(sql, [walletId]);
      await client.query('COMMIT');
      client.release();
      expect((await verify(id)).differences.join('; ')).toMatch(difference);
    },
  );
});
