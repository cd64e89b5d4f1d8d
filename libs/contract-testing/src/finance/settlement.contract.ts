import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Message } from '../contract';
import { rpc, service } from '../notation';
import type { Party } from '../party';
import { after, byAStranger, isRepeatable, repeated } from '../variations';
import type { World } from '../world';
import { balanceOf, funded, linesOf, orderOf } from './arrange';

const figures = (goods: string, goodsVat: string, commission: string, commissionVat: string) => ({
  goods_amount: goods,
  goods_vat_amount: goodsVat,
  commission_amount: commission,
  commission_vat_amount: commissionVat,
});

/** Three units: 200.00 goods with 30.00 VAT, 20.00 commission with 3.00 VAT. */
const threeUnits = (): Message => ({
  line_id: uuidv7(),
  quantity: 3,
  ...figures('200.00', '30.00', '20.00', '3.00'),
});

const FREE = figures('0.00', '0.00', '0.00', '0.00');

/** An order of 230.00 of a partner's 1000.00, after these RPCs. */
const order =
  (...rpcs: string[]) =>
  async (world: World) => {
    const partner = await funded(world, '1000.00');
    const request = orderOf('230.00', { lines: [threeUnits()] });
    for (const name of rpcs) await partner.call(name, request);
    return [partner, request] as const;
  };

const units = (request: Message, quantity: number) => ({
  operation_key: uuidv7(),
  lines: (request.lines as Message[]).map(({ line_id }) => ({ line_id, quantity })),
});

/** Charging a scent order with its commission, and giving single units back. */
export const settlements = service('SettlementService', {
  SettleOrder: rpc(order('ReserveFunds'), {
    'charges the sum of the lines and credits the commission, in one ledger transaction': async (use) => {
      const { who, request, call } = await use.given();
      const reply = await call();
      expect(reply).toEqual({ settled_at: expect.any(String), balance_after: '793.00' });
      expect(await balanceOf(who as Party)).toEqual(['793.00', '793.00']);
      expect(await linesOf(use, request)).toMatchObject([
        {
          transaction_type: 'TRANSACTION_TYPE_DEBIT',
          reference_type: 'REFERENCE_TYPE_ORDER',
          amount: '230.00',
          occurred_at: reply.settled_at,
          order_goods_vat_amount: '30.00',
          order_commission_vat_amount: '3.00',
          order_total_amount_with_vat: '230.00',
          order_total_commission_with_vat: '23.00',
        },
        {
          transaction_type: 'TRANSACTION_TYPE_CREDIT',
          reference_type: 'REFERENCE_TYPE_COMMISSION',
          amount: '23.00',
        },
      ]);
    },
    'repeated, it answers the first outcome and charges once': isRepeatable(async (partner: Party) =>
      expect(await balanceOf(partner)).toEqual(['793.00', '793.00']),
    ),
    'an order of 0.00 needs no reservation and posts no line': async (use) => {
      const request = orderOf('0.00', { lines: [{ ...threeUnits(), ...FREE }] });
      const reply = await (await funded(use, '10.00')).call('SettleOrder', request);
      expect(reply).toMatchObject({ balance_after: '10.00' });
      expect(await linesOf(use, request)).toEqual([]);
    },
    'VALIDATION_FAILED: no lines': { lines: [] },
    'VALIDATION_FAILED: a line twice': { lines: Array(2).fill(threeUnits()) },
    'NOT_FOUND_WALLET: a partner without a wallet': byAStranger,
    'CONFLICT_ORDER_STATE: a reservation that was never made': { reservation_key: 'ORD-never' },
    'CONFLICT_ORDER_STATE: one that was released': after('ReleaseFunds'),
    'CONFLICT_ORDER_STATE: one that was captured otherwise': after('CaptureFunds'),
    'CONFLICT_ORDER_STATE: one that is less than the lines': {
      lines: [{ ...threeUnits(), goods_amount: '200.01' }],
    },
    'CONFLICT_IDEMPOTENCY_KEY_REUSED: settled before with other notes': repeated({ notes: 'another' }),
  }),

  RefundUnits: rpc(order('ReserveFunds', 'SettleOrder'), {
    'gives goods and VAT of the units back and claws their commission back': async (use) => {
      const { request, call } = await use.given();
      const asked = units(request, 1);
      expect(await call(asked)).toEqual({
        refunded_at: expect.any(String),
        refunded_amount: '76.67',
        clawed_back_amount: '7.67',
        lines: [{ ...asked.lines[0], ...figures('66.67', '10.00', '6.67', '1.00') }],
      });
      expect((await linesOf(use, request)).slice(2)).toMatchObject([
        { reference_type: 'REFERENCE_TYPE_REFUND', amount: '76.67' },
        {
          reference_type: 'REFERENCE_TYPE_COMMISSION_CLAWBACK',
          transaction_type: 'TRANSACTION_TYPE_DEBIT',
          amount: '7.67',
        },
      ]);
    },
    'all units in any parts give back exactly what was settled': async (use) => {
      const { who, request, call } = await use.given();
      for (const quantity of [1, 2]) await call(units(request, quantity));
      expect(await balanceOf(who as Party)).toEqual(['1000.00', '1000.00']);
    },
    'repeated under its operation key, it answers the first outcome': isRepeatable(),
    'VALIDATION_FAILED: no units': async (use) => {
      const { request, call } = await use.given();
      return call(units(request, 0));
    },
    'NOT_FOUND_WALLET: a partner without a wallet': byAStranger,
    'CONFLICT_ORDER_STATE: an order that is not settled': async (use) => {
      const [partner, request] = await order('ReserveFunds')(use);
      return partner.call('RefundUnits', request);
    },
    'CONFLICT_ORDER_STATE: more units than are left': async (use) => {
      const { request, call } = await use.given();
      await call(units(request, 2));
      return call(units(request, 2));
    },
    'BUSINESS_INSUFFICIENT_BALANCE: a clawback that exceeds refund and balance': async (use) => {
      const partner = await funded(use, '1.00');
      const line = { line_id: uuidv7(), quantity: 1, ...figures('1.00', '0.00', '9.00', '0.00') };
      const request = orderOf('1.00', { lines: [line] });
      for (const name of ['ReserveFunds', 'SettleOrder']) await partner.call(name, request);
      await partner.call('ReserveFunds', orderOf('9.00'));
      return partner.call('RefundUnits', request);
    },
    'CONFLICT_IDEMPOTENCY_KEY_REUSED: the operation key with another quantity': async (use) => {
      const { request, call } = await use.given();
      await call();
      return call({ lines: units(request, 2).lines });
    },
  }),
});
