import {
  ApprovalServiceService,
  AuditServiceService,
  CatalogOperationsServiceService,
  CatalogServiceService,
  CertificationOperationsServiceService,
  DeadLetterServiceService,
  ErasureServiceService,
  FulfillmentOperationsServiceService,
  DeliveryOperationsServiceService,
  OperatorServiceService,
  OrderOperationsServiceService,
  PartnerServiceService,
  PartnerSettingsServiceService,
  RateServiceService,
  ReconciliationServiceService,
  SpendingLimitServiceService,
  StatementOperationsServiceService,
  StatementServiceService,
  WalletServiceService,
} from '@reseller/contracts';
import { createRpcClients, type RpcClients, type RpcClientTable, type RpcClientWiring } from '@reseller/rpc';
import type { ChangeWatch } from './changes/change-watch';
import type { Config } from './config';

/** The services that are called. */
export type App = 'identity' | 'finance' | 'orders-saga' | 'scent-commerce' | 'notifier';

// A new gRPC service is one line here.
const SERVICES = {
  partners: [PartnerServiceService, 'identity'],
  audit: [AuditServiceService, 'identity'],
  operators: [OperatorServiceService, 'identity'],
  certifications: [CertificationOperationsServiceService, 'identity'],
  wallets: [WalletServiceService, 'finance'],
  spendingLimits: [SpendingLimitServiceService, 'finance'],
  rates: [RateServiceService, 'finance'],
  statements: [StatementServiceService, 'finance'],
  statementOperations: [StatementOperationsServiceService, 'finance'],
  orders: [OrderOperationsServiceService, 'orders-saga'],
  erasures: [ErasureServiceService, 'orders-saga'],
  catalog: [CatalogServiceService, 'scent-commerce'],
  scentStock: [CatalogOperationsServiceService, 'scent-commerce'],
  scentPartners: [PartnerSettingsServiceService, 'scent-commerce'],
  fulfillment: [FulfillmentOperationsServiceService, 'orders-saga'],
  financeReconciler: [ReconciliationServiceService, 'finance'],
  ordersReconciler: [ReconciliationServiceService, 'orders-saga'],
  scentReconciler: [ReconciliationServiceService, 'scent-commerce'],
  financeApprovals: [ApprovalServiceService, 'finance'],
  ordersApprovals: [ApprovalServiceService, 'orders-saga'],
  deliveries: [DeliveryOperationsServiceService, 'notifier'],
  financeDeadLetters: [DeadLetterServiceService, 'finance'],
  scentDeadLetters: [DeadLetterServiceService, 'scent-commerce'],
  notifierDeadLetters: [DeadLetterServiceService, 'notifier'],
} as const satisfies RpcClientTable<App>;

/** The gRPC services; every failure is an AppError. */
export type RpcClientsOfServices = RpcClients<typeof SERVICES>;

/** What a route's handle may call: the services, and what sees that something of theirs has changed. */
export type Clients = RpcClientsOfServices & { readonly changes: ChangeWatch };

// Every call names its own deadline; this one only bounds a call that forgot to.
const DEFAULT_DEADLINE_MS = 12_000;

/** Opens a channel to each service and starts to connect it; none is connected yet when it returns. */
export const createClients = (config: Config, wiring: RpcClientWiring): RpcClientsOfServices =>
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
