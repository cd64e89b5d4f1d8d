import { describe, expect } from '@jest/globals';
import { OrderStatus } from '@reseller/contracts';
import { codeOf } from '@reseller/testing';
import type { CrashPoint } from '../src/crash-points';
import { SCENT_POINTS } from './crash-cells';
import { createScent, eventsOf, scent } from './start-orders';
import { itSurvives, useCrash, type Death, type PartnerCall } from './use-crash';

const stage = useCrash();

async function expectOneOrder(request: ReturnType<typeof scent>, call: PartnerCall): Promise<void> {
  const { partner } = call;
  const order = await createScent(stage.survivor, request, call);
  expect(order.status).toBe(OrderStatus.PROCESSING);
  expect(await createScent(stage.survivor, request, call)).toEqual(order);
  const { rows } = await stage.database.pool.query('SELECT FROM orders WHERE partner_id = $1', [
    partner.partnerId,
  ]);
  expect(rows).toHaveLength(1);
  expect([stage.finance.count('settled', partner), stage.finance.count('held', partner)]).toEqual([1, 0]);
  expect(stage.finance.available(partner)).toBe('757.60');
  expect([stage.shop.count('committed', partner), stage.shop.count('begun', partner)]).toEqual([1, 0]);
  expect(await eventsOf(stage.database, order.orderId)).toEqual(['OrderProcessingStarted']);
}

const created = (point: CrashPoint, sentence: string, isRefused = false): Death => ({
  point,
  sentence,
  async begin() {
    const call = stage.buyer();
    const request = scent();
    const { partnerId } = call.partner;
    if (isRefused) stage.finance.fail('reserveFunds', 'BUSINESS_INSUFFICIENT_BALANCE', 1, partnerId);
    return {
      act: async (doomed) =>
        expect(await codeOf(createScent(doomed, request, call))).toBe('SERVICE_UNAVAILABLE'),
      check: () => expectOneOrder(request, call),
    };
  },
});

const UNDONE: readonly CrashPoint[] = [
  'checkout.cancel.before',
  'checkout.cancel.after',
  'order.withdraw.before',
  'order.withdraw.after',
];
const PAID: readonly CrashPoint[] = [
  'order.create.before',
  'order.create.after',
  'funds.reserve.before',
  'funds.reserve.after',
  ...SCENT_POINTS.filter((point) => !UNDONE.includes(point)),
  'order.end.after',
];

describe('a process killed at a boundary of the saga of a scent order (spec §7.2)', () =>
  itSurvives(stage, [
    ...PAID.map((point) =>
      created(
        point,
        `when it dies at ${point}, then the repeated create returns one order, charged once, from one checkout`,
      ),
    ),
    ...UNDONE.map((point) =>
      created(
        point,
        `when it dies at ${point} of a refused one, then the cart is free again and the next create takes it`,
        true,
      ),
    ),
  ]));
