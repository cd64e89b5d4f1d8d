import {
  CheckoutServiceService,
  CheckoutStateServiceService,
  FundsServiceService,
  OrderFundsServiceService,
  SettlementServiceService,
} from '@reseller/contracts';
import { closeRpcClients, createRpcClients } from '@reseller/rpc';
import type { ContainerDeps } from '@reseller/service-kit';
import type { Config } from '../config';
import { createFunds, type Funds } from './finance/funds';
import { createLedger, type Ledger } from './finance/ledger';
import { createSettlements, type Settlements } from './finance/settlements';
import { createCheckoutStates, type CheckoutStates } from './scent-commerce/checkout-states';
import { createCheckouts, type Checkouts } from './scent-commerce/checkouts';

/** The services that orders depend on. */
export interface Clients {
  readonly funds: Funds;
  readonly settlements: Settlements;
  readonly checkouts: Checkouts;
  readonly ledger: Ledger;
  readonly checkoutStates: CheckoutStates;
  close(): void;
}

/** Connects to finance and scent-commerce by gRPC, each call within its service's deadline. */
export function createClients({
  config,
  log,
  metrics,
  security,
}: Pick<ContainerDeps<Config>, 'config' | 'log'> & Partial<ContainerDeps<Config>>): Clients {
  // A saga tries again by itself, under the same key; only reads are repeated below it.
  const retries = 'reads';
  const finance = createRpcClients(
    {
      funds: [FundsServiceService, 'finance'],
      settlements: [SettlementServiceService, 'finance'],
      orderFunds: [OrderFundsServiceService, 'finance'],
    },
    { finance: config.FINANCE_ADDRESS },
    { defaultDeadlineMs: config.FINANCE_DEADLINE_MS, retries, log, metrics, security },
  );
  const shop = createRpcClients(
    {
      checkouts: [CheckoutServiceService, 'scent-commerce'],
      checkoutStates: [CheckoutStateServiceService, 'scent-commerce'],
    },
    { 'scent-commerce': config.SCENT_COMMERCE_ADDRESS },
    { defaultDeadlineMs: config.SHOP_DEADLINE_MS, retries, log, metrics, security },
  );
  return {
    funds: createFunds(finance.funds, {
      deadlineMs: config.FINANCE_DEADLINE_MS,
      checkAfterMs: config.FUNDS_CHECK_AFTER_MS,
    }),
    settlements: createSettlements(finance.settlements, config.FINANCE_DEADLINE_MS),
    checkouts: createCheckouts(shop.checkouts, {
      deadlineMs: config.SHOP_DEADLINE_MS,
      platformTaxRegistrationNumber: config.PLATFORM_TAX_REGISTRATION_NUMBER,
    }),
    ledger: createLedger(finance.orderFunds),
    checkoutStates: createCheckoutStates(shop.checkoutStates),
    close() {
      for (const clients of [finance, shop]) closeRpcClients(clients);
    },
  };
}
