import { expect, operatorRpc, partnerService, refusalOf, rpc, service, UNKNOWN, uuidv7 } from '../prelude';
import type { Case, Message, Party, Sentences, World } from '../prelude';
import { familyOf } from '../identity/fake-identity';
import { captured, funded, moved, orderOf } from './arrange';

const LIMITS = { max_order_amount: '50.00', daily_spend: '80.00', daily_orders_per_phone: 2 };

const setByParent = (parent: Party, child: Party, limits: Message): Promise<Message> =>
  parent.call('SetDescendantLimits', { partner_id: child.id, limits });

const setByOperator = (partner: Party, limits: Message): Promise<Message> =>
  partner.call('SetPartnerLimits', { limits });

/** A partner with 100.00, and one below it with as much; what each lets the lower one spend. */
async function pair(world: World, byParent?: Message, byOperator?: Message) {
  const [parent, child] = familyOf(world);
  for (const partner of [parent, child]) await funded(world, '100.00', partner);
  if (byParent) await setByParent(parent, child, byParent);
  if (byOperator) await setByOperator(child, byOperator);
  return { parent, child };
}

const spentToday = async (partner: Party): Promise<unknown> => {
  const { limits } = await partner.call('GetOwnLimits');
  return (limits as Message).spent_today;
};

const ofChild = async (world: World) => {
  const { parent, child } = await pair(world);
  return [parent, { partner_id: child.id, limits: LIMITS }, { child }] as const;
};

/** What partners may spend, as operators and ancestors limit it. */
export const spendingLimits = [
  partnerService('SpendingLimitService', {
    GetOwnLimits: rpc(async (world) => [await funded(world)], {
      'returns no limits where none are set, nothing spent, and the day’s end (UTC)': async (_, { call }) => {
        const reply = await call();
        const { resets_at } = reply.limits as Message;
        expect(resets_at).toMatch(/T00:00:00\.000Z$/);
        expect(Date.parse(String(resets_at)) - Date.now()).toBeLessThanOrEqual(86_400_000);
        return reply;
      },
      'of several limits returns the lowest, each with who set it': async (use) => {
        const byOperator = { max_order_amount: '40.00', daily_spend: '80.00' };
        const { child } = await pair(use, { ...LIMITS, daily_spend: '79.99' }, byOperator);
        return child.call(use.rpc);
      },
      'counts what today’s orders hold and paid, without what was given back': async (_, { partner }) => {
        await moved(partner, '10.00', 'ReserveFunds');
        await moved(partner, '20.00', 'ReserveFunds', 'ReleaseFunds');
        const order = await captured(partner, '30.00');
        const before = await spentToday(partner);
        await partner.call('RefundFunds', { ...order, amount: '5.00' });
        return [before, await spentToday(partner)];
      },
    }),
    SetDescendantLimits: rpc(ofChild, {
      'sets the limits, returns them as its own, and may be repeated': [{}, {}],
      'replaces all of its own, and leaves what others set': async (use, { child, call }) => {
        await call();
        await setByOperator(child, { max_order_amount: '60.00' });
        await call({ limits: { daily_spend: '70.00' } });
        return child.call('GetOwnLimits');
      },
      'holds in the environment of the call alone, and of a wallet that is opened later': async (use) => {
        const [parent, child] = familyOf(use);
        await setByParent(parent, child, { max_order_amount: '0.00' });
        await funded(use, '10.00', child);
        const { code, details } = await refusalOf(child.call('ReserveFunds', orderOf('1.00')));
        const elsewhere = await funded(use, '10.00', child.elsewhere());
        return [code, details, await elsewhere.call('ReserveFunds', orderOf('1.00'))];
      },
      'FORBIDDEN_NOT_YOUR_DESCENDANT: the partner itself': (_, { partner, call }) =>
        call({ partner_id: partner.id }),
      'FORBIDDEN_NOT_YOUR_DESCENDANT: a partner that is not below it': { partner_id: UNKNOWN },
      'FORBIDDEN_NOT_YOUR_DESCENDANT: its own parent': (_, { partner, child }) =>
        setByParent(child, partner, LIMITS),
      'FORBIDDEN_NOT_YOUR_DESCENDANT: a call that acts for another': (use, { partner, request }) =>
        use.call(use.rpc, request, { ...partner.caller, 'x-acting-partner-id': uuidv7() }),
    }),
  }),
  service('SpendingLimitService', {
    SetPartnerLimits: operatorRpc(async (world) => [await funded(world), { limits: LIMITS }], {
      'sets the operators’ limits, and may be repeated': [{}, {}],
      'without limits it takes all of them back': [
        {},
        { limits: {} },
        ['ReserveFunds', { ...orderOf('90.00'), limits: undefined }],
      ],
      'sets them for a partner that has no wallet yet': (use) => setByOperator(use.partner(), LIMITS),
    }),
    GetPartnerLimits: rpc(async (world) => [(await pair(world, LIMITS, { daily_spend: '10.00' })).child], {
      'returns what holds and who set what, operators first': {},
      'returns nothing of a partner without limits or a wallet': (use) => use.partner().call(use.rpc),
    }),
  }),
];

const limited =
  (limits: Message, work: (partner: Party) => Promise<unknown>): Case =>
  async (use) => {
    const partner = await funded(use);
    await setByOperator(partner, limits);
    return work(partner);
  };

const reserve = (partner: Party, amount: string, more?: Message): Promise<Message> =>
  partner.call('ReserveFunds', orderOf(amount, more));

const to = (recipient_hash: string): Message => ({ recipient_hash });
const yesterday = (): Message => ({ submitted_at: new Date(Date.now() - 86_400_000) });

/** What limits on spending do to a reservation. */
export const limitedReservations: Sentences = {
  'BUSINESS_ORDER_AMOUNT_LIMIT: more than one order may cost': limited(
    { max_order_amount: '10.00', daily_spend: '0.00' },
    (partner) => reserve(partner, '10.01'),
  ),
  'BUSINESS_SPENDING_LIMIT: with what was charged and is held today, more than a day’s orders may cost':
    limited({ daily_spend: '20.00' }, async (partner) => {
      await captured(partner, '10.00');
      await reserve(partner, '5.00');
      return reserve(partner, '5.01');
    }),
  'BUSINESS_RECIPIENT_LIMIT: a recipient that has had as many as it may': limited(
    { daily_orders_per_phone: 1 },
    async (partner) => {
      for (const more of [to('one'), to('another'), {}]) await reserve(partner, '1.00', more);
      return reserve(partner, '1.00', to('one'));
    },
  ),
  'names the limit that was passed as a number, the balance before any': limited(
    { ...LIMITS, daily_orders_per_phone: 0 },
    async (partner) => {
      const seen: unknown[] = [];
      const see = async (amount: string) => {
        const { code, details } = await refusalOf(reserve(partner, amount, to('one')));
        seen.push([code, details.limit]);
      };
      for (const amount of ['100.01', '50.01', '50.00']) await see(amount);
      await reserve(partner, '40.00');
      await see('40.01');
      return seen;
    },
  ),
  'counts an order for the day on which it was submitted': limited(
    { daily_spend: '10.00' },
    async (partner) => {
      await reserve(partner, '6.00', yesterday());
      await reserve(partner, '10.00');
      const { code } = await refusalOf(reserve(partner, '4.01', yesterday()));
      await reserve(partner, '4.00', yesterday());
      return code;
    },
  ),
  'repeated, it returns the first outcome, whatever the limits are then': async (_, { partner, call }) => {
    const first = await call();
    await setByOperator(partner, { max_order_amount: '0.00' });
    expect(await call()).toEqual(first);
  },
};
