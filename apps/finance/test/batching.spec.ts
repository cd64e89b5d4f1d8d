import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeOf, eventually } from '@reseller/testing';
import { Registry } from 'prom-client';
import { v7 as uuidv7 } from 'uuid';
import { createLedger } from '../src/ledger/create-ledger';
import { LedgerRepository } from '../src/ledger/ledger.repository';
import {
  balanceOf,
  newPartner,
  partnerWith,
  reserveRequest,
  startFinanceService,
  type FinanceService,
  type TestPartner,
} from './finance-service';
import { brokenInvariants } from './invariants';

describe('batches of one wallet', () => {
  let finance: FinanceService;

  beforeAll(async () => {
    finance = await startFinanceService();
    // Something no check foresaw: the database fails the whole statement when it meets this order.
    await finance.database.pool.query(`
      CREATE FUNCTION fail_on_poison() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'poison'; END $$;
      CREATE TRIGGER poison BEFORE INSERT ON reservations FOR EACH ROW
        WHEN (NEW.reference_id = 'poison') EXECUTE FUNCTION fail_on_poison()`);
  });
  afterAll(() => finance.stop());

  it('when one operation of a batch poisons the statement, then only that one fails', async () => {
    const partner = await partnerWith(finance, '100.00');
    const requests = Array.from({ length: 40 }, (_, index) =>
      reserveRequest(partner, '1.00', index % 10 === 3 ? { orderGlobalId: 'poison' } : {}),
    );
    const codes = await Promise.all(
      requests.map((one) => codeOf(finance.funds.reserveFunds(one, partner.call))),
    );
    expect(codes).toEqual(requests.map((one) => (one.orderGlobalId === 'poison' ? 'INTERNAL_ERROR' : 'ok')));
    expect(await balanceOf(finance, partner)).toEqual(['100.00', '64.00']);
    expect(await brokenInvariants(finance.database.pool)).toEqual({});
  });

  it('when a refusal is among a batch, then what came before and after it still counts', async () => {
    const partner = await partnerWith(finance, '10.00');
    const amounts = ['6.00', '5.00', '4.00', '1.00'];
    // Calls on one channel arrive in the order they were made.
    const codes = await Promise.all(
      amounts.map((amount) =>
        codeOf(finance.funds.reserveFunds(reserveRequest(partner, amount), partner.call)),
      ),
    );
    expect(codes).toEqual(['ok', 'BUSINESS_INSUFFICIENT_BALANCE', 'ok', 'BUSINESS_INSUFFICIENT_BALANCE']);
    expect(await balanceOf(finance, partner)).toEqual(['10.00', '0.00']);
  });

  it('when several instances of finance overspend one wallet, then the row lock alone keeps it exact', async () => {
    const partner = await partnerWith(finance, '100.00');
    const wallet = { partnerId: partner.partnerId, environment: 'live' } as const;
    const ledger = new LedgerRepository(finance.database.servicePool, 900_000);
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, () => {
        const key = uuidv7();
        return ledger.apply(wallet, [
          { kind: 'reserve', reservationKey: key, amount: '3.00', reference: key, pinned: true },
          { kind: 'capture', reservationKey: key, amount: '3.00', notes: '' },
        ]);
      }),
    );
    expect(outcomes.filter(([reserve]) => reserve?.done)).toHaveLength(33);
    expect(outcomes.filter(([, capture]) => capture?.done)).toHaveLength(33);
    expect(await balanceOf(finance, partner)).toEqual(['1.00', '1.00']);
    expect(await brokenInvariants(finance.database.pool)).toEqual({});
  });

  it('when operations of many wallets wait, then they are one statement, and a refused one is alone in it', async () => {
    const { reserve, statements } = ledgerOf(finance);
    const partners: TestPartner[] = [];
    while (partners.length < 12) partners.push(await partnerWith(finance, '10.00'));
    const outcomes = await Promise.all(
      [...partners, newPartner()].map((partner, index) => reserve(partner, index === 3 ? '10.01' : '4.00')),
    );
    expect(outcomes).toEqual([
      ...partners.map((_, index) => (index === 3 ? 'insufficient' : 'ok')),
      'no_wallet',
    ]);
    // One, and one more for each wallet that somebody had locked at that moment.
    expect(await statements()).toBeLessThan(partners.length);
    for (const [index, partner] of partners.entries())
      expect(await balanceOf(finance, partner)).toEqual(['10.00', index === 3 ? '10.00' : '6.00']);
    expect(await brokenInvariants(finance.database.pool)).toEqual({});
  });

  it('when one of many wallets fails the statement, then only that one fails', async () => {
    const { reserve } = ledgerOf(finance);
    const partners: TestPartner[] = [];
    while (partners.length < 12) partners.push(await partnerWith(finance, '10.00'));
    const outcomes = await Promise.all(
      partners.map((partner, index) =>
        reserve(partner, '4.00', index === 7 ? 'poison' : undefined).catch(() => 'failed'),
      ),
    );
    expect(outcomes).toEqual(partners.map((_, index) => (index === 7 ? 'failed' : 'ok')));
    for (const [index, partner] of partners.entries())
      expect(await balanceOf(finance, partner)).toEqual(['10.00', index === 7 ? '10.00' : '6.00']);
    expect(await brokenInvariants(finance.database.pool)).toEqual({});
  });

  it('when somebody holds wallets locked, alone or among others, then no other waits for them, and they are served after', async () => {
    const partners = await Promise.all([1, 2, 3, 4, 5].map(() => partnerWith(finance, '10.00')));
    const reserve = (partner: TestPartner) =>
      finance.funds.reserveFunds(reserveRequest(partner, '1.00'), partner.call);
    const held = partners.slice(0, 3);
    const holder = await finance.database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM wallets WHERE partner_id = ANY ($1) FOR NO KEY UPDATE', [
      held.map(({ partnerId }) => partnerId),
    ]);
    const waits: Promise<unknown>[] = [];
    for (const partner of held) {
      const already = await openStatements();
      waits.push(reserve(partner));
      await eventually(async () =>
        expect(await openStatements()).toBeGreaterThanOrEqual(Math.min(2, already + 1)),
      );
    }
    expect(await Promise.all(partners.slice(3).map(reserve))).toHaveLength(2);
    await holder.query('COMMIT');
    holder.release();
    for (const one of await Promise.all(waits)) expect(one).toMatchObject({ availableBalance: '9.00' });
  });

  // Those that wait for a lock.
  async function openStatements(): Promise<number> {
    const { rows } = await finance.database.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length;
  }

  it('when hundreds of movements hit many wallets at once, then every wallet is exact', async () => {
    const partners = await Promise.all(Array.from({ length: 10 }, () => partnerWith(finance, '100.00')));
    await Promise.all(
      partners.flatMap((partner) =>
        Array.from({ length: 30 }, async () => {
          const request = reserveRequest(partner, '2.00');
          await finance.funds.reserveFunds(request, partner.call);
          await finance.funds.captureFunds(
            { ...partner.ref, reservationKey: request.reservationKey, amount: '1.50', notes: '' },
            partner.call,
          );
        }),
      ),
    );
    for (const partner of partners) expect(await balanceOf(finance, partner)).toEqual(['55.00', '55.00']);
    expect(await brokenInvariants(finance.database.pool)).toEqual({});
  });

  it('when backends are terminated under load, then calls end ok or SERVICE_UNAVAILABLE, and the money is exact', async () => {
    const partner = await partnerWith(finance, '1000.00');
    const requests = Array.from({ length: 300 }, () => reserveRequest(partner, '1.00'));
    const calls = Promise.all(requests.map((one) => codeOf(finance.funds.reserveFunds(one, partner.call))));
    for (let round = 0; round < 3; round += 1) {
      await finance.database.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'finance'`,
      );
    }
    const codes = await calls;
    expect(codes.filter((code) => code !== 'ok' && code !== 'SERVICE_UNAVAILABLE')).toEqual([]);
    // A reserve without a response may have been committed; repeating all of them settles it.
    await eventually(() => Promise.all(requests.map((one) => finance.funds.reserveFunds(one, partner.call))));
    expect(await balanceOf(finance, partner)).toEqual(['1000.00', '700.00']);
    expect(await brokenInvariants(finance.database.pool)).toEqual({});
  });
});

/** A ledger of the service's database whose statements are counted. */
function ledgerOf(finance: FinanceService) {
  const metrics = new Registry();
  const repository = new LedgerRepository(finance.database.servicePool, 900_000);
  const ledger = createLedger({ repository, poolSize: 6, metrics });
  return {
    reserve: async ({ partnerId }: TestPartner, amount: string, reference: string = uuidv7()) => {
      const operation = {
        kind: 'reserve',
        reservationKey: uuidv7(),
        amount,
        reference,
        pinned: true,
      } as const;
      const outcome = await ledger.submit({ partnerId, environment: 'live' }, operation);
      return outcome.done ? 'ok' : outcome.refusal;
    },
    statements: async () =>
      Number(/^finance_wallet_batch_size_count (\d+)$/m.exec(await metrics.metrics())?.[1]),
  };
}
