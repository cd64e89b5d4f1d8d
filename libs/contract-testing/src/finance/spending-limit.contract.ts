import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import {
  operatorRpc,
  partnerService,
  rpc,
  service,
  type Case,
  type Message,
  type Sentences,
} from '../contract';
import { familyOf } from '../identity/fake-identity';
import type { Party } from '../party';
import { refusalOf } from '../refusal';
import { UNKNOWN } from '../variations';
import type { World } from '../world';
import { captured, funded, moved, orderOf } from './arrange';

const LIMITS = { max_order_amount: '50.00', daily_spend: '80.00', daily_orders_per_phone: 2 };

/** A partner with 100.00, and one below it with as much. */
async function pair(world: World): Promise<readonly [parent: Party, child: Party]> {
  const [parent, child] = familyOf(world);
  return [await funded(world, '100.00', parent), await funded(world, '100.00', child)];
}

const setByParent = (parent: Party, child: Party, limits: Message): Promise<Message> =>
  parent.call('SetDescendantLimits', { partner_id: child.id, limits });

const setByOperator = (partner: Party, limits: Message): Promise<Message> =>
  partner.call('SetPartnerLimits', { limits });

const notAmongThem: Sentences = {
  'VALIDATION_FAILED: an amount of less than nothing': { limits: { daily_spend: '-0.01' } },
  'VALIDATION_FAILED: an amount of three decimals': { limits: { max_order_amount: '1.001' } },
  'VALIDATION_FAILED: a number of less than nothing': { limits: { daily_orders_per_phone: -1 } },
};

// The day may end between two calls; then it is done again.
const spentToday = async (partner: Party): Promise<unknown> => {
  const { limits } = await partner.call('GetOwnLimits');
  return (limits as Message)['spent_today'];
};

/** What partners may spend, as operators and ancestors limit it. */
export const spendingLimits = [
  partnerService('SpendingLimitService', {
    GetOwnLimits: rpc(async (world) => [await funded(world)], {
      'returns no limits where none are set, nothing spent, and the end of the day (UTC)': async (
        _,
        { call },
      ) => {
        const { limits } = await call();
        expect(limits).toMatchObject({ max_order_amount: null, daily_spend: null, spent_today: '0.00' });
        expect((limits as Message)['daily_orders_per_phone']).toBeNull();
        const resetsAt = new Date(String((limits as Message)['resets_at']));
        expect(resetsAt.getTime() - Date.now()).toBeLessThanOrEqual(86_400_000);
        expect(resetsAt.toISOString()).toMatch(/T00:00:00\.000Z$/);
      },
      'of several limits returns the lowest, each with who set it': async (use) => {
        const [parent, child] = await pair(use);
        await setByOperator(child, { max_order_amount: '40.00', daily_spend: '80.00' });
        await setByParent(parent, child, { ...LIMITS, daily_spend: '79.99' });
        const { limits } = await child.call(use.rpc);
        expect(limits).toMatchObject({
          max_order_amount: { limit: '40.00', set_by: 'LIMIT_SETTER_OPERATOR' },
          daily_spend: { limit: '79.99', set_by: 'LIMIT_SETTER_ANCESTOR' },
          daily_orders_per_phone: { limit: 2, set_by: 'LIMIT_SETTER_ANCESTOR' },
        });
      },
      'counts what orders of today hold and were charged, without what was given back': async (
        _,
        { partner },
      ) => {
        await moved(partner, '10.00', 'ReserveFunds');
        await moved(partner, '20.00', 'ReserveFunds', 'ReleaseFunds');
        const order = await captured(partner, '30.00');
        expect(await spentToday(partner)).toBe('40.00');
        await partner.call('RefundFunds', { ...order, amount: '5.00' });
        expect(await spentToday(partner)).toBe('35.00');
      },
      'NOT_FOUND_WALLET: a partner without one': async (use) => use.partner().call(use.rpc),
    }),
    SetDescendantLimits: rpc(
      async (world) => {
        const [parent, child] = await pair(world);
        return [parent, { partner_id: child.id, limits: LIMITS }];
      },
      {
        ...notAmongThem,
        'sets the limits, returns them as its own, and may be repeated': async (_, { partner, call }) => {
          const { setting } = await call();
          expect(setting).toMatchObject({ set_by: 'LIMIT_SETTER_ANCESTOR', ancestor_partner_id: partner.id });
          expect((setting as Message)['limits']).toEqual(LIMITS);
          expect((await call())['setting']).toMatchObject({ limits: LIMITS });
        },
        'replaces all of its own, and leaves what others set': async (use) => {
          const [parent, child] = await pair(use);
          await setByParent(parent, child, LIMITS);
          await setByOperator(child, { max_order_amount: '60.00' });
          await setByParent(parent, child, { daily_spend: '70.00' });
          const { limits } = await child.call('GetOwnLimits');
          expect(limits).toMatchObject({
            max_order_amount: { limit: '60.00', set_by: 'LIMIT_SETTER_OPERATOR' },
            daily_spend: { limit: '70.00', set_by: 'LIMIT_SETTER_ANCESTOR' },
            daily_orders_per_phone: null,
          });
        },
        'holds in the environment of the call alone, and of a wallet that is opened later': async (use) => {
          const [parent, child] = familyOf(use);
          await setByParent(parent, child, { max_order_amount: '0.00' });
          await funded(use, '10.00', child);
          const refused = await refusalOf(child.call('ReserveFunds', orderOf('1.00')));
          expect([refused.code, refused.details['limit']]).toEqual(['BUSINESS_ORDER_AMOUNT_LIMIT', 0]);
          const elsewhere = await funded(use, '10.00', child.elsewhere());
          await elsewhere.call('ReserveFunds', orderOf('1.00'));
        },
        'FORBIDDEN_NOT_YOUR_DESCENDANT: the partner itself': (_, { partner, call }) =>
          call({ partner_id: partner.id }),
        'FORBIDDEN_NOT_YOUR_DESCENDANT: a partner that is not below it': { partner_id: UNKNOWN },
        'FORBIDDEN_NOT_YOUR_DESCENDANT: its own parent': async (use) => {
          const [parent, child] = await pair(use);
          return setByParent(child, parent, LIMITS);
        },
        'FORBIDDEN_NOT_YOUR_DESCENDANT: a call that acts for another': (use, { partner, request }) =>
          use.call(use.rpc, request, { ...partner.caller, 'x-acting-partner-id': uuidv7() }),
      },
    ),
  }),
  service('SpendingLimitService', {
    SetPartnerLimits: operatorRpc(async (world) => [await funded(world), { limits: LIMITS }], {
      ...notAmongThem,
      'sets the operators’ limits, and may be repeated': async (_, { call }) => {
        const { setting } = await call();
        expect(setting).toMatchObject({ set_by: 'LIMIT_SETTER_OPERATOR', limits: LIMITS });
        expect((await call())['setting']).toMatchObject({ limits: LIMITS });
      },
      'without limits it takes all of them back': async (_, { partner, call }) => {
        await call();
        await call({ limits: {} });
        await partner.call('ReserveFunds', orderOf('90.00'));
      },
      'sets them for a partner that has no wallet yet': async (use) => setByOperator(use.partner(), LIMITS),
    }),
    GetPartnerLimits: rpc(
      async (world) => {
        const [parent, child] = await pair(world);
        await setByParent(parent, child, LIMITS);
        await setByOperator(child, { daily_spend: '10.00' });
        return [child];
      },
      {
        'returns what holds and who set what, operators first': async (_, { call }) => {
          const { limits, settings } = await call();
          expect(limits).toMatchObject({ daily_spend: { limit: '10.00', set_by: 'LIMIT_SETTER_OPERATOR' } });
          const setters = (settings as Message[]).map((one) => one['set_by']);
          expect(setters).toEqual(['LIMIT_SETTER_OPERATOR', 'LIMIT_SETTER_ANCESTOR']);
          expect((settings as Message[])[1]?.['limits']).toEqual(LIMITS);
        },
        'returns nothing of a partner without limits or a wallet': async (use) => {
          const { limits, settings } = await use.partner().call(use.rpc);
          expect(settings).toEqual([]);
          expect(limits).toMatchObject({ max_order_amount: null, spent_today: '0.00' });
        },
      },
    ),
  }),
];

const limited =
  (limits: Message, work: (partner: Party, use: World) => Promise<unknown>): Case =>
  async (use) => {
    const partner = await funded(use);
    await setByOperator(partner, limits);
    return work(partner, use);
  };

const YESTERDAY = (): Date => new Date(Date.now() - 86_400_000);

/** What limits on spending do to a reservation. */
export const limitedReservations: Sentences = {
  'BUSINESS_ORDER_AMOUNT_LIMIT: more than one order may cost': limited(
    { max_order_amount: '10.00', daily_spend: '0.00' },
    (partner) => moved(partner, '10.01', 'ReserveFunds'),
  ),
  'BUSINESS_SPENDING_LIMIT: with what was charged and is held today, more than a day’s orders may cost':
    limited({ daily_spend: '20.00' }, async (partner) => {
      await captured(partner, '10.00');
      await moved(partner, '5.00', 'ReserveFunds');
      await moved(partner, '5.01', 'ReserveFunds');
    }),
  'BUSINESS_RECIPIENT_LIMIT: a recipient that has had as many as it may': limited(
    { daily_orders_per_phone: 1 },
    async (partner) => {
      await partner.call('ReserveFunds', orderOf('1.00', { recipient_hash: 'one' }));
      await partner.call('ReserveFunds', orderOf('1.00', { recipient_hash: 'another' }));
      await partner.call('ReserveFunds', orderOf('1.00'));
      await partner.call('ReserveFunds', orderOf('1.00', { recipient_hash: 'one' }));
    },
  ),
  'names the limit that was passed as a number, the balance before any': limited(
    { ...LIMITS, daily_orders_per_phone: 0 },
    async (partner) => {
      const detailsOf = async (amount: string): Promise<unknown> => {
        const order = orderOf(amount, { recipient_hash: 'one' });
        const { code, details } = await refusalOf(partner.call('ReserveFunds', order));
        return [code, details['limit']];
      };
      expect(await detailsOf('100.01')).toEqual(['BUSINESS_INSUFFICIENT_BALANCE', undefined]);
      expect(await detailsOf('50.01')).toEqual(['BUSINESS_ORDER_AMOUNT_LIMIT', 50]);
      expect(await detailsOf('50.00')).toEqual(['BUSINESS_RECIPIENT_LIMIT', 0]);
      await moved(partner, '40.00', 'ReserveFunds');
      expect(await detailsOf('40.01')).toEqual(['BUSINESS_SPENDING_LIMIT', 80]);
    },
  ),
  'counts an order for the day on which it was submitted': limited(
    { daily_spend: '10.00' },
    async (partner) => {
      await partner.call('ReserveFunds', orderOf('6.00', { submitted_at: YESTERDAY() }));
      await moved(partner, '10.00', 'ReserveFunds');
      const refused = partner.call('ReserveFunds', orderOf('4.01', { submitted_at: YESTERDAY() }));
      expect((await refusalOf(refused)).code).toBe('BUSINESS_SPENDING_LIMIT');
      await partner.call('ReserveFunds', orderOf('4.00', { submitted_at: YESTERDAY() }));
    },
  ),
  'repeated, it returns the first outcome, whatever limits are set meanwhile': async (
    _,
    { partner, call },
  ) => {
    const first = await call();
    await setByOperator(partner, { max_order_amount: '0.00' });
    expect(await call()).toEqual(first);
  },
  'VALIDATION_FAILED: a recipient’s hash of more than 64 characters': { recipient_hash: 'x'.repeat(65) },
};
