import { deadLetters } from '../common/dead-letter.contract';
import { reconciliation } from '../common/reconciliation.contract';
import type { Contract } from '../contract';
import { FakeFinance } from '../finance/fake-finance';
import { PARTNER_TOPIC } from '../identity/partner-messages';
import { backInStock } from './back-in-stock.contract';
import { carts } from './cart.contract';
import { catalogOperations } from './catalog-operations.contract';
import { catalog } from './catalog.contract';
import { checkouts, checkoutStates } from './checkout.contract';
import { discountCodes } from './discount-code.contract';
import { consumed, partnerSettings, published } from './events.contract';

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
    backInStock,
    catalogOperations,
    partnerSettings,
    reconciliation,
    deadLetters(PARTNER_TOPIC, 'reseller.identity.v1.PartnerUpdated'),
  ],
  publishes: published,
  consumes: consumed,
};
