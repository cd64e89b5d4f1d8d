import {
  BackInStockServiceService,
  CartServiceService,
  CatalogOperationsServiceService,
  CatalogServiceService,
  CheckoutServiceService,
  CheckoutStateServiceService,
  DiscountCodeServiceService,
  PartnerSettingsServiceService,
  PriceExplanationServiceService,
} from '@reseller/contracts';
import {
  idempotencyKeyService,
  KeyedCalls,
  withPrismaTransaction,
  withTransaction,
  type Queryable,
  type Within,
} from '@reseller/database';
import { defineRpc, type RpcService } from '@reseller/rpc';
import type { Job, Logger } from '@reseller/service-kit';
import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import { createBackInStockHandlers } from './back-in-stock/back-in-stock.handler';
import { createBackInStockJob, notifyFirst } from './back-in-stock/back-in-stock.jobs';
import { RegistrationRepository } from './back-in-stock/registration.repository';
import { createCartHandlers } from './cart/cart.handler';
import { createIdleCartsJob, createUnusedCartsJob } from './cart/cart.jobs';
import { CartRepository } from './cart/cart.repository';
import { createCatalogHandlers } from './catalog/catalog.handler';
import { createForgetOldSalesJob } from './catalog/forget-old-sales';
import { ScentRepository } from './catalog/scent.repository';
import { VariantRepository } from './catalog/variant.repository';
import { createCheckoutHandlers } from './checkout/checkout.handler';
import { CheckoutRepository } from './checkout/checkout.repository';
import { createPriceExplanationHandlers } from './checkout/price-explanation.handler';
import type { Config } from './config';
import { createDiscountCodeHandlers } from './discount/discount-code.handler';
import { DiscountCodeRepository } from './discount/discount-code.repository';
import type { DisplayRates } from './display-rate/display-rates';
import type { PrismaClient } from './generated/prisma/client';
import { BrandTermsRepository } from './operations/brand-terms.repository';
import { createCatalogOperationsHandlers } from './operations/catalog-operations.handler';
import { StockedVariantRepository } from './operations/stocked-variant.repository';
import { PartnerProfileRepository } from './partner/partner-profile.repository';
import { createPartnerSettingsHandlers } from './partner/partner-settings.handler';
import { PriceLockRepository } from './price-lock/price-lock.repository';
import { createCheckoutStateHandlers } from './reconciliation/checkout-state.handler';
import { CheckoutStateRepository } from './reconciliation/checkout-state.repository';

/** What scents are wired from. */
interface ScentsDeps {
  readonly config: Config;
  readonly pool: Pool;
  readonly prisma: PrismaClient;
  readonly rates: DisplayRates;
  readonly log: Logger;
  readonly metrics?: Registry | undefined;
}

/** scent-commerce without its process: what it serves and what it does in the background. */
export interface Scents {
  readonly rpc: RpcService[];
  readonly jobs: Job[];
  readonly profiles: PartnerProfileRepository;
}

/** Wires the use cases to one database and the display rates. */
export function createScents({ config, pool, prisma, rates, log, metrics }: ScentsDeps): Scents {
  const profiles = new PartnerProfileRepository(prisma);
  const carts = new CartRepository(pool, config.CART_IDLE_MS);
  const locks = new PriceLockRepository(prisma, pool, config.PRICE_LOCK_TTL_MS);
  const codes = new DiscountCodeRepository(prisma, pool);
  const cartDeps = { carts, locks, codes, rates, defaultCommissionRate: config.DEFAULT_COMMISSION_RATE };
  const catalogDeps = {
    scents: new ScentRepository(prisma, pool),
    variants: new VariantRepository(prisma, pool),
    profiles,
    rates,
  };
  const operationsDeps = {
    pool,
    variants: new StockedVariantRepository(prisma, pool),
    notifyFirst: () => notifyFirst(pool, log),
    brands: new BrandTermsRepository(prisma),
  };
  const checkoutDeps = { ...cartDeps, pool, checkouts: new CheckoutRepository(pool) };
  const registrations = new RegistrationRepository(prisma, pool);
  const inTransaction =
    <Deps>(bind: (tx: Queryable) => Deps): Within<Deps> =>
    (work) =>
      withTransaction(pool, (tx) => work(tx, bind(tx)));
  const keyed = new KeyedCalls({
    db: pool,
    deps: carts,
    within: inTransaction((tx) => new CartRepository(tx, config.CART_IDLE_MS)),
  });
  const keyedCodes = new KeyedCalls<DiscountCodeRepository>({
    db: pool,
    deps: codes,
    within: (work) =>
      withPrismaTransaction(prisma, ({ prisma: tx, sql }) => work(sql, new DiscountCodeRepository(tx, sql))),
  });
  const keyedRegistrations = new KeyedCalls({
    db: pool,
    deps: registrations,
    within: inTransaction((tx) => new RegistrationRepository(prisma, tx)),
  });
  const checkoutStates = new CheckoutStateRepository(prisma);
  return {
    rpc: [
      defineRpc(PartnerSettingsServiceService, createPartnerSettingsHandlers(profiles)),
      defineRpc(CatalogServiceService, createCatalogHandlers(catalogDeps)),
      defineRpc(CatalogOperationsServiceService, createCatalogOperationsHandlers(operationsDeps)),
      defineRpc(BackInStockServiceService, createBackInStockHandlers(registrations, keyedRegistrations)),
      defineRpc(DiscountCodeServiceService, createDiscountCodeHandlers({ ...cartDeps, keyedCodes })),
      defineRpc(CartServiceService, createCartHandlers({ ...cartDeps, keyed })),
      defineRpc(CheckoutServiceService, createCheckoutHandlers(checkoutDeps)),
      defineRpc(PriceExplanationServiceService, createPriceExplanationHandlers(checkoutDeps.checkouts)),
      defineRpc(CheckoutStateServiceService, createCheckoutStateHandlers(checkoutStates)),
      idempotencyKeyService(pool),
    ],
    jobs: [
      createForgetOldSalesJob(pool, { log, metrics }),
      createIdleCartsJob(carts, config.CART_IDLE_MS, { log, metrics }),
      createUnusedCartsJob(carts, config.CART_UNUSED_MS, { log, metrics }),
      createBackInStockJob(pool, { log, metrics }),
    ],
    profiles,
  };
}
