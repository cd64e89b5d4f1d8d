import { by, expect, isRepeatable, rpc, service, settled, UNKNOWN, uuidv7 } from '../prelude';
import { walksKeys } from '../common/keys';
import { captured, deposit, funded, keepsDecision, moved, ofOrder, withDisplayRate } from './arrange';
import { limitedReservations } from './spending-limit.contract';

const NEW = `ORD-${uuidv7()}`;
const NEVER_MADE = { reservation_key: 'ORD-never' };

/** Reserve, capture or release, refund. */
export const funds = service('FundsService', {
  CheckFunds: rpc(ofOrder('30.00'), {
    'returns what could be spent now, without what orders have set aside': ['ReserveFunds', {}],
    'returns the display rate of a partner with a display currency': async (use) =>
      (await withDisplayRate(use, 'USD', '0.2666')).call('CheckFunds'),
  }),

  ReserveFunds: rpc(ofOrder('10.00'), {
    'sets the amount aside and returns what is left': [{ amount: '30.50' }, 'GetBalance'],
    'repeated, it returns the first outcome and holds the amount once': isRepeatable('GetBalance'),
    'returns the display rate of the moment, of a repetition too': async (use, { request }) => {
      const partner = await withDisplayRate(use, 'USD', '0.2666');
      const first = await partner.call(use.rpc, request);
      await use.call('SetRate', { currency: 'USD', rate: '0.2777' });
      return [first, await partner.call(use.rpc, request)];
    },
    'repeated after the capture, it charges once': [{}, 'CaptureFunds', {}, 'GetBalance'],
    'of orders that overspend at once, exactly those succeed that the balance covers': async (use) => {
      const partner = await funded(use, '20.00');
      const calls = [1, 2, 3, 4, 5, 6].map(() => moved(partner, '7.00', use.rpc));
      expect((await settled(calls)).replies).toHaveLength(2);
      return partner.call('GetBalance');
    },
    'a refusal uses no key: with the money there, the same call succeeds': async (use, given) => {
      const more = { amount: '105.00' };
      const refused = await given.partner.refusal(use.rpc, { ...given.request, ...more });
      await deposit(given.partner, '5.00');
      return [refused, await given.call(more)];
    },
    'BUSINESS_INSUFFICIENT_BALANCE: more than is available': { amount: '100.01' },
    ...limitedReservations,
    'CONFLICT_ORDER_STATE: a key that was released': [{}, 'ReleaseFunds', {}],
    'CONFLICT_ORDER_STATE: a key that was released before it was reserved': ['ReleaseFunds', {}],
    'CONFLICT_IDEMPOTENCY_KEY_REUSED: the same key with another amount': [{}, { amount: '10.01' }],
    'CONFLICT_IDEMPOTENCY_KEY_REUSED: a key that another partner has': async (use, given) => {
      await given.call();
      return by(funded)(use, given);
    },
  }),

  PinReservation: rpc(ofOrder('10.00', 'ReserveFunds'), {
    'makes a reservation last, and may be repeated': [{}, {}, 'GetBalance'],
    'CONFLICT_ORDER_STATE: a reservation that was never made': NEVER_MADE,
    'CONFLICT_ORDER_STATE: one that was released': ['ReleaseFunds', {}],
  }),

  CaptureFunds: rpc(ofOrder('10.00', 'ReserveFunds'), {
    ...keepsDecision,
    'takes the amount, or less, frees the rest and posts one Debit': [
      { amount: '5.50', notes: 'Top-up' },
      'GetBalance',
      'ListTransactions',
    ],
    'repeated, it returns the first outcome and charges once': isRepeatable('GetBalance'),
    'CONFLICT_ORDER_STATE: a reservation that was never made': NEVER_MADE,
    'CONFLICT_ORDER_STATE: one that was released': ['ReleaseFunds', {}],
    'refused, it leaves the reservation as it is': [{ amount: '10.01' }, 'GetBalance'],
    'CONFLICT_ORDER_STATE: more than was reserved': { amount: '10.01' },
    'CONFLICT_ORDER_STATE: another partner’s reservation': by(funded),
    'CONFLICT_IDEMPOTENCY_KEY_REUSED: captured before with another amount': [{}, { amount: '1.00' }],
  }),

  ReleaseFunds: rpc(ofOrder('10.00', 'ReserveFunds'), {
    'frees the amount, and may be repeated': isRepeatable('GetBalance'),
    'succeeds for a reservation that was never made, and bars its key': [
      { reservation_key: NEW },
      ['ReserveFunds', { reservation_key: NEW }],
      'GetBalance',
    ],
    'CONFLICT_ORDER_STATE: what was captured': ['CaptureFunds', {}],
    'CONFLICT_IDEMPOTENCY_KEY_REUSED: a key that another partner has': by(funded),
  }),

  RefundFunds: rpc(ofOrder('10.00', 'ReserveFunds', 'CaptureFunds'), {
    ...keepsDecision,
    'gives back in parts that never exceed the capture, each one Credit (Refund)': [
      ...['4.00', '6.00', '0.01'].map((amount) => ({ amount, operation_key: `part of ${amount}` })),
      'ListTransactionsByReference',
    ],
    'repeated under its operation key, it returns the first outcome': isRepeatable('GetBalance'),
    'CONFLICT_ORDER_STATE: what was not captured': [
      ['ReserveFunds', { reservation_key: NEW }],
      { reservation_key: NEW },
    ],
    'CONFLICT_ORDER_STATE: more than was captured': { amount: '10.01' },
    'CONFLICT_IDEMPOTENCY_KEY_REUSED: the operation key with another amount': [{}, { amount: '0.50' }],
  }),
});

/** What the ledger holds of orders, for whoever compares it with the orders. */
export const orderFunds = service('OrderFundsService', {
  ListOrderFunds: rpc((world) => [world], {
    'returns what became of each reservation, of any partner, and leaves out unknown keys': async (use) => {
      const [partner, other] = [await funded(use), await funded(use)];
      const refunded = await captured(partner, '5.00');
      await partner.call('RefundFunds', { ...refunded, amount: '2.00' });
      const orders = [
        await moved(partner, '10.00', 'ReserveFunds'),
        await captured(other, '20.00'),
        refunded,
        await moved(partner, '30.00', 'ReserveFunds', 'ReleaseFunds'),
      ];
      const keys = orders.map(({ reservation_key }) => reservation_key);
      const found = await use.list(use.rpc, { keys: [...keys, UNKNOWN] });
      return found.sort((a, b) => keys.indexOf(String(a.key)) - keys.indexOf(String(b.key)));
    },
  }),
  ListFundedKeys: walksKeys(
    'lists keys that are active or captured in their order, after one, without those that ended',
    async (world) => {
      const partner = await funded(world);
      const live = [await moved(partner, '1.00', 'ReserveFunds'), await captured(partner, '2.00')];
      const ended = await moved(partner, '3.00', 'ReserveFunds', 'ReleaseFunds');
      return { live: live.map(({ reservation_key }) => reservation_key), ended: ended.reservation_key };
    },
  ),
});
