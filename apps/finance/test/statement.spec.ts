import { FakeIdentity, identityPartner } from '@reseller/contract-testing';
import {
  Environment,
  StatementEmailStatus,
  TransactionType,
  type WalletTransaction,
} from '@reseller/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeOf } from '@reseller/testing';
import { brokenInvariants } from './invariants';
import { newPartner, startFinanceService, type FinanceService, type TestPartner } from './finance-service';

const DAY_MS = 86_400_000;
const LONG_AGO = new Date('2026-01-01T00:00:00.000Z');

let identity: FakeIdentity;
let finance: FinanceService;

beforeAll(async () => {
  identity = await new FakeIdentity().start();
  finance = await startFinanceService({
    IDENTITY_ADDRESS: identity.address,
    PLATFORM_TAX_REGISTRATION_NUMBER: '300000000000003',
  });
});
afterAll(async () => {
  await finance.stop();
  await identity.stop();
});

async function registered(environment = Environment.LIVE): Promise<TestPartner> {
  const partner = newPartner(environment);
  identity.partners.set(
    partner.partnerId,
    identityPartner(partner.partnerId, { taxRegistrationNumber: '311' }),
  );
  await finance.wallets.openWallet(partner.ref, partner.call);
  return partner;
}

let keys = 0;
const move = (partner: TestPartner, amount: string) =>
  finance.wallets.adjustWallet(
    { ...partner.ref, amount, notes: 'moved', idempotencyKey: `k${(keys += 1)}` },
    partner.call,
  );

/** The database's clock, which decides what may be closed. */
async function databaseNow(): Promise<Date> {
  const { rows } = await finance.database.pool.query<{ now: Date }>(
    "SELECT date_trunc('milliseconds', clock_timestamp()) AS now",
  );
  return rows[0]?.now ?? new Date(NaN);
}

const create = async (partner: TestPartner, periodFromAt: Date, periodToAt: Date) => {
  const response = await finance.statementOperations.createStatement(
    { ...partner.ref, periodFromAt, periodToAt },
    partner.call,
  );
  if (!response.statement?.document) throw new Error('no statement');
  return { ...response.statement, document: response.statement.document };
};

async function linesOf(partner: TestPartner, statementId: string): Promise<WalletTransaction[]> {
  const all: WalletTransaction[] = [];
  for (let piece = 0; ; piece += 1) {
    const { lines } = await finance.statements.listStatementLines({ statementId, piece }, partner.call);
    if (lines.length === 0) return all;
    all.push(...lines);
  }
}

async function ledgerOf(partner: TestPartner): Promise<WalletTransaction[]> {
  const all: WalletTransaction[] = [];
  for (let page = 1; ; page += 1) {
    const list = await finance.wallets.listTransactions(
      {
        page: { page, pageSize: 100 },
        fromAt: undefined,
        toAt: undefined,
        transactionType: TransactionType.UNSPECIFIED,
      },
      partner.call,
    );
    all.push(...list.transactions);
    if (page >= (list.page?.totalPages ?? 0)) return all.reverse();
  }
}

describe('a statement (spec §9.2)', () => {
  it('when it is made, then it holds the period’s lines as the wallet lists them, and what they add up to', async () => {
    const partner = await registered();
    await move(partner, '100.00');
    await move(partner, '-30.25');
    const to = await databaseNow();
    await move(partner, '7.00');

    const statement = await create(partner, LONG_AGO, to);

    expect(statement.document).toMatchObject({
      partnerId: partner.partnerId,
      sequenceNumber: 1,
      statementNumber: `ST-PRT-${partner.partnerId.slice(-12)}-000001`,
      isProvisional: false,
      periodFromAt: LONG_AGO,
      periodToAt: to,
      currency: 'SAR',
      totalDebits: '30.25',
      totalCredits: '100.00',
      netPosition: '69.75',
      platformTaxRegistrationNumber: '300000000000003',
      partnerTaxRegistrationNumber: '311',
    });
    expect(statement.document.documentNature).toContain('not a legal tax invoice');
    expect([statement.emailStatus, statement.emailStatusReason]).toEqual([
      StatementEmailStatus.SKIPPED,
      'No mail server is configured',
    ]);
    expect(await linesOf(partner, statement.id)).toEqual((await ledgerOf(partner)).slice(0, 2));
  });

  it('when a period leaves a gap, overlaps, repeats, ends ahead or backwards, then it is refused', async () => {
    const partner = await registered();
    const now = await databaseNow();
    const middle = new Date(now.getTime() - DAY_MS);
    expect(await codeOf(create(partner, middle, new Date(now.getTime() + DAY_MS)))).toBe('VALIDATION_FAILED');
    expect(await codeOf(create(partner, middle, middle))).toBe('VALIDATION_FAILED');
    await create(partner, LONG_AGO, middle);
    const refused = [
      [LONG_AGO, middle],
      [LONG_AGO, now],
      [new Date(middle.getTime() - 1), now],
      [new Date(middle.getTime() + 1), now],
    ] as const;
    for (const [from, to] of refused) {
      expect(await codeOf(create(partner, from, to))).toBe('CONFLICT_STATEMENT_PERIOD');
    }
    const empty = await create(partner, middle, now);
    expect(empty.document).toMatchObject({ sequenceNumber: 2, totalDebits: '0.00', totalCredits: '0.00' });
    expect(await linesOf(partner, empty.id)).toEqual([]);
  });

  it('when there is no wallet, then it is NOT_FOUND_WALLET, and so is a report, while the list is empty', async () => {
    const partner = newPartner();
    expect(await codeOf(create(partner, LONG_AGO, new Date('2026-02-01')))).toBe('NOT_FOUND_WALLET');
    const report = { periodFromAt: LONG_AGO, periodToAt: new Date() };
    expect(await codeOf(finance.statements.getStatementReport(report, partner.call))).toBe(
      'NOT_FOUND_WALLET',
    );
    expect((await finance.statements.listStatements({ page: undefined }, partner.call)).statements).toEqual(
      [],
    );
  });

  it('when twenty ask for the same one at once, then one is made and the others conflict', async () => {
    const partner = await registered();
    await move(partner, '5.00');
    const to = await databaseNow();
    const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(create(partner, LONG_AGO, to))));
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    expect(codes.filter((code) => code === 'CONFLICT_STATEMENT_PERIOD')).toHaveLength(19);
  });

  it('when another partner or the other environment requests it, then there is none', async () => {
    const partner = await registered();
    const statement = await create(partner, LONG_AGO, await databaseNow());
    const other = await registered();
    const sandbox = { ...partner, ...newPartner(Environment.SANDBOX), partnerId: partner.partnerId };
    for (const call of [
      other.call,
      { ...sandbox.call, partner: { ...partner.call.partner!, environment: Environment.SANDBOX } },
    ]) {
      const request = { statementId: statement.id };
      expect(await codeOf(finance.statements.getStatement(request, call))).toBe('NOT_FOUND_STATEMENT');
      expect(await codeOf(finance.statements.listStatementLines({ ...request, piece: 0 }, call))).toBe(
        'NOT_FOUND_STATEMENT',
      );
      expect((await finance.statements.listStatements({ page: undefined }, call)).statements).toEqual([]);
    }
    expect(await codeOf(finance.statements.getStatement({ statementId: 'x' }, partner.call))).toBe(
      'VALIDATION_FAILED',
    );
  });

  it('when anything of it is to be changed in the database, then it stays; only its e-mail’s fields move', async () => {
    const partner = await registered();
    await move(partner, '5.00');
    const { id } = await create(partner, LONG_AGO, await databaseNow());
    const refused = [
      `UPDATE statements SET total_credits = 6, closing_balance = 6 WHERE id = '${id}'`,
      `UPDATE statements SET partner_name = 'Another' WHERE id = '${id}'`,
      `DELETE FROM statements WHERE id = '${id}'`,
      'TRUNCATE statements CASCADE',
      `UPDATE statement_pieces SET lines = '[]' WHERE statement_id = '${id}'`,
      `DELETE FROM statement_pieces WHERE statement_id = '${id}'`,
    ];
    for (const sql of refused) {
      await expect(finance.database.pool.query(sql)).rejects.toThrow(/locked|permission denied/);
    }
    await finance.database.pool.query(`UPDATE statements SET email_attempts = 1 WHERE id = '${id}'`);
  });

  it('when a statement is written by hand that does not continue the chain, then the database refuses it', async () => {
    const partner = await registered();
    const { id } = await create(partner, LONG_AGO, new Date('2026-02-01'));
    const columns = `wallet_id, partner_id, environment, generated_at, currency, total_debits, total_credits,
      partner_global_id, partner_name, document_nature, email_status, email_due_at`;
    const next = (sequence: number, from: string, afterSeq: number, opening: string): string => `
      INSERT INTO statements (id, sequence_number, statement_number, period_from, period_to, after_seq, up_to_seq,
        opening_balance, closing_balance, ${columns})
      SELECT gen_random_uuid(), ${sequence}, gen_random_uuid()::text, '${from}', '2026-03-01Z', ${afterSeq}, ${afterSeq},
        ${opening}, ${opening}, ${columns} FROM statements WHERE id = '${id}'`;
    for (const sql of [
      next(1, '2026-02-01Z', 0, '0.00'),
      next(3, '2026-02-01Z', 0, '0.00'),
      next(2, '2026-02-02Z', 0, '0.00'),
      next(2, '2026-01-31Z', 0, '0.00'),
      next(2, '2026-02-01Z', 1, '0.00'),
      next(2, '2026-02-01Z', 0, '1.00'),
    ]) {
      await expect(finance.database.pool.query(sql)).rejects.toThrow(/statement_(follows|one_for_number)/);
    }
    await finance.database.pool.query(next(2, '2026-02-01Z', 0, '0.00'));
  });

  it('when statements are cut while money moves, then each line is in exactly one and balances go on', async () => {
    const partner = await registered();
    await move(partner, '1000.00');
    let isMoving = true;
    const mover = async (): Promise<void> => {
      while (isMoving) await move(partner, keys % 3 === 0 ? '2.00' : '-0.01');
    };
    const movers = Promise.all(Array.from({ length: 8 }, mover));
    const ids: string[] = [];
    let from = LONG_AGO;
    for (let count = 0; count < 25; count += 1) {
      let to = await databaseNow();
      while (to <= from) to = await databaseNow();
      ids.push((await create(partner, from, to)).id);
      from = to;
    }
    isMoving = false;
    await movers;
    let last = await databaseNow();
    while (last <= from) last = await databaseNow();
    ids.push((await create(partner, from, new Date(last.getTime()))).id);
    // What was posted in the very last millisecond belongs to the next one.
    const ledger = await ledgerOf(partner);
    const lines: WalletTransaction[] = [];
    for (const id of ids) lines.push(...(await linesOf(partner, id)));
    expect(lines).toEqual(ledger.slice(0, lines.length));
    expect(ledger.slice(lines.length).every(({ occurredAt }) => occurredAt! >= last)).toBe(true);
    expect(lines.length).toBeGreaterThan(25);
    const { rows } = await finance.database.pool.query(
      `SELECT 1 FROM (SELECT *, lag(closing_balance) OVER (ORDER BY sequence_number) AS before FROM statements
        WHERE partner_id = '${partner.partnerId}') s
       WHERE before <> opening_balance
          OR total_credits - total_debits <> (SELECT coalesce(sum(amount), 0) FROM ledger_entries e
               WHERE e.wallet_id = s.wallet_id AND e.occurred_at >= s.period_from AND e.occurred_at < s.period_to)`,
    );
    expect(rows).toEqual([]);
    expect(await brokenInvariants(finance.database.pool)).toEqual({});
  });

  it('when a period was closed, then the wallet’s next entry comes after it, whatever the clock says', async () => {
    const partner = await registered();
    const to = await databaseNow();
    await create(partner, LONG_AGO, to);
    const { rows } = await finance.database.pool.query(
      `SELECT last_entry_at + interval '1 microsecond' >= $2 AS "isClosed" FROM wallets WHERE partner_id = $1`,
      [partner.partnerId, to],
    );
    expect(rows).toEqual([{ isClosed: true }]);
  });
});

describe('a report', () => {
  it('when it is read, then it is provisional, holds what the ledger has so far, and nothing is persisted', async () => {
    const partner = await registered();
    await move(partner, '10.00');
    await move(partner, '-4.00');
    const ahead = new Date(Date.now() + DAY_MS);
    const { document } = await finance.statements.getStatementReport(
      { periodFromAt: LONG_AGO, periodToAt: ahead },
      partner.call,
    );
    expect(document).toMatchObject({
      sequenceNumber: undefined,
      statementNumber: undefined,
      isProvisional: true,
      totalDebits: '4.00',
      totalCredits: '10.00',
      netPosition: '6.00',
    });
    const { afterPosition, upToPosition } = document!;
    const range = { afterPosition, upToPosition, piece: 0 };
    expect((await finance.statements.listReportLines(range, partner.call)).lines).toEqual(
      await ledgerOf(partner),
    );
    expect((await finance.statements.listReportLines({ ...range, piece: 1 }, partner.call)).lines).toEqual(
      [],
    );
    expect(
      (await finance.statements.listStatements({ page: undefined }, partner.call)).page?.totalCount,
    ).toBe(0);
  });

  it('when it has no entries, then its totals are zero', async () => {
    const partner = await registered();
    const { document } = await finance.statements.getStatementReport(
      { periodFromAt: LONG_AGO, periodToAt: new Date('2026-02-01') },
      partner.call,
    );
    expect(document).toMatchObject({ totalDebits: '0.00', totalCredits: '0.00', netPosition: '0.00' });
  });
});
