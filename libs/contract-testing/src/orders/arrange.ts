import type { Environment } from '@reseller/contracts';
import { eventually } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
import type { Message } from '../contract';
import { FakeFinance } from '../finance/fake-finance';
import type { Party } from '../party';
import { FakeShop } from '../scent/fake-shop';
import type { Failing, World } from '../world';

/** What orders move money and goods in; they stand for finance and scent-commerce in the suite. */
export const wallets = new FakeFinance();
export const shop = new FakeShop();

/** A display rate as finance answers it. */
export const USD = { currency: 'USD', rate: '0.266600' };

/** A partner with so much in both its wallets; in the sandbox the vendor is the simulator (spec §4.12). */
export function buyer(world: World, amount = '9000000.00', displayRate?: typeof USD): Party {
  const partner = world.partner();
  for (const { ref } of [partner, partner.elsewhere()])
    wallets.fund({ partnerId: partner.id, environment: ref.environment as Environment }, amount, displayRate);
  return partner;
}

/** How an order at the vendor ends. */
export type Ends = 'completed' | 'refused' | 'pending' | 'unknown';

const orderOf = (more: Message): Message => ({ external_reference: `INV-${uuidv7()}`, ...more });
const PHONE_ENDS = { completed: '9999', refused: '0001', pending: '0003', unknown: '0005' };
const EMAIL_TAGS = { completed: '', refused: '+fail', pending: '+pending', unknown: '+unknown' };

/** An address that brings an end about, by the simulator's table. */
export const emailFor = (ends: Ends): string => `traveller${EMAIL_TAGS[ends]}@example.com`;

export const SHIPPING_ADDRESS = {
  recipient: 'Noura',
  line1: 'King Fahd Road 12',
  city: 'Riyadh',
  country: 'SA',
  phone: '+966501234567',
};

/** The requests: a top-up of 10.00, an eSIM of 19.00, and a checkout of the partner's cart, two lines of two warehouses at 270.00. */
export const REQUESTS = {
  Topup: (ends: Ends = 'completed', more: Message = {}) =>
    orderOf({
      geo_scope_global_id: 'GEO-SA',
      amount: '10.00',
      phone_number: `+96650000${PHONE_ENDS[ends]}`,
      ...more,
    }),
  Esim: (ends: Ends = 'completed', more: Message = {}) =>
    orderOf({
      geo_scope_global_id: 'GEO-SA',
      product_sku: 'ESIM-SA-1GB-7D',
      email: emailFor(ends),
      amount: '19.00',
      ...more,
    }),
  Scent: (_: Ends = 'completed', more: Message = {}) =>
    orderOf({ shipping_address: SHIPPING_ADDRESS, ...more }),
};

export type Product = keyof typeof REQUESTS;

/** Places an order of the partner. */
export const place = (
  partner: Party,
  product: Product = 'Topup',
  ends: Ends = 'completed',
  more: Message = {},
): Promise<Message> => partner.get(`Create${product}Order`, REQUESTS[product](ends, more));

/** A call, repeated for as long as an attempt with its reference still runs. */
export const whenDone = <T>(call: () => Promise<T>): Promise<T> => eventually(call, { timeoutMs: 10_000 });

/** Has a method of finance or the shop fail for the partner while the work runs. */
export const whileAway = <T>(
  world: World,
  partner: Party,
  method: 'reserveFunds' | 'captureFunds' | 'releaseFunds' | 'refundFunds' | 'refundUnits' | 'commitCheckout',
  work: () => Promise<T>,
  code: Failing['code'] = 'SERVICE_UNAVAILABLE',
): Promise<T> => {
  const dependency = method === 'commitCheckout' ? 'scent-commerce' : 'finance';
  return world.whileFailing({ dependency, method, code, of: partner.id }, work);
};

/** A paid scent order with its two groups, each with its line. */
export async function paidScent(world: World, partner = buyer(world)) {
  const order = await place(partner, 'Scent');
  const [first, second] = (order.lines as Message[]).map(({ fulfillment_group_id, line_id }) => ({
    id: String(fulfillment_group_id),
    line: line_id,
  }));
  if (!first || !second) throw new Error('the order has two groups');
  return { partner, order, first, second };
}

export type PaidScent = Awaited<ReturnType<typeof paidScent>>;
export type Group = PaidScent['first'];

/** Does something with a group as an operator; returns the order. */
export const withGroup = (
  world: World,
  what: 'Ship' | 'Deliver' | 'Cancel',
  { id }: Group,
): Promise<Message> => world.get(`${what}FulfillmentGroup`, { fulfillment_group_id: id });

/** Hands a group over; returns the order. */
export async function handOver(world: World, group: Group): Promise<Message> {
  await withGroup(world, 'Ship', group);
  return withGroup(world, 'Deliver', group);
}

/** A paid scent order with its first group delivered. */
export async function deliveredScent(world: World): Promise<PaidScent> {
  const paid = await paidScent(world);
  await handOver(world, paid.first);
  return paid;
}

/** A request to take units of a group's line back. */
export const returnOf = ({ order }: PaidScent, { id, line }: Group, quantity = 1): Message => ({
  scent_order_id: order.order_id,
  fulfillment_group_id: id,
  lines: [{ scent_order_line_id: line, quantity, reason: 'RETURN_REASON_DAMAGED' }],
});

/** Asks for units of the delivered group's line to be taken back. */
export const askReturn = (paid: PaidScent, quantity = 1): Promise<Message> =>
  paid.partner.get('CreateReturnRequest', returnOf(paid, paid.first, quantity));
