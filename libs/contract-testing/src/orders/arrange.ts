import { eventually } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
import type { Environment } from '@reseller/contracts';
import type { ErrorCode } from '@reseller/errors';
import type { Message } from '../contract';
import { FakeFinance } from '../finance/fake-finance';
import { list, part, text } from '../message';
import { FakeShop } from '../scent/fake-shop';
import { newPartner, type Partner, type World } from '../world';

/** What orders move money and goods in; the suite's fakes of finance and scent-commerce serve them. */
export const wallets = new FakeFinance();
export const shop = new FakeShop();

/** What the backoffice says of who acts. */
export const operator = { 'x-operator': 'Olga' };

/** A partner with 10,000.00 in its sandbox wallet, where the vendor is the simulator (spec §4.12). */
export function fundedPartner(
  amount = '10000.00',
  environment: 'sandbox' | 'live' = 'sandbox',
  displayRate?: typeof USD,
): Partner {
  const partner = newPartner(environment);
  const ref = { partnerId: partner.id, environment: partner.ref.environment as Environment };
  wallets.fund(ref, amount, displayRate);
  return partner;
}

/** A display rate as finance answers it. */
export const USD = { currency: 'USD', rate: '0.266600' };

/** Has a dependency refuse one RPC for one partner while the work runs. */
export async function whileRefused<T>(
  world: World,
  { dependency, method, code }: { dependency: string; method: string; code: ErrorCode },
  { id }: Partner,
  work: () => Promise<T>,
): Promise<T> {
  const recover = world.dependency(dependency).fail(method, code, Number.POSITIVE_INFINITY, id);
  try {
    return await work();
  } finally {
    recover();
  }
}

/** What a recipient brings about, by the simulator's table. */
export const ENDS = {
  completed: '9999',
  refused: '0001',
  pending: '0003',
  unknown: '0005',
} as const;

/** A top-up of 10.00 that ends as named. */
export const topupRequest = (ends: keyof typeof ENDS = 'completed', more: Message = {}): Message => ({
  geo_scope_global_id: 'GEO-SA',
  external_reference: `INV-${uuidv7()}`,
  amount: '10.00',
  phone_number: `+96650000${ENDS[ends]}`,
  ...more,
});

const TAGS: Partial<Record<keyof typeof ENDS, string>> = {
  refused: 'fail',
  pending: 'pending',
  unknown: 'unknown',
};

/** An address that brings an end about. */
export const emailFor = (ends: keyof typeof ENDS): string =>
  `traveller${TAGS[ends] ? `+${TAGS[ends]}` : ''}@example.com`;

/** An eSIM that ends as named. */
export const esimRequest = (ends: keyof typeof ENDS = 'completed', more: Message = {}): Message => ({
  geo_scope_global_id: 'GEO-SA',
  external_reference: `INV-${uuidv7()}`,
  product_sku: 'ESIM-SA-1GB-7D',
  email: emailFor(ends),
  amount: '19.00',
  ...more,
});

/** A checkout of the partner's cart, which holds two lines of two warehouses: 270.00 to pay. */
export const scentRequest = (more: Message = {}): Message => ({
  external_reference: `INV-${uuidv7()}`,
  shipping_address: {
    recipient: 'Noura',
    line1: 'King Fahd Road 12',
    city: 'Riyadh',
    country: 'SA',
    phone: '+966501234567',
  },
  ...more,
});

/** Places an order of the product that the RPCs name so; answers the order. */
export async function place(
  world: World,
  product: string,
  { caller }: Partner,
  request: Message,
): Promise<Message> {
  return part(await world.call(`${product}OrderService.Create${product}Order`, request, caller), 'order');
}

/** The same, repeated for as long as an attempt with this reference still runs. */
export const placeWhenDone = (...args: Parameters<typeof place>): Promise<Message> =>
  eventually(() => place(...args), { timeoutMs: 10_000 });

/** A paid scent order with its two groups, each with its line. */
export async function paidScent(world: World, partner = fundedPartner()) {
  const order = await place(world, 'Scent', partner, scentRequest());
  const groups = list(order, 'lines').map((line) => ({
    id: text(line, 'fulfillment_group_id'),
    line: text(line, 'line_id'),
  }));
  const [first, second] = groups;
  if (!first || !second) throw new Error('the order has two groups');
  return { partner, order, first, second };
}

/** Does something with a group as an operator. */
export const withGroup = async (
  world: World,
  what: 'Ship' | 'Deliver' | 'Cancel',
  fulfillment_group_id: string,
): Promise<Message> =>
  part(
    await world.call(
      `FulfillmentOperationsService.${what}FulfillmentGroup`,
      { fulfillment_group_id },
      operator,
    ),
    'order',
  );

/** A paid scent order with its first group delivered. */
export async function deliveredScent(world: World) {
  const paid = await paidScent(world);
  await withGroup(world, 'Ship', paid.first.id);
  await withGroup(world, 'Deliver', paid.first.id);
  return paid;
}

/** Asks for units of a group's line to be taken back. */
export async function askReturn(
  world: World,
  { partner, order }: { partner: Partner; order: Message },
  group: { id: string; line: string },
  quantity = 1,
): Promise<Message> {
  const request = {
    scent_order_id: order['order_id'],
    fulfillment_group_id: group.id,
    lines: [{ scent_order_line_id: group.line, quantity, reason: 'RETURN_REASON_DAMAGED' }],
  };
  return part(
    await world.call('ReturnRequestService.CreateReturnRequest', request, partner.caller),
    'return_request',
  );
}
