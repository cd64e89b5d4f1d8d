import { describe, expect, it } from '@jest/globals';
import { OrderStatus } from '@reseller/contracts';
import type { CrashPoint } from '../src/crash-points';
import { SCENT_POINTS } from './crash-cells';
import { callOf, createScent, eventsOf, scent } from './start-orders';
import { useCrash } from './use-crash';

const stage = useCrash();

async function dieAt(
  point: CrashPoint,
  request: ReturnType<typeof scent>,
  call: ReturnType<typeof callOf>,
): Promise<void> {
  const created = createScent(await stage.doom(point), request, call);
  await expect(created).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await stage.untilDead();
  await stage.lapseLeases();
}

async function expectOneOrder(
  request: ReturnType<typeof scent>,
  call: ReturnType<typeof callOf>,
): Promise<void> {
  const order = await createScent(stage.survivor, request, call);
  expect(order.status).toBe(OrderStatus.PROCESSING);
  expect(await createScent(stage.survivor, request, call)).toEqual(order);
  const { rows } = await stage.database.pool.query('SELECT FROM orders WHERE partner_id = $1', [
    call.partner?.partnerId,
  ]);
  expect(rows).toHaveLength(1);
  expect(stage.finance.settlements.size).toBe(1);
  expect(stage.finance.available()).toBe('757.60');
  expect([stage.shop.count('committed'), stage.shop.count('begun')]).toEqual([1, 0]);
  expect(await eventsOf(stage.database, order.orderId)).toEqual(['OrderProcessingStarted']);
}

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

describe('a process killed at a boundary of the saga of a scent order (spec §7.2)', () => {
  it.each(PAID)(
    'when it dies at %s, then the repeated create returns one order, charged once, from one checkout',
    async (point) => {
      const call = callOf();
      const request = scent();
      await dieAt(point, request, call);
      await expectOneOrder(request, call);
    },
  );

  it.each(UNDONE)(
    'when it dies at %s of a refused one, then the cart is free again and the next create takes it',
    async (point) => {
      const call = callOf();
      const request = scent();
      stage.finance.fail('reserveFunds', 'BUSINESS_INSUFFICIENT_BALANCE', 1);
      await dieAt(point, request, call);
      await expectOneOrder(request, call);
    },
  );
});
