import { deadLetters } from '../common/dead-letter.contract';
import { reconciliation } from '../common/reconciliation.contract';
import type { Contract } from '../contract';
import { fakeIdentity } from '../identity/fake-identity';
import { PARTNER_TOPIC } from '../identity/partner-messages';
import { consumed, published } from './events.contract';
import { funds } from './funds.contract';
import { orderFunds } from './order-funds.contract';
import { rates } from './rate.contract';
import { settlements } from './settlement.contract';
import { statements } from './statement.contract';
import { wallets } from './wallet.contract';

/** Everything other services may rely on in finance. */
export const financeContract: Contract = {
  app: 'finance',
  dependencies: () => ({ identity: fakeIdentity() }),
  services: [
    ...wallets,
    funds,
    settlements,
    rates,
    ...statements,
    orderFunds,
    reconciliation,
    deadLetters(PARTNER_TOPIC, 'reseller.identity.v1.PartnerUpdated'),
  ],
  publishes: published,
  consumes: consumed,
};
