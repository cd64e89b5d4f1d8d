import { reconciliation } from '../common/reconciliation.contract';
import type { Contract } from '../contract';
import { identityStandIn } from '../identity/stand-in';
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
  neighbours: () => ({ identity: identityStandIn() }),
  services: [...wallets, funds, settlements, rates, ...statements, orderFunds, reconciliation],
  publishes: published,
  consumes: consumed,
};
