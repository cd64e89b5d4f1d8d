import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeIdentity, identityPartner } from '@reseller/contract-testing';
import { codeOf, eventually } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
import {
  balanceOf,
  partnerWith,
  reserveRequest,
  startFinanceService,
  type FinanceService,
  type TestPartner,
} from './finance-service';
import { brokenInvariants } from './invariants';

const EVER = { periodFromAt: new Date('2026-01-01T00:00:00Z'), periodToAt: new Date('2100-01-01T00:00:00Z') };

let identity: FakeIdentity;
let finance: FinanceService;

beforeAll(async () => {
  identity = await new FakeIdentity().start();
  finance = await startFinanceService({ IDENTITY_ADDRESS: identity.address });
});
afterAll(async () => {
  await finance.stop();
  await identity.stop();
});

async function knownPartner(): Promise<TestPartner> {
  const partner = await partnerWith(finance, '1000.00');
  identity.partners.set(partner.partnerId, identityPartner(partner.partnerId));
  return partner;
}

async function statementOf(partner: TestPartner): Promise<string> {
  const period = { periodFromAt: EVER.periodFromAt, periodToAt: new Date() };
  const { statement } = await finance.statementOperations.createStatement(
    { ...partner.ref, ...period },
    partner.call,
  );
  return statement!.id;
}

async function buy(partner: TestPartner): Promise<void> {
  const { reservationKey } = await reserved(partner);
  await finance.funds.captureFunds(
    { ...partner.ref, reservationKey, amount: '1.00', notes: '' },
    partner.call,
  );
}

async function reserved(partner: TestPartner) {
  const request = reserveRequest(partner, '1.00', { reservationKey: `TU-${uuidv7()}` });
  await finance.funds.reserveFunds(request, partner.call);
  return request;
}

describe('reports beside everything else (spec §14.2)', () => {
  it('when a partner’s eight reports at once do not come to an end, then they hold one connection, and nobody else waits', async () => {
    const [greedy, other] = [await knownPartner(), await knownPartner()];
    const statementId = await statementOf(greedy);
    const blocker = await finance.database.pool.connect();
    await blocker.query('BEGIN');
    // Whoever reads the lines of an issued statement waits for this lock; a report of the ledger does not.
    await blocker.query('LOCK TABLE statement_pieces IN ACCESS EXCLUSIVE MODE');
    const eight = Array.from({ length: 8 }, () =>
      codeOf(finance.statements.listStatementLines({ statementId, piece: 0 }, greedy.call)),
    );
    await eventually(async () => {
      const { rows } = await finance.database.pool.query<{ waiting: string }>(
        `SELECT count(*) AS waiting FROM pg_stat_activity WHERE datname = current_database()
         AND application_name = 'finance-reports' AND wait_event_type = 'Lock'`,
      );
      expect(rows).toEqual([{ waiting: '1' }]);
    });

    for (let count = 0; count < 20; count += 1) await buy(other);
    expect(await balanceOf(finance, other)).toEqual(['980.00', '980.00']);
    const { document } = await finance.statements.getStatementReport(EVER, other.call);
    expect(document).toMatchObject({ totalDebits: '20.00', totalCredits: '1000.00' });
    await buy(greedy);

    // Those behind the first are refused when their turn does not come; the first ends by the statement timeout at the latest.
    const codes = await Promise.all(eight);
    expect(codes.filter((code) => code === 'SERVICE_UNAVAILABLE').length).toBeGreaterThanOrEqual(7);
    await blocker.query('ROLLBACK');
    blocker.release();
    await eventually(async () => {
      const { lines } = await finance.statements.listStatementLines({ statementId, piece: 0 }, greedy.call);
      expect(lines).toHaveLength(1);
    });
  });

  it('when wallets move money, are closed and cut all at once, then no two statements of SQL ever wait for each other', async () => {
    const partners = await Promise.all(Array.from({ length: 6 }, knownPartner));
    const line = {
      quantity: 2,
      goodsAmount: '1.00',
      goodsVatAmount: '0.00',
      commissionAmount: '0.50',
      commissionVatAmount: '0.00',
    };
    const scent = async (partner: TestPartner): Promise<void> => {
      const { reservationKey } = await reserved(partner);
      const lineId = uuidv7();
      const order = { ...partner.ref, reservationKey, notes: '' };
      await finance.settlements.settleOrder({ ...order, lines: [{ lineId, ...line }] }, partner.call);
      const back = { lines: [{ lineId, quantity: 1 }] };
      await Promise.all(
        [uuidv7(), uuidv7()].map((operationKey) =>
          finance.settlements.refundUnits({ ...order, operationKey, ...back }, partner.call),
        ),
      );
    };
    await Promise.all(
      partners.map(async (partner) => {
        for (let round = 0; round < 6; round += 1) {
          await Promise.all([
            buy(partner),
            scent(partner),
            finance.wallets.adjustWallet(
              { ...partner.ref, amount: '-1.00', notes: '', idempotencyKey: uuidv7() },
              partner.call,
            ),
            // Another period each time: some conflict, which is as good.
            codeOf(statementOf(partner)),
            codeOf(finance.statements.getStatementReport(EVER, partner.call)),
          ]);
        }
      }),
    );
    expect(await brokenInvariants(finance.database.pool)).toEqual({});
    await eventually(async () => {
      const { rows } = await finance.database.pool.query<{ commits: string; deadlocks: string }>(
        `SELECT xact_commit AS commits, deadlocks FROM pg_stat_database WHERE datname = current_database()`,
      );
      // What the backends have counted comes in a little later.
      expect(Number(rows[0]?.commits)).toBeGreaterThan(200);
      expect(rows[0]?.deadlocks).toBe('0');
    });
  });
});
