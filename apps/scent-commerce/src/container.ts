import {
  BackInStockServiceService,
  CartServiceService,
  CatalogOperationsServiceService,
  CatalogServiceService,
  CheckoutServiceService,
  CheckoutStateServiceService,
  DiscountCodeServiceService,
  PartnerSettingsServiceService,
  RateServiceService,
} from '@reseller/contracts';
import {
  mapDatabaseOutage,
  createPool,
  createPrismaAdapter,
  observeBacklogs,
  query,
  serveReconciler,
} from '@reseller/database';
import {
  createEventBus,
  createOutboxRelay,
  eventBusOptions,
  outboxBacklog,
  pruneInbox,
} from '@reseller/messaging';
import { createRpcClient, defineRpc } from '@reseller/rpc';
import { createJob, type ServiceParts, type StartInput } from '@reseller/service-kit';
import { createBackInStockHandlers } from './back-in-stock/back-in-stock.handler';
import { createBackInStockJob, notifyFirst, stockRiseBacklog } from './back-in-stock/back-in-stock.jobs';
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
import type { Config } from './config';
import { createDiscountCodeHandlers } from './discount/discount-code.handler';
import { DiscountCodeRepository } from './discount/discount-code.repository';
import { createDisplayRates } from './display-rate/display-rates';
import { PrismaClient } from './generated/prisma/client';
import { BrandTermsRepository } from './operations/brand-terms.repository';
import { createCatalogOperationsHandlers } from './operations/catalog-operations.handler';
import { StockedVariantRepository } from './operations/stocked-variant.repository';
import { PartnerProfileRepository } from './partner/partner-profile.repository';
import { createPartnerSettingsHandlers } from './partner/partner-settings.handler';
import { createPartnerHandler, PARTNER_CONSUMER, PARTNER_TOPIC } from './partner/partner.consumer';
import { createOldLocksJob, priceLockBacklog } from './price-lock/price-lock.jobs';
import { PriceLockRepository } from './price-lock/price-lock.repository';
import { createCheckoutStateHandlers } from './reconciliation/checkout-state.handler';
import { CheckoutStateRepository } from './reconciliation/checkout-state.repository';
import { reconciliationChecks } from './reconciliation/checks';

/** A caller of a read waits no longer than 2 s (spec §1.10), so no connection is worth waiting for longer. */
const ACQUIRE_TIMEOUT_MS = 1_500;
const FINANCE_DEADLINE_MS = 2_000;
const PRUNE_EVERY_MS = 3_600_000;
/** Twice as long as the bus keeps events. */
const INBOX_KEPT_HOURS = 14 * 24;

/** Everything the running service consists of. */
export async function createContainer(start: StartInput<Config>): Promise<ServiceParts> {
  const { config, log, metrics, security } = start;
  const { DATABASE_URL: connectionString, DATABASE_POOL_SIZE: max } = config;
  const name = 'scent-commerce';
  const pool = createPool({
    connectionString,
    max,
    name,
    log,
    metrics,
    acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
  });
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) });
  const bus = createEventBus({ ...eventBusOptions(config), clientId: name, log, metrics });
  const rateClient = createRpcClient(RateServiceService, config.FINANCE_ADDRESS, {
    name: 'finance',
    defaultDeadlineMs: FINANCE_DEADLINE_MS,
    log,
    metrics,
    security,
  });

  const profiles = new PartnerProfileRepository(prisma);
  const carts = new CartRepository(pool, config.CART_IDLE_MS);
  const locks = new PriceLockRepository(prisma, pool, config.PRICE_LOCK_TTL_MS);
  const codes = new DiscountCodeRepository(prisma, pool);
  const rates = createDisplayRates(rateClient);
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
  const checkoutStates = new CheckoutStateRepository(prisma);
  const reconciler = serveReconciler({ pool, checks: reconciliationChecks, log, metrics }, config);
  observeBacklogs({ pool, metrics, log }, [outboxBacklog, priceLockBacklog, stockRiseBacklog]);

  return {
    rpc: [
      defineRpc(PartnerSettingsServiceService, createPartnerSettingsHandlers(profiles)),
      defineRpc(CatalogServiceService, createCatalogHandlers(catalogDeps)),
      defineRpc(CatalogOperationsServiceService, createCatalogOperationsHandlers(operationsDeps)),
      defineRpc(BackInStockServiceService, createBackInStockHandlers(registrations)),
      defineRpc(DiscountCodeServiceService, createDiscountCodeHandlers(cartDeps)),
      defineRpc(CartServiceService, createCartHandlers(cartDeps)),
      defineRpc(CheckoutServiceService, createCheckoutHandlers(checkoutDeps)),
      defineRpc(CheckoutStateServiceService, createCheckoutStateHandlers(checkoutStates)),
      reconciler.rpc,
    ].map(mapDatabaseOutage),
    jobs: [
      createJob({
        name: 'prune-inbox',
        intervalMs: PRUNE_EVERY_MS,
        run: () => pruneInbox(pool, INBOX_KEPT_HOURS).then(() => false),
        log,
        metrics,
      }),
      createForgetOldSalesJob(pool, { log, metrics }),
      createIdleCartsJob(carts, config.CART_IDLE_MS, { log, metrics }),
      createUnusedCartsJob(carts, config.CART_UNUSED_MS, { log, metrics }),
      createOldLocksJob(locks, { log, metrics }),
      createBackInStockJob(pool, { log, metrics }),
      ...reconciler.jobs,
    ],
    consumers: [
      bus.subscribe({
        group: PARTNER_CONSUMER,
        topics: [PARTNER_TOPIC],
        handler: createPartnerHandler(pool, profiles),
      }),
      createOutboxRelay({ connectionString, bus, log, metrics }),
    ],
    ready: {
      database: async () => {
        await query(pool, { name: 'ready', text: 'SELECT 1' });
      },
    },
    close: async () => {
      rateClient.close();
      await bus.close();
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
