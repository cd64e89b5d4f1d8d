import type { Environment } from '@reseller/contracts';
import { eventually, passesOn, uuidv7 } from '../prelude';
import type { Message, Party, World } from '../prelude';
import { FakeFinance } from '../finance/fake-finance';
import { FakeShop } from '../scent/fake-shop';
import { VENDOR_PRODUCTS, type Ends, type VendorProductName } from './vendor-products';

/** What orders move money and goods in: finance and scent-commerce in the suite. */
export const wallets = new FakeFinance();
export const shop = new FakeShop();

/** A display rate as finance returns it. */
export const USD = { currency: 'USD', rate: '0.266600' };

/** A partner with so much in both its wallets; in the sandbox the vendor is the simulator (spec §4.12). */
export function buyer(world: World, amount = '9000000.00', displayRate?: typeof USD): Party {
  const partner = world.partner();
  for (const { ref } of [partner, partner.elsewhere()])
    wallets.fund({ partnerId: partner.id, environment: ref.environment as Environment }, amount, displayRate);
  return partner;
}

export const SHIPPING_ADDRESS = {
  recipient: 'Noura',
  line1: 'King Fahd Road 12',
  city: 'Riyadh',
  country: 'SA',
  phone: '+966501234567',
};

export type Product = VendorProductName | 'Scent';

/** What an order of each costs. */
export const PRICES = {
  ...(Object.fromEntries(Object.entries(VENDOR_PRODUCTS).map(([name, { price }]) => [name, price])) as Record<
    VendorProductName,
    string
  >),
  Scent: '270.00',
};

/** What is particular in a request: what the vendor delivers, or a checkout of the partner's cart. */
const particularsOf = (product: Product, ends: Ends): Message =>
  product === 'Scent' ? { shipping_address: SHIPPING_ADDRESS } : VENDOR_PRODUCTS[product].request(ends);

/** A request for an order of a product. */
export const requestOf = (product: Product, ends: Ends = 'completed', more: Message = {}): Message => ({
  external_reference: `INV-${uuidv7()}`,
  ...particularsOf(product, ends),
  ...more,
});

/** Places an order of the partner. */
export const place = (
  partner: Party,
  product: Product = 'Topup',
  ends: Ends = 'completed',
  more: Message = {},
): Promise<Message> => partner.get(`Create${product}Order`, requestOf(product, ends, more));

/** A top-up that has come to this, of a partner with so much, and a decision on it. */
export const placed =
  (ends: Ends = 'completed', amount?: string) =>
  async (world: World) => {
    const partner = buyer(world, amount);
    const order = await place(partner, 'Topup', ends);
    return { partner, order, request: decisionOn(order) };
  };

/** What decisions on an order take: of a top-up of which nobody knows, that it is completed. */
export const decisionOn = ({ order_global_id }: Message): Message => ({
  order_global_id,
  notes: 'checked',
  outcome: 'ORDER_STATUS_COMPLETED',
});

/** What finance refuses to give back is returned as it is. */
export const financeRefuses = passesOn(
  'finance',
  'refundUnits',
  ['BUSINESS_INSUFFICIENT_BALANCE', 'SERVICE_UNAVAILABLE'],
  'what finance refuses so',
);

/** The deadline of a create that cannot succeed: an order is begun where two seconds are left (spec §14.2). */
export const BRIEFLY_MS = 3_500;

/** A scent order of which a step has failed for good, so that it waits for an operator; by now the step works again. */
export async function parkedScent(
  world: World,
  method: 'settleOrder' | 'commitCheckout' = 'settleOrder',
  partner = buyer(world, PRICES.Scent),
): Promise<{ partner: Party; request: Message; order: Message }> {
  const request = requestOf('Scent');
  // It fails for whoever waits for it, however long: nobody does.
  const place = (): Promise<Message> =>
    eventually(async () => {
      await partner.call('CreateScentOrder', request, BRIEFLY_MS).catch(() => undefined);
      const [parked] = await world.list('ListAllOrders', { partner_id: partner.id, parked: true });
      if (!parked) throw new Error('nothing is parked yet');
      return parked;
    });
  const dependency = method === 'commitCheckout' ? 'scent-commerce' : 'finance';
  const order = await world.whileFailing(dependency, method, place, partner.id, 'INTERNAL_ERROR');
  return { partner, request, order };
}

/** A paid scent order with its two groups, each with its line; the request is about the order and the first group. */
export async function paidScent(world: World, partner = buyer(world)) {
  const order = await place(partner, 'Scent');
  const [first, second] = (order.lines as Message[]).map(({ fulfillment_group_id, line_id }) => ({
    id: String(fulfillment_group_id),
    line: line_id,
  }));
  if (!first || !second) throw new Error('the order has two groups');
  return { partner, request: { ...decisionOn(order), fulfillment_group_id: first.id }, order, first, second };
}

export type PaidScent = Omit<Awaited<ReturnType<typeof paidScent>>, 'request'> & {
  readonly request: Message;
};
export type Group = PaidScent['first'];

/** Does something with a group as an operator; returns the order. */
export const withGroup = (
  world: World,
  what: 'Ship' | 'Deliver' | 'Cancel',
  { id }: Group,
): Promise<Message> => world.get(`${what}FulfillmentGroup`, { fulfillment_group_id: id });

/** A paid scent order with its first group shipped. */
export async function shippedScent(world: World): Promise<PaidScent> {
  const paid = await paidScent(world);
  await withGroup(world, 'Ship', paid.first);
  return paid;
}

/** Hands a group over; returns the order. */
export async function handOver(world: World, group: Group): Promise<Message> {
  await withGroup(world, 'Ship', group);
  return withGroup(world, 'Deliver', group);
}

/** A paid scent order with its first group delivered. */
export async function deliveredScent(world: World): Promise<PaidScent> {
  const paid = await shippedScent(world);
  await withGroup(world, 'Deliver', paid.first);
  return paid;
}

/** A request to take units of a group's line back. */
export const returnOf = ({ order }: PaidScent, { id, line }: Group, quantity = 1): Message => ({
  scent_order_id: order.order_id,
  fulfillment_group_id: id,
  lines: [{ scent_order_line_id: line, quantity, reason: 'RETURN_REASON_DAMAGED' }],
});

/** Requests that units of the delivered group's line be taken back. */
export const requestReturn = (paid: PaidScent, quantity = 1): Promise<Message> =>
  paid.partner.get('CreateReturnRequest', returnOf(paid, paid.first, quantity));

/** A pending request for the return of both units of a delivered group. */
export async function requestedReturn(world: World) {
  const paid = await deliveredScent(world);
  const made = await requestReturn(paid, 2);
  return { ...paid, made, request: { return_request_id: made.return_request_id, reason: 'worn' } };
}
