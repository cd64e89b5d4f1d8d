import { expect } from '@jest/globals';
import { awaitsVersion, takesInPartners } from '../common/partner-version';
import { events, service } from '../notation';
import { aVariant, change, knownPartner } from './arrange';
import { registerFor } from './back-in-stock.contract';

/** What scent-commerce knows of partners. */
export const partnerSettings = service('PartnerSettingsService', {
  AwaitPartnerSettings: awaitsVersion('AwaitPartnerSettings'),
});

const TOPIC = 'reseller.scent.registration.v1';

/** What scent-commerce publishes. */
export const published = events(TOPIC, 'reseller.scent.v1', {
  VariantBackInStock: {
    'is sent once for each registration, keyed by the variant, when stock rises from nothing': async (
      use,
    ) => {
      const variant = await aVariant(use, { stock_on_hand: 0 });
      const key = String(variant.id);
      const [one, other] = [use.partner(), use.partner('live')];
      const customer = { customer_ref: 'c-1' };
      const first = await registerFor(one, variant, customer);
      const second = await registerFor(other, variant);
      // A further rise tells nobody; the next one from nothing tells a later registration, and so ends what can come of these.
      for (const stock_on_hand of [30, 40, 0]) await change(use, variant, { stock_on_hand });
      const last = await registerFor(use.partner(), variant);
      await change(use, variant, { stock_on_hand: 5 });
      const about = { variant_id: key, sku: variant.sku, available_quantity: 30 };
      const seen = await use.eventsUntil(key, ({ payload }) => payload.registration_id === last.id);
      const payloads = [
        { ...one.ref, ...about, ...customer, registration_id: first.id },
        { ...other.ref, ...about, registration_id: second.id },
      ];
      const type = 'reseller.scent.v1.VariantBackInStock';
      for (const payload of payloads)
        expect(seen.filter((one) => one.payload.registration_id === payload.registration_id)).toEqual([
          { type, topic: TOPIC, key, payload },
        ]);
    },
  },
});

/** What scent-commerce takes in. */
export const consumed = takesInPartners(
  'the partner’s settings count in its next price, and an older version changes nothing',
  'AwaitPartnerSettings',
  (use) => knownPartner(use, { commission_rate: '0.2' }),
  { commission_rate: '0.25', is_vat_registered: false },
  { commission_rate: '0.3' },
  async (partner, use) => {
    const lines = [{ variant_id: (await aVariant(use)).id, quantity: 1 }];
    expect(await partner.call('QuotePrice', { lines })).toMatchObject({
      totals: { commission_with_vat: '25.00' },
    });
  },
);
