import {
  AuditServiceService,
  BackInStockServiceService,
  CartServiceService,
  CatalogServiceService,
  CreateResultsServiceService,
  DiscountCodeServiceService,
  EsimOrderServiceService,
  EventServiceService,
  OrderServiceService,
  ReturnRequestServiceService,
  ScentOrderServiceService,
  StatementServiceService,
  TokenServiceService,
  TopupOrderServiceService,
  WalletServiceService,
  WebhookServiceService,
} from '@reseller/contracts';
import { createRpcClients, type RpcClients, type RpcClientTable, type RpcClientWiring } from '@reseller/rpc';
import type { Config } from './config';

type App = 'identity' | 'finance' | 'orders-saga' | 'scent-commerce' | 'notifier';

// A new gRPC service is one line here.
const SERVICES = {
  tokens: [TokenServiceService, 'identity'],
  audit: [AuditServiceService, 'identity'],
  wallets: [WalletServiceService, 'finance'],
  statements: [StatementServiceService, 'finance'],
  topupOrders: [TopupOrderServiceService, 'orders-saga'],
  esimOrders: [EsimOrderServiceService, 'orders-saga'],
  orders: [OrderServiceService, 'orders-saga'],
  createResults: [CreateResultsServiceService, 'orders-saga'],
  carts: [CartServiceService, 'scent-commerce'],
  catalog: [CatalogServiceService, 'scent-commerce'],
  backInStock: [BackInStockServiceService, 'scent-commerce'],
  discountCodes: [DiscountCodeServiceService, 'scent-commerce'],
  webhooks: [WebhookServiceService, 'notifier'],
  events: [EventServiceService, 'notifier'],
  scentOrders: [ScentOrderServiceService, 'orders-saga'],
  returnRequests: [ReturnRequestServiceService, 'orders-saga'],
} as const satisfies RpcClientTable<App>;

/** The gRPC services as a route's handle may call them; every failure is an AppError. */
export type Clients = RpcClients<typeof SERVICES>;

// Every call carries its route's deadline (spec §1.10); this only bounds one that carries none.
const DEFAULT_DEADLINE_MS = 15_000;

/** Opens a channel to each service and starts to connect it; none is connected yet when it returns. */
export const createClients = (config: Config, wiring: RpcClientWiring): Clients =>
  createRpcClients(
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
