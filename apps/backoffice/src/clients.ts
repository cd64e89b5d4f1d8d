import {
  AuditServiceService,
  CatalogOperationsServiceService,
  CatalogServiceService,
  FulfillmentOperationsServiceService,
  DeliveryOperationsServiceService,
  OrderOperationsServiceService,
  PartnerServiceService,
  PartnerSettingsServiceService,
  RateServiceService,
  StatementOperationsServiceService,
  StatementServiceService,
  WalletServiceService,
} from '@reseller/contracts';
import { createRpcClient, type RpcClient } from '@reseller/rpc';

/** The neighbours' services as routes may call them; every failure is an AppError. */
export interface Clients {
  readonly partners: RpcClient<typeof PartnerServiceService>;
  readonly audit: RpcClient<typeof AuditServiceService>;
  readonly wallets: RpcClient<typeof WalletServiceService>;
  readonly rates: RpcClient<typeof RateServiceService>;
  readonly statements: RpcClient<typeof StatementServiceService>;
  readonly statementOperations: RpcClient<typeof StatementOperationsServiceService>;
  readonly orders: RpcClient<typeof OrderOperationsServiceService>;
  readonly catalog: RpcClient<typeof CatalogServiceService>;
  readonly scentStock: RpcClient<typeof CatalogOperationsServiceService>;
  readonly scentPartners: RpcClient<typeof PartnerSettingsServiceService>;
  readonly fulfillment: RpcClient<typeof FulfillmentOperationsServiceService>;
  readonly deliveries: RpcClient<typeof DeliveryOperationsServiceService>;
}

/** host:port of each neighbour. */
export interface Addresses {
  readonly identity: string;
  readonly finance: string;
  readonly ordersSaga: string;
  readonly scentCommerce: string;
  readonly notifier: string;
}

/** Every call names its own deadline; this one only bounds a call that forgot to. */
const DEFAULT_DEADLINE_MS = 12_000;

/** Opens one keep-alive channel for each service; none is connected yet when it returns. */
export function createClients(addresses: Addresses): Clients {
  const options = (name: string) => ({ name, defaultDeadlineMs: DEFAULT_DEADLINE_MS });
  return {
    partners: createRpcClient(PartnerServiceService, addresses.identity, options('identity')),
    audit: createRpcClient(AuditServiceService, addresses.identity, options('identity')),
    wallets: createRpcClient(WalletServiceService, addresses.finance, options('finance')),
    rates: createRpcClient(RateServiceService, addresses.finance, options('finance')),
    statements: createRpcClient(StatementServiceService, addresses.finance, options('finance')),
    statementOperations: createRpcClient(
      StatementOperationsServiceService,
      addresses.finance,
      options('finance'),
    ),
    orders: createRpcClient(OrderOperationsServiceService, addresses.ordersSaga, options('orders-saga')),
    catalog: createRpcClient(CatalogServiceService, addresses.scentCommerce, options('scent-commerce')),
    scentStock: createRpcClient(
      CatalogOperationsServiceService,
      addresses.scentCommerce,
      options('scent-commerce'),
    ),
    scentPartners: createRpcClient(
      PartnerSettingsServiceService,
      addresses.scentCommerce,
      options('scent-commerce'),
    ),
    fulfillment: createRpcClient(
      FulfillmentOperationsServiceService,
      addresses.ordersSaga,
      options('orders-saga'),
    ),
    deliveries: createRpcClient(DeliveryOperationsServiceService, addresses.notifier, options('notifier')),
  };
}

/** Ends every channel; calls under way fail with SERVICE_UNAVAILABLE. */
export function closeClients(clients: Clients): void {
  for (const client of Object.values<{ close(): void }>({ ...clients })) client.close();
}
