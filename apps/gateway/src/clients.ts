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
import { createRpcClient, type RpcClient } from '@reseller/rpc';

/** Every call carries its route's deadline (decisions §1.10); this only bounds one that carries none. */
const DEFAULT_DEADLINE_MS = 15_000;

/** The neighbours' services as a route's handle may call them; every failure is an AppError. */
export interface Clients {
  readonly tokens: RpcClient<typeof TokenServiceService>;
  readonly audit: RpcClient<typeof AuditServiceService>;
  readonly wallets: RpcClient<typeof WalletServiceService>;
  readonly statements: RpcClient<typeof StatementServiceService>;
  readonly topupOrders: RpcClient<typeof TopupOrderServiceService>;
  readonly esimOrders: RpcClient<typeof EsimOrderServiceService>;
  readonly orders: RpcClient<typeof OrderServiceService>;
  readonly catalog: RpcClient<typeof CatalogServiceService>;
  readonly backInStock: RpcClient<typeof BackInStockServiceService>;
  readonly carts: RpcClient<typeof CartServiceService>;
  readonly discountCodes: RpcClient<typeof DiscountCodeServiceService>;
  readonly webhooks: RpcClient<typeof WebhookServiceService>;
  readonly scentOrders: RpcClient<typeof ScentOrderServiceService>;
  readonly returnRequests: RpcClient<typeof ReturnRequestServiceService>;
}

/** host:port of each neighbour. */
export interface Addresses {
  readonly identity: string;
  readonly finance: string;
  readonly ordersSaga: string;
  readonly scentCommerce: string;
  readonly notifier: string;
}

/** Opens one keep-alive channel for each service and starts to connect it; none is connected yet when it returns. */
export function createClients(addresses: Addresses): Clients {
  const options = (name: string) => ({ name, defaultDeadlineMs: DEFAULT_DEADLINE_MS });
  const clients = {
    tokens: createRpcClient(TokenServiceService, addresses.identity, options('identity')),
    audit: createRpcClient(AuditServiceService, addresses.identity, options('identity')),
    wallets: createRpcClient(WalletServiceService, addresses.finance, options('finance')),
    statements: createRpcClient(StatementServiceService, addresses.finance, options('finance')),
    topupOrders: createRpcClient(TopupOrderServiceService, addresses.ordersSaga, options('orders-saga')),
    esimOrders: createRpcClient(EsimOrderServiceService, addresses.ordersSaga, options('orders-saga')),
    orders: createRpcClient(OrderServiceService, addresses.ordersSaga, options('orders-saga')),
    carts: createRpcClient(CartServiceService, addresses.scentCommerce, options('scent-commerce')),
    catalog: createRpcClient(CatalogServiceService, addresses.scentCommerce, options('scent-commerce')),
    backInStock: createRpcClient(
      BackInStockServiceService,
      addresses.scentCommerce,
      options('scent-commerce'),
    ),
    discountCodes: createRpcClient(
      DiscountCodeServiceService,
      addresses.scentCommerce,
      options('scent-commerce'),
    ),
    webhooks: createRpcClient(WebhookServiceService, addresses.notifier, options('notifier')),
    scentOrders: createRpcClient(ScentOrderServiceService, addresses.ordersSaga, options('orders-saga')),
    returnRequests: createRpcClient(
      ReturnRequestServiceService,
      addresses.ordersSaga,
      options('orders-saga'),
    ),
  };
  for (const client of Object.values(clients)) client.isReady();
  return clients;
}

/** Ends every channel; calls under way fail with SERVICE_UNAVAILABLE. */
export function closeClients(clients: Clients): void {
  for (const client of Object.values<{ close(): void }>({ ...clients })) client.close();
}
