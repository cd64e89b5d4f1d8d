import { events, service } from '../prelude';
import type { Contract, Message, World } from '../prelude';
import { deadLetters } from '../common/dead-letter.contract';
import { idempotencyKeys } from '../common/idempotency-key.contract';
import { awaitsVersion, takesInPartners } from '../common/partner-version';
import { reconciliation } from '../common/reconciliation.contract';
import { FakeFinance } from '../finance/fake-finance';
import { PARTNER_TOPIC } from '../identity/partner-messages';
import { aVariant, change, knownPartner } from './arrange';
import { backInStock, registerFor } from './back-in-stock.contract';
import { carts } from './cart.contract';
import { catalogOperations } from './catalog-operations.contract';
import { catalog } from './catalog.contract';
import { checkouts, checkoutStates } from './checkout.contract';
import { discountCodes } from './discount-code.contract';
import { priceExplanations } from './price-explanation.contract';

/** What scent-commerce knows of partners. */
const partnerSettings = service('PartnerSettingsService', { AwaitPartnerSettings: awaitsVersion });

/** Registrations of two partners, the second one in live, for a variant without stock; and what they are known by. */
async function registered(world: World, more?: Message) {
  const variant = await aVariant(world, { stock_on_hand: 0 });
  const [one, other] = [world.partner(), world.partner('live')];
  const made = [await registerFor(one, variant, more), await registerFor(other, variant)];
  const ids = made.map(({ id }) => id);
  return { variant, ids, named: [variant.id, one.id, other.id, ids] };
}

/** The events of a variant, up to that of a registration. */
const sentUntil = (world: World, { id }: Message, last: unknown) =>
  world.eventsUntil(String(id), ({ payload }) => payload.registration_id === last);

/** What scent-commerce publishes. */
const published = events('reseller.scent.registration.v1', 'reseller.scent.v1', {
  VariantBackInStock: {
    'is sent in the environment whose stock rises from nothing, and not in the other': async (use) => {
      const { variant, ids, named } = await registered(use);
      await change(use, variant, { stock_on_hand: 3, environment: 'ENVIRONMENT_LIVE' });
      const seen = await sentUntil(use, variant, ids[1]);
      await change(use, variant, { stock_on_hand: 4, environment: 'ENVIRONMENT_SANDBOX' });
      await sentUntil(use, variant, ids[0]);
      return [...named, seen.filter(({ payload }) => ids.includes(payload.registration_id))];
    },
    'is sent when a variant off sale that has stock is put on sale, and not before': async (use) => {
      const variant = await aVariant(use, { stock_on_hand: 0 });
      const { id } = await registerFor(use.partner(), variant);
      for (const now of [
        { is_active: false },
        { stock_on_hand: 6 },
        { stock_on_hand: 7 },
        { is_active: true },
      ])
        await change(use, variant, now);
      const ofThis = (await sentUntil(use, variant, id)).filter(
        ({ payload }) => payload.registration_id === id,
      );
      return [variant.id, id, ofThis.map(({ payload }) => payload.available_quantity)];
    },
    'is sent once for each registration, keyed by the variant, when stock rises from none': async (use) => {
      const { variant, ids, named } = await registered(use, { customer_ref: 'c-1' });
      // A further rise notifies nobody; the next one from nothing a later registration, and so ends what can come of these.
      for (const stock_on_hand of [30, 40, 0]) await change(use, variant, { stock_on_hand });
      const last = await registerFor(use.partner(), variant);
      await change(use, variant, { stock_on_hand: 5 });
      const seen = await sentUntil(use, variant, last.id);
      return [...named, ids.flatMap((id) => seen.filter(({ payload }) => payload.registration_id === id))];
    },
  },
});

/** What scent-commerce takes in. */
const consumed = takesInPartners(
  'the partner’s settings count in its next price, and an older version changes nothing',
  'AwaitPartnerSettings',
  (use) => knownPartner(use, { commission_rate: '0.2' }),
  { newer: { commission_rate: '0.25', is_vat_registered: false }, older: { commission_rate: '0.3' } },
  async (partner, use) => {
    const lines = [{ variant_id: (await aVariant(use)).id, quantity: 1 }];
    return (await partner.call('QuotePrice', { lines })).totals;
  },
);

/** Everything other services may rely on in scent-commerce. */
export const scentContract: Contract = {
  app: 'scent-commerce',
  dependencies: () => ({ finance: new FakeFinance() }),
  services: [
    ...catalog,
    carts,
    discountCodes,
    checkouts,
    checkoutStates,
    priceExplanations,
    backInStock,
    catalogOperations,
    partnerSettings,
    reconciliation,
    idempotencyKeys(async (world) => {
      const { id } = await aVariant(world);
      return ['RegisterBackInStock', world.partner(), { variant_id: id }];
    }),
    deadLetters(PARTNER_TOPIC, 'reseller.identity.v1.PartnerUpdated'),
  ],
  publishes: published,
  consumes: consumed,
};
