import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Message, ServiceContract } from '../contract';
import { newPartner, type Partner, type World } from '../world';
import { balanceOf, captured, funded, reserved, reserveRequest } from './arrange';

/** Three units: 200.00 goods with 30.00 VAT, 20.00 commission with 3.00 VAT. */
const threeUnits = (): Message => ({
  line_id: uuidv7(),
  quantity: 3,
  goods_amount: '200.00',
  goods_vat_amount: '30.00',
  commission_amount: '20.00',
  commission_vat_amount: '3.00',
});

const settleRequest = (order: Message, lines: readonly Message[]): Message => ({
  ...order,
  lines,
  notes: 'order',
});

/** An order of 230.00 that is settled. */
async function settled(world: World, partner: Partner) {
  const line = threeUnits();
  const request = settleRequest(await reserved(world, partner, '230.00'), [line]);
  const answer = await world.call('SettlementService.SettleOrder', request);
  return { request, answer, line };
}

const refundRequest = (
  { request, line }: { request: Message; line: Message },
  quantity: number,
): Message => ({
  ...request,
  operation_key: `return:${uuidv7()}`,
  lines: [{ line_id: line['line_id'], quantity }],
  notes: 'return',
});

/** Charging a scent order with its commission, and giving single units back. */
export const settlements: ServiceContract = {
  service: 'SettlementService',
  speaksFor: 'whom the request names',
  rpcs: {
    SettleOrder: {
      promises: {
        'charges the sum of the lines and credits the commission, in one ledger transaction': async (
          world,
        ) => {
          const partner = await funded(world, '1000.00');
          const { request, answer } = await settled(world, partner);
          expect(answer).toEqual({ settled_at: expect.any(String), balance_after: '793.00' });
          expect(await balanceOf(world, partner)).toEqual(['793.00', '793.00']);
          const lines = await world.call('WalletService.ListTransactionsByReference', {
            reference_id: request['reservation_key'],
          });
          expect(lines['transactions']).toMatchObject([
            {
              transaction_type: 'TRANSACTION_TYPE_DEBIT',
              reference_type: 'REFERENCE_TYPE_ORDER',
              amount: '230.00',
              occurred_at: answer['settled_at'],
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
        'repeated, it answers the first outcome and charges once': async (world) => {
          const partner = await funded(world, '1000.00');
          const { request, answer } = await settled(world, partner);
          expect(await world.call('SettlementService.SettleOrder', request)).toEqual(answer);
          expect(await balanceOf(world, partner)).toEqual(['793.00', '793.00']);
        },
        'an order of 0.00 needs no reservation and posts no line': async (world) => {
          const partner = await funded(world, '10.00');
          const line = { ...threeUnits(), goods_amount: '0.00', goods_vat_amount: '0.00' };
          const free = { ...line, commission_amount: '0.00', commission_vat_amount: '0.00' };
          const order = { ...partner.ref, reservation_key: `ORD-${uuidv7()}` };
          const answer = await world.call('SettlementService.SettleOrder', settleRequest(order, [free]));
          expect(answer).toMatchObject({ balance_after: '10.00' });
          const lines = await world.call('WalletService.ListTransactionsByReference', {
            reference_id: order.reservation_key,
          });
          expect(lines['transactions']).toEqual([]);
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'no lines': async (world) =>
            world.call(
              'SettlementService.SettleOrder',
              settleRequest(reserveRequest(await funded(world, '1.00'), '1.00'), []),
            ),
          'a line twice': async (world) => {
            const line = threeUnits();
            const order = await reserved(world, await funded(world, '500.00'), '460.00');
            return world.call('SettlementService.SettleOrder', settleRequest(order, [line, line]));
          },
        },
        NOT_FOUND_WALLET: {
          'a partner without a wallet': (world) =>
            world.call(
              'SettlementService.SettleOrder',
              settleRequest(reserveRequest(newPartner(), '230.00'), [threeUnits()]),
            ),
        },
        CONFLICT_ORDER_STATE: {
          'a reservation that was never made': async (world) =>
            world.call(
              'SettlementService.SettleOrder',
              settleRequest(reserveRequest(await funded(world, '500.00'), '230.00'), [threeUnits()]),
            ),
          'one that was released': async (world) => {
            const order = await reserved(world, await funded(world, '500.00'), '230.00');
            await world.call('FundsService.ReleaseFunds', order);
            return world.call('SettlementService.SettleOrder', settleRequest(order, [threeUnits()]));
          },
          'one that was captured otherwise': async (world) =>
            world.call(
              'SettlementService.SettleOrder',
              settleRequest(await captured(world, await funded(world, '500.00'), '230.00'), [threeUnits()]),
            ),
          'one that is less than the lines': async (world) =>
            world.call(
              'SettlementService.SettleOrder',
              settleRequest(await reserved(world, await funded(world, '500.00'), '229.99'), [threeUnits()]),
            ),
        },
        CONFLICT_IDEMPOTENCY_KEY_REUSED: {
          'settled before with other notes': async (world) => {
            const { request } = await settled(world, await funded(world, '500.00'));
            return world.call('SettlementService.SettleOrder', { ...request, notes: 'another' });
          },
        },
      },
    },
    RefundUnits: {
      promises: {
        'gives goods and VAT of the units back and claws their commission back': async (world) => {
          const partner = await funded(world, '1000.00');
          const order = await settled(world, partner);
          const answer = await world.call('SettlementService.RefundUnits', refundRequest(order, 1));
          expect(answer).toEqual({
            refunded_at: expect.any(String),
            refunded_amount: '76.67',
            clawed_back_amount: '7.67',
            lines: [
              {
                line_id: order.line['line_id'],
                quantity: 1,
                goods_amount: '66.67',
                goods_vat_amount: '10.00',
                commission_amount: '6.67',
                commission_vat_amount: '1.00',
              },
            ],
          });
          const lines = await world.call('WalletService.ListTransactionsByReference', {
            reference_id: order.request['reservation_key'],
          });
          expect(lines['transactions']).toMatchObject([
            {},
            {},
            { reference_type: 'REFERENCE_TYPE_REFUND', amount: '76.67' },
            {
              reference_type: 'REFERENCE_TYPE_COMMISSION_CLAWBACK',
              transaction_type: 'TRANSACTION_TYPE_DEBIT',
              amount: '7.67',
            },
          ]);
        },
        'all units in any parts give back exactly what was settled': async (world) => {
          const partner = await funded(world, '1000.00');
          const order = await settled(world, partner);
          for (const quantity of [1, 2])
            await world.call('SettlementService.RefundUnits', refundRequest(order, quantity));
          expect(await balanceOf(world, partner)).toEqual(['1000.00', '1000.00']);
        },
        'repeated under its operation key, it answers the first outcome': async (world) => {
          const request = refundRequest(await settled(world, await funded(world, '1000.00')), 1);
          const first = await world.call('SettlementService.RefundUnits', request);
          expect(await world.call('SettlementService.RefundUnits', request)).toEqual(first);
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'no units': async (world) =>
            world.call(
              'SettlementService.RefundUnits',
              refundRequest(await settled(world, await funded(world, '500.00')), 0),
            ),
        },
        NOT_FOUND_WALLET: {
          'a partner without a wallet': async (world) => {
            const order = await settled(world, await funded(world, '500.00'));
            return world.call('SettlementService.RefundUnits', {
              ...refundRequest(order, 1),
              ...newPartner().ref,
            });
          },
        },
        CONFLICT_ORDER_STATE: {
          'an order that is not settled': async (world) => {
            const order = await reserved(world, await funded(world, '500.00'), '230.00');
            return world.call(
              'SettlementService.RefundUnits',
              refundRequest({ request: order, line: threeUnits() }, 1),
            );
          },
          'more units than are left': async (world) => {
            const order = await settled(world, await funded(world, '500.00'));
            await world.call('SettlementService.RefundUnits', refundRequest(order, 2));
            return world.call('SettlementService.RefundUnits', refundRequest(order, 2));
          },
        },
        BUSINESS_INSUFFICIENT_BALANCE: {
          'a clawback that exceeds refund and balance': async (world) => {
            const partner = await funded(world, '1.00');
            const line = {
              ...threeUnits(),
              quantity: 1,
              goods_amount: '1.00',
              goods_vat_amount: '0.00',
              commission_amount: '9.00',
              commission_vat_amount: '0.00',
            };
            const request = settleRequest(await reserved(world, partner, '1.00'), [line]);
            await world.call('SettlementService.SettleOrder', request);
            await reserved(world, partner, '9.00');
            return world.call('SettlementService.RefundUnits', refundRequest({ request, line }, 1));
          },
        },
        CONFLICT_IDEMPOTENCY_KEY_REUSED: {
          'the operation key with another quantity': async (world) => {
            const request = refundRequest(await settled(world, await funded(world, '500.00')), 1);
            await world.call('SettlementService.RefundUnits', request);
            const lines = (request['lines'] as Message[]).map((line) => ({ ...line, quantity: 2 }));
            return world.call('SettlementService.RefundUnits', { ...request, lines });
          },
        },
      },
    },
  },
};
