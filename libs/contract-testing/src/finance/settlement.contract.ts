import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { rpc, service, type Message } from '../contract';
import { byAStranger, given, isRepeatable, repeated, steps } from '../variations';
import type { World } from '../world';
import { funded, linesOf, orderOf } from './arrange';

const figures = (goods: string, goodsVat: string, commission: string, commissionVat: string) => ({
  goods_amount: goods,
  goods_vat_amount: goodsVat,
  commission_amount: commission,
  commission_vat_amount: commissionVat,
});

/** Three units: 200.00 goods with 30.00 VAT, 20.00 commission with 3.00 VAT. */
const threeUnits = (more: Message = {}): Message => ({
  line_id: uuidv7(),
  quantity: 3,
  ...figures('200.00', '30.00', '20.00', '3.00'),
  ...more,
});

/** An order of 230.00 of a partner's 1000.00, after these RPCs. */
const order =
  (...rpcs: string[]) =>
  async (world: World) => {
    const partner = await funded(world, '1000.00');
    const request = orderOf('230.00', { lines: [threeUnits()] });
    for (const name of rpcs) await partner.call(name, request);
    return [partner, request] as const;
  };

const units = ({ lines }: Message, quantity: number, operation_key = uuidv7()) => ({
  operation_key,
  lines: (lines as Message[]).map(({ line_id }) => ({ line_id, quantity })),
});

/** Charging a scent order with its commission, and giving single units back. */
export const settlements = service('SettlementService', {
  SettleOrder: rpc(order('ReserveFunds'), {
    'charges the sum of the lines and credits the commission, in one ledger transaction': given(
      async ({ partner, request, call }, use) => {
        const reply = await call();
        const lines = await linesOf(use, request);
        expect(lines[0]?.occurred_at).toBe(reply.settled_at);
        return [reply, await partner.call('GetBalance'), lines];
      },
    ),
    'repeated, it returns the first outcome and charges once': isRepeatable(['GetBalance']),
    'an order of 0.00 needs no reservation and posts no line': async (use) => {
      const lines = [threeUnits(figures('0.00', '0.00', '0.00', '0.00'))];
      const request = orderOf('0.00', { lines });
      return [await (await funded(use, '10.00')).call('SettleOrder', request), await linesOf(use, request)];
    },
    'VALIDATION_FAILED: no lines': { lines: [] },
    'VALIDATION_FAILED: a line twice': { lines: Array(2).fill(threeUnits()) },
    'NOT_FOUND_WALLET: a partner without a wallet': byAStranger,
    'CONFLICT_ORDER_STATE: a reservation that was never made': { reservation_key: 'ORD-never' },
    'CONFLICT_ORDER_STATE: one that was released': steps(['ReleaseFunds'], {}),
    'CONFLICT_ORDER_STATE: one that was captured otherwise': steps(['CaptureFunds'], {}),
    'CONFLICT_ORDER_STATE: one that is less than the lines': {
      lines: [threeUnits({ goods_amount: '200.01' })],
    },
    'repeated with other notes, it returns the first outcome and keeps the first notes': given(
      async ({ request, call }, use) => {
        const first = await call();
        expect(await call({ notes: 'another' })).toEqual(first);
        return (await linesOf(use, request)).map(({ notes }) => notes);
      },
    ),
    'CONFLICT_IDEMPOTENCY_KEY_REUSED: settled before with other lines': repeated({
      lines: [threeUnits()],
    }),
  }),

  RefundUnits: rpc(order('ReserveFunds', 'SettleOrder'), {
    'gives goods and VAT of the units back and claws their commission back': given(
      async ({ request, call }, use) => [
        await call(units(request, 1)),
        (await linesOf(use, request)).slice(2),
      ],
    ),
    'all units in any parts give back exactly what was settled': given(async ({ partner, request, call }) => {
      for (const quantity of [1, 2]) await call(units(request, quantity));
      return partner.call('GetBalance');
    }),
    'repeated under its operation key, it returns the first outcome': isRepeatable(['GetBalance']),
    'VALIDATION_FAILED: no units': given(({ request, call }) => call(units(request, 0))),
    'NOT_FOUND_WALLET: a partner without a wallet': byAStranger,
    'CONFLICT_ORDER_STATE: an order that is not settled': async (use) => {
      const [partner, request] = await order('ReserveFunds')(use);
      return partner.call('RefundUnits', request);
    },
    'CONFLICT_ORDER_STATE: more units than are left': given(async ({ request, call }) => {
      await call(units(request, 2));
      return call(units(request, 2));
    }),
    'BUSINESS_INSUFFICIENT_BALANCE: a clawback that exceeds refund and balance': async (use) => {
      const partner = await funded(use, '1.00');
      const line = threeUnits({ quantity: 1, ...figures('1.00', '0.00', '9.00', '0.00') });
      const request = orderOf('1.00', { lines: [line] });
      for (const name of ['ReserveFunds', 'SettleOrder']) await partner.call(name, request);
      await partner.call('ReserveFunds', orderOf('9.00'));
      return partner.call('RefundUnits', request);
    },
    'CONFLICT_IDEMPOTENCY_KEY_REUSED: the operation key with another quantity': given(
      async ({ request, call }) => {
        await call();
        return call({ lines: units(request, 2).lines });
      },
    ),
  }),
});
