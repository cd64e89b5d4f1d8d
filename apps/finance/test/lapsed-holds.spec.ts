import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
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

// spec §3.5: what a read shows as available is what every path that spends is held to.
describe('a hold that lapsed', () => {
  let finance: FinanceService;
  beforeAll(async () => {
    finance = await startFinanceService();
  });
  afterAll(() => finance.stop());
  afterEach(async () => expect(await brokenInvariants(finance.database.pool)).toEqual({}));

  /** Sets all that is available aside, and lets the hold lapse without anybody noticing yet. */
  async function lapseAll(partner: TestPartner): Promise<void> {
    const [, available] = await balanceOf(finance, partner);
    const reserve = reserveRequest(partner, available, { pinned: false });
    await finance.funds.reserveFunds(reserve, partner.call);
    expect((await balanceOf(finance, partner))[1]).toBe('0.00');
    await finance.database.pool.query(
      `UPDATE reservations SET expires_at = clock_timestamp() - interval '1 second' WHERE op_key = $1`,
      [reserve.reservationKey],
    );
    expect((await balanceOf(finance, partner))[1]).toBe(available);
  }

  const figures = (goods: string, vat: string, commission: string) => ({
    lineId: uuidv7(),
    quantity: 1,
    goodsAmount: goods,
    goodsVatAmount: vat,
    commissionAmount: commission,
    commissionVatAmount: '0.00',
  });

  async function settle(partner: TestPartner, line: ReturnType<typeof figures>, amount?: string) {
    const reservationKey = uuidv7();
    if (amount !== undefined)
      await finance.funds.reserveFunds(reserveRequest(partner, amount, { reservationKey }), partner.call);
    const request = { ...partner.ref, reservationKey, lines: [line], notes: '' };
    return { request, run: () => finance.settlements.settleOrder(request, partner.call) };
  }

  const clawback = async (partner: TestPartner) => {
    const { request, run } = await settle(partner, figures('0.00', '0.00', '10.00'));
    await run();
    const lines = request.lines.map(({ lineId, quantity }) => ({ lineId, quantity }));
    return () => finance.settlements.refundUnits({ ...request, lines, operationKey: uuidv7() }, partner.call);
  };

  const paths: Record<string, (partner: TestPartner) => Promise<() => Promise<unknown>>> = {
    'a reserve of it all': (partner) =>
      Promise.resolve(() => finance.funds.reserveFunds(reserveRequest(partner, '100.00'), partner.call)),
    'an adjustment down to nothing': (partner) =>
      Promise.resolve(() =>
        finance.wallets.adjustWallet(
          { ...partner.ref, amount: '-100.00', notes: '', idempotencyKey: 'all' },
          partner.call,
        ),
      ),
    'a settlement': async (partner) => (await settle(partner, figures('50.00', '0.00', '0.00'), '50.00')).run,
    'a clawback that the refund does not cover': clawback,
  };

  it.each(Object.entries(paths))(
    'when %s comes next, then it finds what the balance shows',
    async (_, path) => {
      const partner = await partnerWith(finance, '100.00');
      const spend = await path(partner);
      await lapseAll(partner);
      await spend();
      const { rows } = await finance.database.pool.query<{ held: string; active: string }>(
        `SELECT w.held, coalesce(sum(r.amount) FILTER (WHERE r.state = 'active'), 0)::numeric(20, 2) AS active
       FROM wallets w LEFT JOIN reservations r ON r.wallet_id = w.id WHERE w.partner_id = $1 GROUP BY w.id`,
        [partner.partnerId],
      );
      expect(rows[0]?.held).toBe(rows[0]?.active);
      const [posted, available] = await balanceOf(finance, partner);
      expect(Number(available)).toBeCloseTo(Number(posted) - Number(rows[0]?.held), 2);
    },
  );
});
