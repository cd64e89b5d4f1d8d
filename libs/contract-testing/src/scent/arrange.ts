import { v7 as uuidv7 } from 'uuid';
import type { Message, Use } from '../contract';
import { identityPartner, PARTNER_TOPIC } from '../identity/partner-messages';
import type { Sentences } from '../notation';
import type { Party } from '../party';
import type { World } from '../world';

/** The currency whose rate finance cannot be asked for while `withoutRate` runs. */
const CURRENCY_WITHOUT_RATE = 'JPY';

/** A partner whose settings scent-commerce has seen: 10 % commission, registered for VAT unless told. */
export async function knownPartner(world: World, settings: Message = {}): Promise<Party> {
  const partner = world.partner();
  await world.publish(PARTNER_TOPIC, 'reseller.identity.v1.PartnerRegistered', partner.id, {
    partner: identityPartner(partner.id, { commission_rate: '0.1', ...settings }),
  });
  const { is_seen } = await partner.call('AwaitPartnerSettings', { version: 1 });
  if (!is_seen) throw new Error('the partner’s event was not seen');
  return partner;
}

let catalog: string[] | undefined;

/**
 * A variant of the catalog that no order holds, as the case wants it; each call gives another, round and round. The catalog must
 * hold at least 12 variants, of two warehouses and two brands; cases set prices, costs and stock of them.
 */
export async function aVariant(world: World, changes: Message = {}): Promise<Message> {
  const page = { page: 1, page_size: 100 };
  catalog ??= (await world.list('ListStockedVariants', { page })).map(({ id }) => String(id));
  for (const _ of catalog) {
    const id = catalog.shift() ?? '';
    catalog.push(id);
    if ((await stocked(world, { id })).stock_reserved !== 0) continue;
    const terms = { stock_on_hand: 50, list_price: '100.00', cost: '40.00', rrp: '', is_active: true };
    return change(world, { id }, { ...terms, ...changes });
  }
  throw new Error('orders hold every variant of the catalog; a catalog of 12 is too small for this run');
}

/** A variant with its stock, as operators read it. */
export const stocked = (world: World, { id }: Message): Promise<Message> =>
  world.get('GetStockedVariant', { variant_id: id });

/** Changes a variant as an operator. */
export const change = (world: World, { id }: Message, changes: Message): Promise<Message> =>
  world.get('UpdateVariant', { variant_id: id, ...changes });

export const isTaxed = ({ tax_classification }: Message): boolean =>
  tax_classification === 'TAX_CLASSIFICATION_STANDARD';

/** Puts units into the partner's cart. */
export const add = (partner: Party, { id }: Message, quantity = 1, more: Message = {}): Promise<Message> =>
  partner.get('AddCartItem', { variant_id: id, quantity, ...more });

export const cartOf = (partner: Party, more: Message = {}): Promise<Message> => partner.get('GetCart', more);

/** A partner with so many units of one variant in its cart: 100.00 each, VAT of their class on top. */
export async function withCart(world: World, quantity = 1, settings: Message = {}) {
  const partner = await knownPartner(world, settings);
  const variant = await aVariant(world);
  return { partner, variant, cart: await add(partner, variant, quantity) };
}

/** Begins a checkout of the partner's cart; returns what names it, and the checkout. */
export async function begun(partner: Party, more: Message = {}) {
  const named = { order_key: `ORD-${uuidv7()}` };
  return { named, checkout: await partner.get('BeginCheckout', { ...named, ...more }) };
}

/** Works while an order runs on the partner's cart. */
export async function whileBegun<T>(partner: Party, work: () => Promise<T>, more: Message = {}): Promise<T> {
  const { named } = await begun(partner, more);
  return work().finally(() => partner.call('CancelCheckout', named));
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
export const aCode = (partner: Party, more: Message = {}): Promise<Message> =>
  partner.get('CreateDiscountCode', { code: `SAVE-${uuidv7().slice(-12)}`, terms: terms(more) });

/** How a call is refused whose display rate nobody can answer, here for a partner with that currency. */
export const withoutRate: Sentences = {
  'SERVICE_UNAVAILABLE: finance away, for a partner with a display currency': async (use: Use) => {
    const { rpc, request, who } = await use.given();
    const failing = { dependency: 'finance', method: 'getRate', of: CURRENCY_WITHOUT_RATE };
    await use.publish(PARTNER_TOPIC, 'reseller.identity.v1.PartnerUpdated', (who as Party).id, {
      partner: identityPartner((who as Party).id, { display_currency: CURRENCY_WITHOUT_RATE, version: 2 }),
    });
    await who.call('AwaitPartnerSettings', { version: 2 });
    return use.whileFailing(failing, () => who.call(rpc, request));
  },
};

/** How an id that is no UUID is refused. */
export const noUuid = (field: string): Sentences => ({
  'VALIDATION_FAILED: an id that is no UUID': { [field]: 'one' },
});
