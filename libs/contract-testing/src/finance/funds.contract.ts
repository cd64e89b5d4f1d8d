import { expect } from '@jest/globals';
import { rpc, service } from '../contract';
import {
  byAStranger,
  given,
  inTheOtherEnvironment,
  isRepeatable,
  repeated,
  steps,
  takenBy,
} from '../variations';
import type { World } from '../world';
import { deposit, funded, linesOf, moved, orderOf, reserved, withDisplayRate } from './arrange';

/** 10.00 of a partner's 100.00, after these RPCs. */
const order =
  (...rpcs: string[]) =>
  async (world: World) => {
    const partner = await funded(world, '100.00');
    return [partner, await moved(partner, '10.00', ...rpcs)] as const;
  };

const NEVER_MADE = { reservation_key: 'ORD-never' };

/** Reserve, capture or release, refund. */
export const funds = service('FundsService', {
  CheckFunds: rpc(async (world) => [await funded(world)], {
    'returns what could be spent now, without what orders have set aside': async (use) => {
      const partner = await funded(use, '100.00');
      await reserved(partner, '30.00');
      return partner.call('CheckFunds');
    },
    'returns the display rate of a partner with a display currency': async (use) =>
      (await withDisplayRate(use, 'USD', '0.2666')).call('CheckFunds'),
    'NOT_FOUND_WALLET: a partner without a wallet': byAStranger,
    'NOT_FOUND_WALLET: the environment without one, where the other has one': inTheOtherEnvironment,
    'VALIDATION_FAILED: a partner id that is none': { partner_id: 'me', environment: 0 },
  }),

  ReserveFunds: rpc(order(), {
    'sets the amount aside and returns what is left': steps({ amount: '30.50' }, ['GetBalance']),
    'repeated, it returns the first outcome and holds the amount once': isRepeatable(['GetBalance']),
    'returns the display rate of the moment, of a repetition too': async (use) => {
      const partner = await withDisplayRate(use, 'USD', '0.2666');
      const request = orderOf('10.00');
      const first = await partner.call('ReserveFunds', request);
      await use.call('SetRate', { currency: 'USD', rate: '0.2777' });
      return [first, await partner.call('ReserveFunds', request)];
    },
    'repeated after the capture, it charges once': steps({}, ['CaptureFunds'], {}, ['GetBalance']),
    'of orders that overspend at once, exactly those succeed that the balance covers': async (use) => {
      const partner = await funded(use, '20.00');
      const outcomes = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(() => reserved(partner, '7.00')));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
      return partner.call('GetBalance');
    },
    'a refusal uses no key: with the money there, the same call succeeds': given(
      async ({ partner, request, call }, use) => {
        const refused = await partner.refusal(use.rpc, { ...request, amount: '105.00' });
        await deposit(partner, '5.00');
        return [refused, await call({ amount: '105.00' })];
      },
    ),
    'VALIDATION_FAILED: an amount of nothing': { amount: '0.00' },
    'NOT_FOUND_WALLET: a partner without a wallet': byAStranger,
    'BUSINESS_INSUFFICIENT_BALANCE: more than is available': { amount: '100.01' },
    'CONFLICT_ORDER_STATE: a key that was released': steps({}, ['ReleaseFunds'], {}),
    'CONFLICT_ORDER_STATE: a key that was released before it was reserved': steps(['ReleaseFunds'], {}),
    'CONFLICT_IDEMPOTENCY_KEY_REUSED: the same key with another amount': repeated({ amount: '10.01' }),
    'CONFLICT_IDEMPOTENCY_KEY_REUSED: a key that another partner has': takenBy(funded),
  }),

  PinReservation: rpc(order('ReserveFunds'), {
    'makes a reservation last, and may be repeated': steps({}, {}, ['GetBalance']),
    'VALIDATION_FAILED: no key': { reservation_key: '' },
    'CONFLICT_ORDER_STATE: a reservation that was never made': NEVER_MADE,
    'CONFLICT_ORDER_STATE: one that was released': steps(['ReleaseFunds'], {}),
  }),

  CaptureFunds: rpc(order('ReserveFunds'), {
    'takes the amount, or less, frees the rest and posts one Debit': steps(
      { amount: '5.50', notes: 'Top-up' },
      ['GetBalance'],
      ['ListTransactions'],
    ),
    'repeated, it returns the first outcome and charges once': isRepeatable(['GetBalance']),
    'VALIDATION_FAILED: three decimals': { amount: '0.001' },
    'CONFLICT_ORDER_STATE: a reservation that was never made': NEVER_MADE,
    'CONFLICT_ORDER_STATE: one that was released': steps(['ReleaseFunds'], {}),
    'CONFLICT_ORDER_STATE: more than was reserved': { amount: '10.01' },
    'CONFLICT_ORDER_STATE: another partner’s reservation': given(async ({ request }, use) =>
      (await funded(use)).call('CaptureFunds', request),
    ),
    'CONFLICT_IDEMPOTENCY_KEY_REUSED: captured before with another amount': repeated({ amount: '1.00' }),
  }),

  ReleaseFunds: rpc(order('ReserveFunds'), {
    'frees the amount, and may be repeated': isRepeatable(['GetBalance']),
    'succeeds for a reservation that was never made, and bars its key': async (use) => {
      const partner = await funded(use);
      const request = await moved(partner, '20.00', 'ReleaseFunds');
      return partner.refusal('ReserveFunds', request);
    },
    'VALIDATION_FAILED: no key': { reservation_key: '' },
    'CONFLICT_ORDER_STATE: what was captured': steps(['CaptureFunds'], {}),
    'CONFLICT_IDEMPOTENCY_KEY_REUSED: a key that another partner has': given(async ({ request }, use) =>
      (await funded(use)).call('ReleaseFunds', request),
    ),
  }),

  RefundFunds: rpc(order('ReserveFunds', 'CaptureFunds'), {
    'gives back in parts that never exceed the capture, each one Credit (Refund)': given(
      async ({ partner, request, call }, use) => [
        await call({ amount: '4.00', operation_key: 'one' }),
        await call({ amount: '6.00', operation_key: 'two' }),
        await partner.refusal('RefundFunds', { ...request, amount: '0.01', operation_key: 'three' }),
        await linesOf(use, request),
      ],
    ),
    'repeated under its operation key, it returns the first outcome': isRepeatable(['GetBalance']),
    'VALIDATION_FAILED: no operation key': { operation_key: '' },
    'CONFLICT_ORDER_STATE: what was not captured': async (use) => {
      const partner = await funded(use);
      return partner.call('RefundFunds', await reserved(partner, '2.00'));
    },
    'CONFLICT_ORDER_STATE: more than was captured': { amount: '10.01' },
    'CONFLICT_IDEMPOTENCY_KEY_REUSED: the operation key with another amount': repeated({ amount: '0.50' }),
  }),
});
