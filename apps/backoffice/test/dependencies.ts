import {
  ActorType,
  AuditServiceService,
  DeliveryOperationsServiceService,
  Availability,
  CatalogOperationsServiceService,
  CatalogServiceService,
  Environment,
  OrderOperationsServiceService,
  OrderStatus,
  PartnerServiceService,
  PartnerSettingsServiceService,
  ProductType,
  RateServiceService,
  ReconciliationServiceService,
  ReferenceType,
  TaxClassification,
  TransactionType,
  StatementEmailStatus,
  StatementOperationsServiceService,
  StatementServiceService,
  WalletServiceService,
  WebhookDeliveryStatus,
  WebhookErrorSummary,
  WebhookEventType,
  type CreateStatementRequest,
  type EsimOrder,
  type OrderSummary,
  type Partner,
  type RecordAuditEntryRequest,
  type StockedVariant,
  type TopupOrder,
  type WalletTransaction,
  type WebhookDelivery,
} from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { defineRpc, RpcServer, type CallContext } from '@reseller/rpc';
import { silentLog } from '@reseller/testing';
import { v4 as newId } from 'uuid';

export const AT = new Date('2026-03-01T10:00:00.000Z');
const later = (ms: number): Date => new Date(AT.getTime() + ms);

/** What the dependencies were asked, in order, with the operator each call named. */
export interface Heard {
  method: string;
  operator: string | undefined;
  request: unknown;
}

export function aPartner(fields: Partial<Partner> = {}): Partner {
  return {
    id: newId(),
    globalId: 'PRT-000001',
    name: 'Acme',
    parentPartnerId: undefined,
    path: [],
    isActive: true,
    displayCurrency: 'USD',
    isVatRegistered: true,
    taxRegistrationNumber: undefined,
    commissionRate: '0.125',
    marketingEnabled: false,
    billingEmail: undefined,
    version: 3,
    createdAt: AT,
    ...fields,
  };
}

export const aTransaction: WalletTransaction = {
  transactionId: '42',
  occurredAt: later(20),
  transactionType: TransactionType.CREDIT,
  referenceType: ReferenceType.DEPOSIT,
  referenceId: 'DEP-1',
  amount: '10.50',
  balanceAfter: '110.50',
  notes: 'cash',
  orderGoodsVatAmount: undefined,
  orderCommissionVatAmount: undefined,
  orderTotalAmountWithVat: undefined,
  orderTotalCommissionWithVat: undefined,
};

export const aSummary: OrderSummary = {
  productType: ProductType.TOPUP,
  orderId: newId(),
  orderGlobalId: 'ORD-1',
  externalReference: 'INV-1',
  status: OrderStatus.INTERVENTION_REQUIRED,
  amount: '10.50',
  currency: 'SAR',
  submittedAt: AT,
  completedAt: undefined,
  customerRef: undefined,
  displayRate: undefined,
  partnerId: newId(),
  environment: Environment.LIVE,
};

export const aVariant: StockedVariant = {
  id: newId(),
  scentId: newId(),
  scentName: 'Layl Oud',
  brandId: newId(),
  brandName: 'Maison Qamar',
  warehouseCode: 'RUH-1',
  sku: 'QMR-LAYL-EDP-050',
  sizeMl: 50,
  listPrice: '210.00',
  cost: '88.20',
  rrp: undefined,
  taxClassification: TaxClassification.STANDARD,
  isSample: false,
  isActive: true,
  stockOnHand: 7,
  stockReserved: 3,
  availability: Availability.LIMITED,
  firstOfferedAt: AT,
  restockedAt: undefined,
  partnerPrices: [{ partnerId: aSummary.partnerId, listPrice: '199.90' }],
};

const someTerms = { id: newId(), name: 'Maison Qamar', commissionRate: '0.15' };
const notForOperators = () => Promise.reject(new Error('operators read the catalog by their own service'));

const aTopup: TopupOrder = {
  orderId: aSummary.orderId,
  orderGlobalId: 'ORD-1',
  sagaId: 'saga-1',
  partnerId: aSummary.partnerId,
  partnerGlobalId: 'PRT-000001',
  geoScopeGlobalId: 'GEO-SA',
  externalReference: 'INV-1',
  phoneNumber: '+966501234567',
  amount: '10.50',
  currency: 'SAR',
  status: OrderStatus.FAILED,
  statusDescription: undefined,
  vendorOrderId: undefined,
  errorMessage: 'Ended by an operator.',
  failureCode: 'OPERATOR_DECISION',
  submittedAt: AT,
  completedAt: later(99),
  currentRetryCount: 0,
  nextPollAt: undefined,
  displayRate: undefined,
  environment: Environment.LIVE,
};

const { phoneNumber: _, ...shared } = aTopup;
const anEsim: EsimOrder = {
  ...shared,
  orderGlobalId: 'ES-1',
  productSku: 'ESIM-SA-1GB-7D',
  email: 'traveller@example.com',
  dataAllowance: '1.000',
  validityDays: 7,
  status: OrderStatus.COMPLETED,
  errorMessage: undefined,
  failureCode: undefined,
  esimIccid: '8996699000000000007',
  esimQrCode: 'LPA:1$smdp.example$CODE',
  esimActivationCode: undefined,
  esimPlanDetails: undefined,
};

export const aDelivery: WebhookDelivery = {
  id: newId(),
  subscriptionId: newId(),
  partnerId: aSummary.partnerId,
  environment: Environment.LIVE,
  eventId: newId(),
  eventType: WebhookEventType.ORDER_COMPLETED,
  status: WebhookDeliveryStatus.DEAD_LETTERED,
  attemptCount: 1,
  lastAttemptAt: later(45),
  nextAttemptAt: undefined,
  responseStatus: 500,
  durationMs: 12,
  errorSummary: WebhookErrorSummary.DELIVERY_FAILED,
  isTest: false,
  createdAt: later(25),
  attempts: [
    {
      attemptNumber: 1,
      attemptedAt: later(45),
      responseStatus: 500,
      durationMs: 12,
      errorSummary: WebhookErrorSummary.DELIVERY_FAILED,
    },
  ],
  orderGlobalId: 'ORD-1',
};

/** Fakes for identity, finance, orders-saga and notifier, each on a real RPC server, that remember what they were asked. */
export async function startDependencies() {
  const heard: Heard[] = [];
  const partners = new Map<string, Partner>();
  const faults = new Map<string, AppError>();
  const answer = <Q, R>(method: string, make: (request: Q) => R) => {
    return async (request: Q, call: CallContext): Promise<R> => {
      heard.push({ method, operator: call.operator, request });
      const fault = faults.get(method);
      if (fault) throw fault;
      return make(request);
    };
  };
  const find = (id: string): Partner => {
    const partner = partners.get(id);
    if (!partner) throw new AppError('NOT_FOUND_PARTNER');
    return partner;
  };
  const page = { page: 1, pageSize: 20, totalCount: 1, totalPages: 1 };
  const order = { order: { product: { $case: 'topup' as const, value: aTopup } } };
  const statementOf = (request: CreateStatementRequest) => ({
    id: aSummary.orderId,
    environment: request.environment,
    document: {
      partnerId: request.partnerId,
      partnerGlobalId: 'PRT-000001',
      sequenceNumber: 1,
      statementNumber: 'ST-PRT-000001-000001',
      isProvisional: false,
      periodFromAt: request.periodFromAt,
      periodToAt: request.periodToAt,
      generatedAt: AT,
      currency: 'SAR',
      totalDebits: '0.00',
      totalCredits: '10.50',
      netPosition: '10.50',
      documentNature: 'Not a legal tax invoice.',
      afterPosition: '0',
      upToPosition: '1',
    },
    emailStatus: StatementEmailStatus.PENDING,
    emailStatusReason: undefined,
    emailSentAt: undefined,
  });
  const entryOf = (request: RecordAuditEntryRequest) => {
    const { entryId, ...rest } = request;
    return { entry: { ...rest, id: entryId, occurredAt: AT } };
  };

  const identity = new RpcServer({
    log: silentLog,
    services: [
      defineRpc(PartnerServiceService, {
        createPartner: answer('createPartner', () => ({ partner: aPartner() })),
        updatePartner: answer('updatePartner', ({ partnerId }) => ({ partner: find(partnerId) })),
        getPartner: answer('getPartner', ({ partnerId }) => ({ partner: find(partnerId) })),
        listPartners: answer('listPartners', () => ({ partners: [...partners.values()], page })),
        createCredential: answer('createCredential', ({ partnerId, environment }) => ({
          clientId: 'pk_1',
          clientSecret: 's3cret',
          partnerId,
          environment,
          createdAt: AT,
        })),
        revokeCredential: answer('revokeCredential', ({ clientId }) => ({
          clientId,
          partnerId: aSummary.partnerId,
          environment: Environment.LIVE,
          revokedAt: AT,
        })),
      }),
      defineRpc(AuditServiceService, {
        recordAuditEntry: answer('recordAuditEntry', entryOf),
        listAuditEntries: answer('listAuditEntries', () => ({
          entries: [
            {
              id: aSummary.orderId,
              actorType: ActorType.OPERATOR,
              actingPartnerId: undefined,
              actingClientId: undefined,
              operator: 'olga',
              partnerId: aSummary.partnerId,
              action: 'wallet.credit',
              subject: undefined,
              requestId: 'r-1',
              occurredAt: AT,
              detailsJson: '{"amount":"10.50"}',
            },
          ],
          page,
        })),
      }),
    ],
  });
  // Each with as many differences as it is given, and one check that found them.
  const reconciler = (check: string, count: number) =>
    defineRpc(ReconciliationServiceService, {
      runReconciliation: answer(`run ${check}`, () => ({
        checks: [
          {
            check,
            compared: 7,
            isComplete: true,
            openDifferences: count,
            completedAt: AT,
            failure: undefined,
          },
        ],
      })),
      listDifferences: answer(`list ${check}`, ({ offset, limit }) => ({
        differences: Array.from({ length: count }, (_, n) => ({
          id: newId(),
          check,
          kind: 'held',
          subject: `${check} ${n + 1}`,
          expected: '1.00',
          found: '2.00',
          firstSeenAt: AT,
          lastSeenAt: AT,
          resolvedAt: undefined,
        })).slice(offset, offset + limit),
        totalCount: count,
      })),
    });
  const finance = new RpcServer({
    log: silentLog,
    services: [
      reconciler('wallets', 2),
      defineRpc(StatementServiceService, {
        listStatements: () => Promise.reject(new Error('operators have no list')),
        getStatement: () => Promise.reject(new Error('operators get what they make')),
        getStatementReport: () => Promise.reject(new Error('operators have no report')),
        listReportLines: () => Promise.reject(new Error('operators have no report')),
        listStatementLines: answer('listStatementLines', () => ({ lines: [aTransaction] })),
      }),
      defineRpc(StatementOperationsServiceService, {
        createStatement: answer('createStatement', (request) => ({ statement: statementOf(request) })),
      }),
      defineRpc(WalletServiceService, {
        getBalance: () => Promise.reject(new Error('operators have no balance')),
        listTransactions: () => Promise.reject(new Error('operators have no list')),
        openWallet: answer('openWallet', ({ partnerId, environment }) => ({
          wallet: {
            id: aSummary.orderId,
            partnerId,
            environment,
            currency: 'SAR',
            currentBalance: '0',
            availableBalance: '0',
            openedAt: AT,
          },
        })),
        creditWallet: answer('creditWallet', () => ({ transaction: aTransaction })),
        adjustWallet: answer('adjustWallet', () => ({
          transaction: { ...aTransaction, referenceType: ReferenceType.ADJUSTMENT },
        })),
        listTransactionsByReference: answer('listTransactionsByReference', () => ({
          transactions: [aTransaction],
        })),
      }),
      defineRpc(RateServiceService, {
        setRate: answer('setRate', ({ currency, rate }) => ({ currency, rate, updatedAt: AT })),
        getRate: () => Promise.reject(new Error('operators set rates and do not ask for one')),
        awaitPartnerVersion: answer('awaitPartnerVersion', () => ({ isSeen: true })),
      }),
    ],
  });
  const ordersSaga = new RpcServer({
    log: silentLog,
    services: [
      reconciler('orders-funds', 0),
      defineRpc(OrderOperationsServiceService, {
        listAllOrders: answer('listAllOrders', () => ({ orders: [aSummary], page })),
        getOrderTimeline: answer('getOrderTimeline', () => ({
          summary: aSummary,
          scentOrder: undefined,
          entries: [
            { occurredAt: later(10), step: 'funds.reserve', outcome: 'Done', detailsJson: '' },
            {
              occurredAt: later(30),
              step: 'vendor.submit',
              outcome: 'Unknown',
              detailsJson: '{"status":504}',
            },
          ],
        })),
        resolveOrder: answer('resolveOrder', ({ orderGlobalId }) =>
          orderGlobalId === 'ES-1' ? { order: { product: { $case: 'esim', value: anEsim } } } : order,
        ),
        cancelOrder: answer('cancelOrder', () => order),
        reverseOrder: answer('reverseOrder', () => order),
      }),
    ],
  });
  const scentCommerce = new RpcServer({
    log: silentLog,
    services: [
      reconciler('stock', 3),
      defineRpc(CatalogServiceService, {
        listBrands: notForOperators,
        listScents: notForOperators,
        getScent: notForOperators,
        listVariants: notForOperators,
        getVariant: notForOperators,
        getVariantAvailability: notForOperators,
        getBrand: answer('getBrand', ({ brandId }) => ({ brand: { id: brandId, name: 'Maison Qamar' } })),
      }),
      defineRpc(CatalogOperationsServiceService, {
        listStockedVariants: answer('listStockedVariants', () => ({ variants: [aVariant], page })),
        getStockedVariant: answer('getStockedVariant', () => ({ variant: aVariant })),
        updateVariant: answer('updateVariant', () => ({ variant: aVariant })),
        setPartnerPrice: answer('setPartnerPrice', (request) => ({ ...request, updatedAt: AT })),
        listBrandTerms: answer('listBrandTerms', () => ({ brands: [someTerms], page })),
        updateBrand: answer('updateBrand', ({ brandId, commissionRate }) => ({
          brand: { ...someTerms, id: brandId, commissionRate: commissionRate || undefined },
        })),
      }),
      defineRpc(PartnerSettingsServiceService, {
        awaitPartnerSettings: answer('awaitPartnerSettings', () => ({ isSeen: true })),
      }),
    ],
  });
  const notifier = new RpcServer({
    log: silentLog,
    services: [
      defineRpc(DeliveryOperationsServiceService, {
        listAllWebhookDeliveries: answer('listAllWebhookDeliveries', () => ({
          deliveries: [aDelivery],
          page,
        })),
        getAnyWebhookDelivery: answer('getAnyWebhookDelivery', () => ({ delivery: aDelivery })),
        redeliverAnyWebhookDelivery: answer('redeliverAnyWebhookDelivery', () => ({
          delivery: {
            ...aDelivery,
            id: newId(),
            status: WebhookDeliveryStatus.PENDING,
            attemptCount: 0,
            attempts: [],
          },
        })),
        listDeliveriesOfOrder: answer('listDeliveriesOfOrder', () => ({ deliveries: [aDelivery] })),
      }),
    ],
  });
  const listen = async (server: RpcServer): Promise<string> => {
    const port = await server.listen('127.0.0.1', 0);
    server.setServing(true);
    return `127.0.0.1:${port}`;
  };
  return {
    heard,
    partners,
    /** By method: what it answers instead. */
    faults,
    addresses: {
      IDENTITY_ADDRESS: await listen(identity),
      FINANCE_ADDRESS: await listen(finance),
      ORDERS_SAGA_ADDRESS: await listen(ordersSaga),
      SCENT_COMMERCE_ADDRESS: await listen(scentCommerce),
      NOTIFIER_ADDRESS: await listen(notifier),
    },
    stop: () =>
      Promise.all([identity, finance, ordersSaga, scentCommerce, notifier].map((server) => server.drain(0))),
  };
}
