import {
  AuditServiceService,
  BackInStockServiceService,
  CartServiceService,
  CatalogServiceService,
  DiscountCodeServiceService,
  EsimOrderServiceService,
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

/** host:port of each neighbour. */
export type Addresses = Readonly<
  Record<'identity' | 'finance' | 'orders-saga' | 'scent-commerce' | 'notifier', string>
>;

const SERVICES = {
  tokens: [TokenServiceService, 'identity'],
  audit: [AuditServiceService, 'identity'],
  wallets: [WalletServiceService, 'finance'],
  statements: [StatementServiceService, 'finance'],
  topupOrders: [TopupOrderServiceService, 'orders-saga'],
  esimOrders: [EsimOrderServiceService, 'orders-saga'],
  orders: [OrderServiceService, 'orders-saga'],
  carts: [CartServiceService, 'scent-commerce'],
  catalog: [CatalogServiceService, 'scent-commerce'],
  backInStock: [BackInStockServiceService, 'scent-commerce'],
  discountCodes: [DiscountCodeServiceService, 'scent-commerce'],
  webhooks: [WebhookServiceService, 'notifier'],
  scentOrders: [ScentOrderServiceService, 'orders-saga'],
  returnRequests: [ReturnRequestServiceService, 'orders-saga'],
} as const satisfies RpcClientTable<keyof Addresses>;

/** The neighbours' services as a route's handle may call them; every failure is an AppError. */
export type Clients = RpcClients<typeof SERVICES>;

// Every call carries its route's deadline (spec §1.10); this only bounds one that carries none.
const DEFAULT_DEADLINE_MS = 15_000;

/** Opens a channel to each neighbour and starts to connect it; none is connected yet when it returns. */
export const createClients = (addresses: Addresses, wiring: RpcClientWiring = {}): Clients =>
  createRpcClients(SERVICES, addresses, { ...wiring, defaultDeadlineMs: DEFAULT_DEADLINE_MS });
