import { expect, partnerService, rpc } from '../prelude';
import { change, committed } from './arrange';

/** Why the prices of the partner's orders are what they are. */
export const priceExplanations = partnerService('PriceExplanationService', {
  GetPriceExplanation: rpc(committed, {
    'explains every figure of the order': {},
    'explains the order as it was priced, also when its variants cost something else': async (use, given) => {
      const explained = await given.call();
      await change(use, given.variant, { list_price: '120.00' });
      expect(await given.call()).toEqual(explained);
    },
    'has no lines for an order not priced, or not of the partner and environment': async (use, given) => {
      const { partner, request } = given;
      const nothing = await partner.call(use.rpc, { order_key: 'ORD-never' });
      for (const other of [use.partner(), partner.elsewhere()])
        expect(await other.call(use.rpc, request)).toEqual(nothing);
      return nothing;
    },
  }),
});
