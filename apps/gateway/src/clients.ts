import {
  AuditServiceService,
  BackInStockServiceService,
  CartServiceService,
  CatalogServiceService,
  CertificationServiceService,
  CreateResultsServiceService,
  DiscountCodeServiceService,
  EsimOrderServiceService,
  EventServiceService,
  EventWatchServiceService,
  IdempotencyKeyServiceService,
  OrderServiceService,
  PartnerReconciliationServiceService,
  PriceExplanationServiceService,
  ReturnRequestServiceService,
  SandboxOrderServiceService,
  ScentOrderServiceService,
  SightingServiceService,
  SpendingLimitServiceService,
  StatementServiceService,
  TokenServiceService,
  TopupOrderServiceService,
  WalletServiceService,
  WebhookDiagnosisServiceService,
  WebhookServiceService,
} from '@reseller/contracts';
import { createRpcClients, type RpcClients, type RpcClientTable, type RpcClientWiring } from '@reseller/rpc';
import type { Config } from './config';
import { FeedWatch } from './events/feed-watch';

type App = 'identity' | 'finance' | 'orders-saga' | 'scent-commerce' | 'notifier';

// A new gRPC service is one line here.
const SERVICES = {
  tokens: [TokenServiceService, 'identity'],
  audit: [AuditServiceService, 'identity'],
  certifications: [CertificationServiceService, 'identity'],
  sightings: [SightingServiceService, 'identity'],
  wallets: [WalletServiceService, 'finance'],
  spendingLimits: [SpendingLimitServiceService, 'finance'],
  statements: [StatementServiceService, 'finance'],
  topupOrders: [TopupOrderServiceService, 'orders-saga'],
  esimOrders: [EsimOrderServiceService, 'orders-saga'],
  orders: [OrderServiceService, 'orders-saga'],
  reconciliations: [PartnerReconciliationServiceService, 'orders-saga'],
  createResults: [CreateResultsServiceService, 'orders-saga'],
  carts: [CartServiceService, 'scent-commerce'],
  catalog: [CatalogServiceService, 'scent-commerce'],
  priceExplanations: [PriceExplanationServiceService, 'scent-commerce'],
  backInStock: [BackInStockServiceService, 'scent-commerce'],
  discountCodes: [DiscountCodeServiceService, 'scent-commerce'],
  webhooks: [WebhookServiceService, 'notifier'],
  webhookDiagnoses: [WebhookDiagnosisServiceService, 'notifier'],
  events: [EventServiceService, 'notifier'],
  eventWatch: [EventWatchServiceService, 'notifier'],
  scentOrders: [ScentOrderServiceService, 'orders-saga'],
  returnRequests: [ReturnRequestServiceService, 'orders-saga'],
  sandboxOrders: [SandboxOrderServiceService, 'orders-saga'],
  ordersKeys: [IdempotencyKeyServiceService, 'orders-saga'],
  scentKeys: [IdempotencyKeyServiceService, 'scent-commerce'],
  webhookKeys: [IdempotencyKeyServiceService, 'notifier'],
} as const satisfies RpcClientTable<App>;

/** The gRPC services as a route's handle may call them, every failure an AppError; and what says when to call them again. */
export type Clients = RpcClients<typeof SERVICES> & { readonly feedWatch: FeedWatch };

// Every call carries its route's deadline (spec §1.10); this only bounds one that carries none.
const DEFAULT_DEADLINE_MS = 15_000;

/** A watch waits 10 s at most. */
const WATCH = { deadlineMs: 12_000 };

/** Opens a channel to each service and starts to connect it; none is connected yet when it returns. */
export function createClients(config: Config, wiring: RpcClientWiring): Clients {
  const clients = createRpcClients(
    SERVICES,
    {
      identity: config.IDENTITY_ADDRESS,
      finance: config.FINANCE_ADDRESS,
      'orders-saga': config.ORDERS_SAGA_ADDRESS,
      'scent-commerce': config.SCENT_COMMERCE_ADDRESS,
      notifier: config.NOTIFIER_ADDRESS,
    },
    { ...wiring, defaultDeadlineMs: DEFAULT_DEADLINE_MS },
  );
  const feedWatch = new FeedWatch({
    fetch: (request) => clients.eventWatch.awaitFeedMoves(request, { requestId: 'gateway-feeds' }, WATCH),
    log: wiring.log,
    metrics: wiring.metrics,
  });
  return { ...clients, feedWatch };
}
