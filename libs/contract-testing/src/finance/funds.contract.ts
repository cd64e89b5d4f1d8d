import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Message } from '../contract';
import { rpc, service } from '../notation';
import type { Party } from '../party';
import { after, byAStranger, inTheOtherEnvironment, isRepeatable, repeated, takenBy } from '../variations';
import { refusalOf, type World } from '../world';
import { balanceOf, deposit, funded, linesOf, moved, orderOf, reserved, withDisplayRate } from './arrange';

/** 10.00 of a partner's 100.00, after these RPCs. */
const order =
  (...rpcs: string[]) =>
  async (world: World) => {
    const partner = await funded(world, '100.00');
    return [partner, await moved(partner, '10.00', ...rpcs)] as const;
  };

const hasBalance =
  (...balance: string[]) =>
  async (partner: Party) =>
    expect(await balanceOf(partner)).toEqual(balance);

const NEVER_MADE = { reservation_key: 'ORD-never' };

/** Reserve, capture or release, refund. */
export const funds = service('FundsService', {
  CheckFunds: rpc(async (world) => [await funded(world)], {
    'answers what could be spent now, without what orders have set aside': async (use) => {
      const partner = await funded(use, '100.00');
      await reserved(partner, '30.00');
      const expected = { currency: 'SAR', available_balance: '70.00', display_rate: null };
      expect(await partner.call('CheckFunds')).toEqual(expected);
    },
    'answers the display rate of a partner with a display currency': async (use) => {
      const { display_rate } = await (await withDisplayRate(use, 'USD', '0.2666')).call('CheckFunds');
      expect(display_rate).toEqual({ currency: 'USD', rate: '0.266600' });
    },
    'NOT_FOUND_WALLET: a partner without a wallet': byAStranger,
    'NOT_FOUND_WALLET: the environment without one, where the other has one': inTheOtherEnvironment,
    'VALIDATION_FAILED: a partner id that is none': { partner_id: 'me', environment: 0 },
  }),

  ReserveFunds: rpc(order(), {
    'sets the amount aside and answers what is left': async (use) => {
      const { who, call } = await use.given();
      expect(await call({ amount: '30.50' })).toEqual({ available_balance: '69.50' });
      await hasBalance('100.00', '69.50')(who as Party);
    },
    'repeated, it answers the first outcome and holds the amount once, also after the capture': isRepeatable(
      async (partner: Party, reply) => {
        expect(reply).toEqual({ available_balance: '90.00' });
        const request = orderOf('30.00');
        for (const name of ['ReserveFunds', 'CaptureFunds', 'ReserveFunds'])
          await partner.call(name, request);
        await hasBalance('70.00', '60.00')(partner);
      },
    ),
    'of orders that overspend at once, exactly those succeed that the balance covers': async (use) => {
      const partner = await funded(use, '20.00');
      const outcomes = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(() => reserved(partner, '7.00')));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
      await hasBalance('20.00', '6.00')(partner);
    },
    'a refusal uses no key: with the money there, the same call succeeds': async (use) => {
      const { who, call } = await use.given();
      const more = { amount: '105.00' };
      expect(await refusalOf(call(more))).toMatchObject({ code: 'BUSINESS_INSUFFICIENT_BALANCE' });
      await deposit(who as Party, '5.00');
      expect(await call(more)).toEqual({ available_balance: '0.00' });
    },
    'VALIDATION_FAILED: an amount of nothing': { amount: '0.00' },
    'NOT_FOUND_WALLET: a partner without a wallet': byAStranger,
    'BUSINESS_INSUFFICIENT_BALANCE: more than is available': { amount: '100.01' },
    'CONFLICT_ORDER_STATE: a key that was released': after('ReserveFunds', 'ReleaseFunds'),
    'CONFLICT_ORDER_STATE: a key that was released before it was reserved': after('ReleaseFunds'),
    'CONFLICT_IDEMPOTENCY_KEY_REUSED: the same key with another amount': repeated({ amount: '10.01' }),
    'CONFLICT_IDEMPOTENCY_KEY_REUSED: a key that another partner has': takenBy(funded),
  }),

  PinReservation: rpc(order('ReserveFunds'), {
    'makes a reservation last, and may be repeated': async (use) => {
      const partner = await funded(use, '50.00');
      const request = orderOf('10.00', { pinned: false });
      await partner.call('ReserveFunds', request);
      expect(await partner.twice('PinReservation', request)).toEqual({});
      await hasBalance('50.00', '40.00')(partner);
    },
    'VALIDATION_FAILED: no key': { reservation_key: '' },
    'CONFLICT_ORDER_STATE: a reservation that was never made': NEVER_MADE,
    'CONFLICT_ORDER_STATE: one that was released': after('ReleaseFunds'),
  }),

  CaptureFunds: rpc(order('ReserveFunds'), {
    'takes the amount, or less, frees the rest and posts one Debit': async (use) => {
      const { who, request, call } = await use.given();
      const reply = await call({ amount: '5.50', notes: 'Top-up' });
      expect(reply).toEqual({ transaction_id: expect.any(String), balance_after: '94.50' });
      await hasBalance('94.50', '94.50')(who as Party);
      expect(await who.list('ListTransactions')).toMatchObject([
        {
          transaction_id: reply.transaction_id,
          transaction_type: 'TRANSACTION_TYPE_DEBIT',
          reference_type: 'REFERENCE_TYPE_ORDER',
          reference_id: request.reservation_key,
          amount: '5.50',
          balance_after: '94.50',
          notes: 'Top-up',
        },
        { reference_type: 'REFERENCE_TYPE_DEPOSIT' },
      ]);
    },
    'repeated, it answers the first outcome and charges once': isRepeatable(hasBalance('90.00', '90.00')),
    'VALIDATION_FAILED: three decimals': { amount: '0.001' },
    'CONFLICT_ORDER_STATE: a reservation that was never made': NEVER_MADE,
    'CONFLICT_ORDER_STATE: one that was released': after('ReleaseFunds'),
    'CONFLICT_ORDER_STATE: more than was reserved': { amount: '10.01' },
    'CONFLICT_ORDER_STATE: another partner’s reservation': async (use) =>
      (await funded(use)).call('CaptureFunds', (await use.given()).request),
    'CONFLICT_IDEMPOTENCY_KEY_REUSED: captured before with another amount': repeated({ amount: '1.00' }),
  }),

  ReleaseFunds: rpc(order('ReserveFunds'), {
    'frees the amount, and may be repeated': isRepeatable(hasBalance('100.00', '100.00')),
    'succeeds for a reservation that was never made, and bars its key': async (use) => {
      const partner = await funded(use);
      const request = await moved(partner, '20.00', 'ReleaseFunds');
      const refusal = await refusalOf(partner.call('ReserveFunds', request));
      expect(refusal).toMatchObject({ code: 'CONFLICT_ORDER_STATE' });
    },
    'VALIDATION_FAILED: no key': { reservation_key: '' },
    'CONFLICT_ORDER_STATE: what was captured': after('CaptureFunds'),
    'CONFLICT_IDEMPOTENCY_KEY_REUSED: a key that another partner has': async (use) =>
      (await funded(use)).call('ReleaseFunds', (await use.given()).request),
  }),

  RefundFunds: rpc(order('ReserveFunds', 'CaptureFunds'), {
    'gives back in parts that never exceed the capture, each one Credit (Refund)': async (use) => {
      const { request, call } = await use.given();
      const refund = (amount: string): Promise<Message> => call({ amount, operation_key: uuidv7() });
      const first = await refund('4.00');
      expect(first).toMatchObject({ balance_after: '94.00' });
      expect(await refund('6.00')).toMatchObject({ balance_after: '100.00' });
      expect(await refusalOf(refund('0.01'))).toMatchObject({ code: 'CONFLICT_ORDER_STATE' });
      expect(await linesOf(use, request)).toMatchObject([
        { reference_type: 'REFERENCE_TYPE_ORDER', amount: '10.00' },
        {
          reference_type: 'REFERENCE_TYPE_REFUND',
          transaction_type: 'TRANSACTION_TYPE_CREDIT',
          amount: '4.00',
          transaction_id: first.transaction_id,
        },
        { reference_type: 'REFERENCE_TYPE_REFUND', amount: '6.00' },
      ]);
    },
    'repeated under its operation key, it answers the first outcome': isRepeatable(
      hasBalance('100.00', '100.00'),
    ),
    'VALIDATION_FAILED: no operation key': { operation_key: '' },
    'CONFLICT_ORDER_STATE: what was not captured': async (use) => {
      const partner = await funded(use);
      return partner.call('RefundFunds', await reserved(partner, '2.00'));
    },
    'CONFLICT_ORDER_STATE: more than was captured': { amount: '10.01' },
    'CONFLICT_IDEMPOTENCY_KEY_REUSED: the operation key with another amount': repeated({ amount: '0.50' }),
  }),
});
