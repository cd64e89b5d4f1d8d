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
  ReconciliationServiceService,
  StatementOperationsServiceService,
  StatementServiceService,
  WalletServiceService,
} from '@reseller/contracts';
import { createRpcClients, type RpcClients, type RpcClientTable, type RpcClientWiring } from '@reseller/rpc';

/** host:port of each neighbour. */
export type Addresses = Readonly<
  Record<'identity' | 'finance' | 'orders-saga' | 'scent-commerce' | 'notifier', string>
>;

const SERVICES = {
  partners: [PartnerServiceService, 'identity'],
  audit: [AuditServiceService, 'identity'],
  wallets: [WalletServiceService, 'finance'],
  rates: [RateServiceService, 'finance'],
  statements: [StatementServiceService, 'finance'],
  statementOperations: [StatementOperationsServiceService, 'finance'],
  orders: [OrderOperationsServiceService, 'orders-saga'],
  catalog: [CatalogServiceService, 'scent-commerce'],
  scentStock: [CatalogOperationsServiceService, 'scent-commerce'],
  scentPartners: [PartnerSettingsServiceService, 'scent-commerce'],
  fulfillment: [FulfillmentOperationsServiceService, 'orders-saga'],
  financeReconciler: [ReconciliationServiceService, 'finance'],
  ordersReconciler: [ReconciliationServiceService, 'orders-saga'],
  scentReconciler: [ReconciliationServiceService, 'scent-commerce'],
  deliveries: [DeliveryOperationsServiceService, 'notifier'],
} as const satisfies RpcClientTable<keyof Addresses>;

/** The neighbours' services as a route's handle may call them; every failure is an AppError. */
export type Clients = RpcClients<typeof SERVICES>;

// Every call names its own deadline; this one only bounds a call that forgot to.
const DEFAULT_DEADLINE_MS = 12_000;

/** Opens a channel to each neighbour and starts to connect it; none is connected yet when it returns. */
export const createClients = (addresses: Addresses, wiring: RpcClientWiring = {}): Clients =>
  createRpcClients(SERVICES, addresses, { ...wiring, defaultDeadlineMs: DEFAULT_DEADLINE_MS });
