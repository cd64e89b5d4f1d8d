import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeFinance } from '@reseller/contract-testing';
import { Environment, OrderStatus, type TopupOrder } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import {
  VendorUnreachableError,
  type Vendor,
  type VendorResponse,
} from '../src/clients/vendors/domain/vendor';
import { fakeDatabaseClock, type DatabaseClock } from './database-clock';
import { callOf, create, eventsOf, MIGRATIONS, startOrders, topup, type RunningOrders } from './start-orders';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
// The times of spec §4.6, as in production.
const TIMES = {
  VENDOR_POLL_BASE_MS: '2000',
  VENDOR_POLL_CAP_MS: '300000',
  VENDOR_UNKNOWN_AFTER_MS: '86400000',
};

let database: TestDatabase;
let clock: DatabaseClock;
let finance: FakeFinance;
let service: RunningOrders;
let call: CallContext;
let order: TopupOrder;
let submittedAt: number;
let response: () => VendorResponse;
let inquiries: number;

const vendor: Vendor = {
  name: 'undecided',
  submit: () => Promise.resolve({ kind: 'pending' }),
  inquire: async () => {
    inquiries += 1;
    return response();
  },
};

beforeEach(async () => {
  inquiries = 0;
  response = () => ({ kind: 'pending' });
  database = await createTestDatabase({ migrations: MIGRATIONS });
  clock = await fakeDatabaseClock(database, '2026-03-01T12:00:00.000Z');
  finance = await new FakeFinance('1000.00').start();
  const live = [{ vendor, products: ['Topup' as const], geoScopes: ['*'], priority: 1 }];
  service = await startOrders(database, finance, TIMES, { live });
  call = callOf(undefined, Environment.LIVE);
  submittedAt = clock.now().getTime();
  order = await create(service, topup(), call);
});
afterEach(async () => {
  await service.stop();
  await finance.stop();
  await database.drop();
});

const read = async (): Promise<TopupOrder> =>
  (await service.topups.getTopupOrder({ orderId: order.orderId }, call)).order!;

/** Moves the clock to so long after the vendor was called, and waits for the poll that is due by then. */
async function pollAt(ms: number): Promise<TopupOrder> {
  const { currentRetryCount } = await read();
  await clock.advance(submittedAt + ms - clock.now().getTime());
  return eventually(async () => {
    const now = await read();
    expect(now.currentRetryCount).toBe(currentRetryCount + 1);
    // Not in the midst of what follows from the response.
    expect(now.status !== OrderStatus.PROCESSING || now.nextPollAt !== undefined).toBe(true);
    return now;
  });
}

/** Seconds until the next poll. */
const gapOf = ({ nextPollAt }: TopupOrder): number =>
  (nextPollAt!.getTime() - clock.now().getTime()) / SECOND;

describe('the vendor’s times by the database’s clock (spec §4.6)', () => {
  it('when the vendor goes on saying pending, then it is called after 2, 4, 8 … 256 and then every 300 seconds', async () => {
    expect(order).toMatchObject({ status: OrderStatus.PROCESSING, currentRetryCount: 0 });
    const gaps = [gapOf(order)];
    for (let at = gaps[0]! * SECOND; gaps.length < 11; at += gaps.at(-1)! * SECOND) {
      await clock.advance(submittedAt + at - SECOND - clock.now().getTime());
      expect((await read()).currentRetryCount).toBe(gaps.length - 1);
      gaps.push(gapOf(await pollAt(at)));
    }
    expect(gaps).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
    expect(inquiries).toBe(10);
  });

  it.each<[string, () => VendorResponse]>([
    ['says pending', () => ({ kind: 'pending' })],
    [
      'does not respond',
      () => {
        throw new VendorUnreachableError('connection refused');
      },
    ],
  ])(
    'when it %s for 24 hours, then the order is Processing at 23:59:59 and needs an operator at 24:00:00, its money set aside',
    async (_, says) => {
      response = says;
      const late = await pollAt(DAY - SECOND);
      expect(late).toMatchObject({ status: OrderStatus.PROCESSING, completedAt: undefined });
      expect(late.nextPollAt!.getTime()).toBeLessThanOrEqual(submittedAt + DAY);
      expect(finance.available()).toBe('990.00');

      const over = await pollAt(DAY);
      expect(over).toMatchObject({
        status: OrderStatus.INTERVENTION_REQUIRED,
        nextPollAt: undefined,
        completedAt: undefined,
        failureCode: undefined,
        errorMessage: undefined,
      });
      expect([finance.available(), finance.count('held'), finance.charges()]).toEqual(['990.00', 1, 0]);
      expect(await eventsOf(database, order.orderId)).toEqual(['OrderProcessingStarted']);

      // Nobody asks any more, and nothing is refunded by guess.
      const inquiriesBefore = inquiries;
      await clock.advance(30 * DAY);
      await expect(create(service, { ...topup(), ...bodyOf(order) }, call)).rejects.toMatchObject({
        code: 'CONFLICT_ORDER_INTERVENTION_REQUIRED',
      });
      expect([inquiries, finance.available()]).toEqual([inquiriesBefore, '990.00']);
    },
  );

  it('when the vendor delivers in the last second of the 24 hours, then the order is Completed', async () => {
    await pollAt(DAY - SECOND);
    response = () => ({ kind: 'success', vendorOrderId: 'V-1' });
    expect(await pollAt(DAY)).toMatchObject({ status: OrderStatus.COMPLETED, completedAt: clock.now() });
    expect(finance.available()).toBe('990.00');
    expect(finance.charges()).toBe(1);
  });
});

const bodyOf = ({ externalReference, amount, phoneNumber }: TopupOrder) => ({
  externalReference,
  amount,
  phoneNumber,
});
