import { RateServiceService } from '@reseller/contracts';
import {
  answerUnavailable,
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
import { createRpcClient } from '@reseller/rpc';
import { createJob, type ServiceParts, type StartInput } from '@reseller/service-kit';
import { shopBacklogs } from './backlog/backlogs';
import { createBackInStockService } from './back-in-stock/back-in-stock.handler';
import { RegistrationRepository } from './back-in-stock/registration.repository';
import { createIdleCartsJob, createOldLocksJob, LOCKS_KEPT_MS } from './cart/cart-jobs';
import { createCartService } from './cart/cart.handler';
import { CartRepository } from './cart/cart.repository';
import { createCatalogService } from './catalog/catalog.handler';
import { ScentRepository } from './catalog/scent.repository';
import { VariantRepository } from './catalog/variant.repository';
import { createCheckoutService } from './checkout/checkout.handler';
import { CheckoutRepository } from './checkout/checkout.repository';
import type { Config } from './config';
import { createDiscountCodeService } from './discount/discount-code.handler';
import { DiscountCodeRepository } from './discount/discount-code.repository';
import { PrismaClient } from './generated/prisma/client';
import { PriceLockRepository } from './price-lock/price-lock.repository';
import { BrandTermsRepository } from './operations/brand-terms.repository';
import { createCatalogOperationsService } from './operations/catalog-operations.handler';
import { StockedVariantRepository } from './operations/stocked-variant.repository';
import { PartnerProfileRepository } from './partner/partner-profile.repository';
import { createPartnerSettingsService } from './partner/partner-settings.handler';
import { createPartnerHandler, PARTNER_CONSUMER, PARTNER_TOPIC } from './partner/partner.consumer';
import { createDisplayRates } from './display-rate/display-rates';
import { createCheckoutStateService } from './reconciliation/checkout-state.handler';
import { CheckoutStateRepository } from './reconciliation/checkout-state.repository';
import { shopChecks } from './reconciliation/shop-checks';
import { forgetOldSales } from './sales/forget-old-sales';
import { createLapsedStockJob } from './stock/release-lapsed-stock';

/** A caller of a read waits no longer than 2 s (spec §1.10), so no connection is worth waiting for longer. */
const ACQUIRE_TIMEOUT_MS = 1_500;
const FINANCE_DEADLINE_MS = 2_000;
/** A day that stops to count is to be gone soon after midnight. */
const FORGET_SALES_EVERY_MS = 300_000;
const PRUNE_EVERY_MS = 3_600_000;
/** Twice as long as the bus keeps events. */
const INBOX_KEPT_HOURS = 14 * 24;

/** Everything the running service consists of. */
export async function createContainer({
  config,
  log,
  metrics,
  security,
}: StartInput<Config>): Promise<ServiceParts> {
  const { DATABASE_URL: connectionString, DATABASE_POOL_SIZE: max } = config;
  const pool = createPool({
    connectionString,
    max,
    name: 'scent-commerce',
    log,
    metrics,
    acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
  });
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) });
  const rateClient = createRpcClient(RateServiceService, config.FINANCE_ADDRESS, {
    name: 'finance',
    defaultDeadlineMs: FINANCE_DEADLINE_MS,
    log,
    metrics,
    security,
  });
  const profiles = new PartnerProfileRepository(prisma);
  const rates = createDisplayRates(rateClient);
  const codes = new DiscountCodeRepository(prisma, pool);
  const carts = new CartRepository(pool, config.CART_IDLE_MS);
  const locks = new PriceLockRepository(pool, config.PRICE_LOCK_TTL_MS);
  const defaultCommissionRate = config.DEFAULT_COMMISSION_RATE;
  const shop = { carts, locks, codes, rates, defaultCommissionRate };
  const catalog = createCatalogService({
    scents: new ScentRepository(prisma, pool),
    variants: new VariantRepository(prisma, pool),
    profiles,
    rates,
  });
  const catalogOperations = createCatalogOperationsService({
    variants: new StockedVariantRepository(prisma, pool),
    brands: new BrandTermsRepository(prisma),
  });
  const bus = createEventBus({ ...eventBusOptions(config), clientId: 'scent-commerce', log, metrics });
  observeBacklogs({ pool, metrics, log }, [outboxBacklog, ...shopBacklogs({ locksKeptMs: LOCKS_KEPT_MS })]);
  const relay = createOutboxRelay({ connectionString, bus, log, metrics });
  const partners = bus.subscribe({
    group: PARTNER_CONSUMER,
    topics: [PARTNER_TOPIC],
    handler: createPartnerHandler(pool, profiles),
  });
  const pruning = createJob({
    name: 'prune-inbox',
    intervalMs: PRUNE_EVERY_MS,
    run: () => pruneInbox(pool, INBOX_KEPT_HOURS).then(() => false),
    log,
    metrics,
  });
  const forgetting = createJob({
    name: 'forget-old-sales',
    intervalMs: FORGET_SALES_EVERY_MS,
    run: () => forgetOldSales(pool).then(() => false),
    log,
    metrics,
  });
  const reconciler = serveReconciler({ pool, checks: shopChecks, log, metrics }, config);
  return {
    rpc: [
      createPartnerSettingsService(profiles),
      catalog,
      catalogOperations,
      createBackInStockService(new RegistrationRepository(prisma, pool)),
      createDiscountCodeService(shop),
      createCartService(shop),
      createCheckoutService({ ...shop, pool, checkouts: new CheckoutRepository(pool) }),
      createCheckoutStateService(new CheckoutStateRepository(prisma)),
      reconciler.rpc,
    ].map(answerUnavailable),
    jobs: [
      pruning,
      forgetting,
      createLapsedStockJob(pool, log, metrics),
      createIdleCartsJob(carts, config.CART_IDLE_MS, { log, metrics }),
      createOldLocksJob(locks, { log, metrics }),
      ...reconciler.jobs,
    ],
    consumers: [partners, relay],
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
