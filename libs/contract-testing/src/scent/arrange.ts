import { expect, uuidv7 } from '../prelude';
import type { Message, Party, Sentences, Step, World } from '../prelude';
import { publishPartner, seenPartner } from '../identity/partner-messages';

/** A currency whose rate is never read but while finance cannot say it. */
const CURRENCY_WITHOUT_RATE = 'JPY';

/** A partner whose settings scent-commerce has seen: 10 % commission, registered for VAT, unless they are others. */
export const knownPartner = (world: World, settings: Message = {}): Promise<Party> =>
  seenPartner(world, 'AwaitPartnerSettings', { commission_rate: '0.1', ...settings });

const catalogs = new Map<string, string[]>();

/**
 * A variant of the catalog that no order holds, as the case wants it; each call gives another, round and round. The catalog must
 * hold at least 12 variants that bear VAT and one that does not, of two warehouses and two brands; cases change them.
 */
export async function aVariant(world: World, changes: Message = {}, taxed = 'STANDARD'): Promise<Message> {
  const page = { page: 1, page_size: 100 };
  const ids =
    catalogs.get(taxed) ??
    (await world.list('ListStockedVariants', { page }))
      .filter(({ tax_classification }) => tax_classification === `TAX_CLASSIFICATION_${taxed}`)
      .map(({ id }) => String(id));
  catalogs.set(taxed, ids);
  for (const _ of ids) {
    const id = ids.shift() ?? '';
    ids.push(id);
    if ((await stocked(world, { id })).stock_reserved !== 0) continue;
    const terms = { stock_on_hand: 50, list_price: '100.00', cost: '40.00', rrp: '', is_active: true };
    return change(world, { id }, { ...terms, ...changes });
  }
  throw new Error('orders hold every variant of the catalog; it is too small for this run');
}

/** A variant with its stock, as operators read it. */
export const stocked = (world: World, { id }: Message): Promise<Message> =>
  world.get('GetStockedVariant', { variant_id: id });

/** The given call, once the variant that it names is off sale. */
export const inactive: readonly Step[] = [['UpdateVariant', { is_active: false }], {}];

/** Changes a variant as an operator. */
export const change = (world: World, { id }: Message, changes: Message): Promise<Message> =>
  world.get('UpdateVariant', { variant_id: id, ...changes });

/** What is on hand of a variant in each environment, and what of it orders have reserved. */
export const stockOf = async (world: World, variant: Message): Promise<unknown> =>
  (await stocked(world, variant)).stock;

/** Puts units into the partner's cart. */
export const add = (partner: Party, { id }: Message, quantity = 1, more: Message = {}): Promise<Message> =>
  partner.get('AddCartItem', { variant_id: id, quantity, ...more });

export const cartOf = (partner: Party, more: Message = {}): Promise<Message> => partner.get('GetCart', more);

/** A partner with so many units of one variant in its cart, 100.00 each, VAT on top; and all that RPCs of it and of its order take. */
export async function withCart(world: World, quantity = 1, settings: Message = {}) {
  const partner = await knownPartner(world, settings);
  const variant = await aVariant(world);
  const line = { variant_id: variant.id, quantity: 2 };
  const request = { ...line, lines: [line], order_key: `ORD-${uuidv7()}`, restock_key: 'group-1' };
  return { partner, variant, cart: await add(partner, variant, quantity), request: request as Message };
}

/** Begins a checkout of the partner's cart; returns the request that names it, and the checkout. */
export async function begun(partner: Party, more: Message = {}) {
  const request = { order_key: `ORD-${uuidv7()}` };
  return { request, checkout: await partner.get('BeginCheckout', { ...request, ...more }) };
}

/** Works while an order runs on the partner's cart. */
export async function whileBegun<T>(
  partner: Party,
  work: (checkout: Message) => Promise<T>,
  more: Message = {},
): Promise<T> {
  const { request, checkout } = await begun(partner, more);
  return work(checkout).finally(() => partner.call('CancelCheckout', request));
}

/** A committed checkout of three units, with a discount code. */
export async function committed(world: World) {
  const { partner, variant } = await withCart(world, 3);
  const code = await aCode(partner);
  const { request, checkout } = await begun(partner, { discount_code: code.code });
  await partner.call('CommitCheckout', request);
  return { partner, variant, request, checkout, code };
}

/** A price lock of the partner's cart. */
export const lockOf = async (partner: Party, more: Message = {}): Promise<Message> => ({
  lock_id: (await partner.call('PreviewCheckout', { lock: true, ...more })).lock_id,
});

/** Terms of a discount code: 10 % off everything, and what is more. */
export const terms = (more: Message = {}): Message => ({
  discount_type: 'DISCOUNT_TYPE_PERCENT',
  value: '10',
  is_active: true,
  product_scope: 'PRODUCT_SCOPE_ALL',
  ...more,
});

/** Terms that take a fixed amount off. */
export const FIXED = 'DISCOUNT_TYPE_FIXED_AMOUNT';

/** A discount code of the partner. */
export const aCode = (partner: Party, more: Message = {}): Promise<Message> =>
  partner.get('CreateDiscountCode', { code: `SAVE-${uuidv7().slice(-12)}`, terms: terms(more) });

/** How often a discount code was used. */
export const usageOf = async (partner: Party, { id }: Message): Promise<unknown> =>
  (await partner.get('GetDiscountCode', { id })).usage_count;

/** A call whose display rate nobody can say, here for a partner with that currency, is served without one (spec §3.3). */
export const withoutRate: Sentences = {
  'with finance away and no rate known, it is served without one': async (use, { partner, call }) => {
    const settings = { display_currency: CURRENCY_WITHOUT_RATE, commission_rate: '0.1', version: 2 };
    await publishPartner(use, partner, 'PartnerUpdated', settings);
    await partner.call('AwaitPartnerSettings', { version: 2 });
    const reply = await use.whileFailing('finance', 'getRate', call, CURRENCY_WITHOUT_RATE);
    expect(JSON.stringify(reply)).not.toContain('"display_rate":{');
  },
};
