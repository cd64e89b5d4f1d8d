import { v7 as uuidv7 } from 'uuid';
import type { Cases, Message } from '../contract';
import { identityPartner, PARTNER_TOPIC } from '../identity/partner-messages';
import { list, part, text } from '../message';
import { newPartner, type Partner, type World } from '../world';

/** The currency whose rate finance cannot be asked for in this suite. */
export const CURRENCY_WITHOUT_FINANCE = 'JPY';

/** A partner whose settings scent-commerce has seen: 10 % commission, registered for VAT unless told. */
export async function knownPartner(world: World, settings: Message = {}): Promise<Partner> {
  const partner = newPartner();
  await world.publish(PARTNER_TOPIC, 'reseller.identity.v1.PartnerRegistered', partner.id, {
    partner: identityPartner(partner.id, { commission_rate: '0.1', ...settings }),
  });
  const request = { partner_id: partner.id, version: 1 };
  const seen = await world.call('PartnerSettingsService.AwaitPartnerSettings', request);
  if (!seen['is_seen']) throw new Error('the partner’s event was not seen');
  return partner;
}

/** A partner whose display rate nobody can answer. */
export async function partnerWithoutRate(world: World): Promise<Partner> {
  world
    .dependency('finance')
    .fail('getRate', 'SERVICE_UNAVAILABLE', Number.POSITIVE_INFINITY, CURRENCY_WITHOUT_FINANCE);
  return knownPartner(world, { display_currency: CURRENCY_WITHOUT_FINANCE });
}

let catalog: string[] | undefined;

/**
 * A variant of the catalog that no order holds, as the case wants it; each call gives another, round and round. The catalog must
 * hold at least 12 variants, of two warehouses and two brands; cases set prices, costs and stock of them.
 */
export async function aVariant(world: World, changes: Message = {}): Promise<Message> {
  catalog ??= list(
    await world.call('CatalogOperationsService.ListStockedVariants', { page: { page: 1, page_size: 100 } }),
    'variants',
  ).map((variant) => text(variant, 'id'));
  for (const _ of catalog) {
    const id = catalog.shift() ?? '';
    catalog.push(id);
    const read = await world.call('CatalogOperationsService.GetStockedVariant', { variant_id: id });
    if (part(read, 'variant')['stock_reserved'] !== 0) continue;
    return change(world, id, {
      stock_on_hand: 50,
      list_price: '100.00',
      cost: '40.00',
      rrp: '',
      is_active: true,
      ...changes,
    });
  }
  throw new Error('orders hold every variant of the catalog; a catalog of 12 is too small for this run');
}

/** Changes a variant as an operator. */
export async function change(world: World, variant_id: unknown, changes: Message): Promise<Message> {
  return part(
    await world.call('CatalogOperationsService.UpdateVariant', { variant_id, ...changes }),
    'variant',
  );
}

/** Puts units into the partner's cart. */
export async function add(
  world: World,
  { caller }: Partner,
  variant: Message,
  quantity = 1,
  more: Message = {},
): Promise<Message> {
  const request = { variant_id: variant['id'], quantity, ...more };
  return part(await world.call('CartService.AddCartItem', request, caller), 'cart');
}

/** A partner with so many units of one variant in its cart: 100.00 each, VAT of their class on top. */
export async function withCart(world: World, quantity = 1, settings: Message = {}) {
  const partner = await knownPartner(world, settings);
  const variant = await aVariant(world);
  return { partner, variant, cart: await add(world, partner, variant, quantity) };
}

/** What names a checkout. */
export const checkoutOf = ({ ref }: Partner): Message => ({ ...ref, order_key: `ORD-${uuidv7()}` });

/** Begins a checkout of the partner's cart. */
export async function begun(world: World, partner: Partner, more: Message = {}) {
  const named = checkoutOf(partner);
  const answer = await world.call('CheckoutService.BeginCheckout', { ...named, ...more });
  return { named, checkout: part(answer, 'checkout') };
}

/** Terms of a discount code: 10 % off everything unless told. */
export const terms = (more: Message = {}): Message => ({
  discount_type: 'DISCOUNT_TYPE_PERCENT',
  value: '10',
  is_active: true,
  product_scope: 'PRODUCT_SCOPE_ALL',
  ...more,
});

/** A discount code of the partner. */
export async function aCode(world: World, { caller }: Partner, more: Message = {}): Promise<Message> {
  const code = `SAVE-${uuidv7().slice(-12)}`;
  const answer = await world.call(
    'DiscountCodeService.CreateDiscountCode',
    { code, terms: terms(more) },
    caller,
  );
  return part(answer, 'discount_code');
}

/** How an id that is no UUID is refused. */
export const noUuid = (rpc: string, field: string): Cases => ({
  'an id that is no UUID': (world) => world.call(rpc, { [field]: 'one' }, newPartner().caller),
});

/** How a read is refused whose display rate nobody can answer. */
export const withoutRate = (rpc: string, request: (world: World) => Promise<Message>): Cases => ({
  'finance away, for a partner with a display currency': async (world) =>
    world.call(rpc, await request(world), (await partnerWithoutRate(world)).caller),
});
