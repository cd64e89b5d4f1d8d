import { Fakes, type Partially } from '@reseller/contract-testing';
import {
  ActorType,
  ApprovalAction,
  ApprovalServiceService,
  ApprovalStatus,
  AuditServiceService,
  Availability,
  CatalogOperationsServiceService,
  CatalogServiceService,
  DeadLetterReason,
  DeadLetterServiceService,
  DeadLetterState,
  DeliveryOperationsServiceService,
  Environment,
  OperatorRole,
  OperatorServiceService,
  OrderOperationsServiceService,
  OrderStatus,
  PartnerServiceService,
  ProductType,
  RateServiceService,
  ReconciliationServiceService,
  ReferenceType,
  StatementEmailStatus,
  StatementOperationsServiceService,
  StatementServiceService,
  TaxClassification,
  TransactionType,
  WalletServiceService,
  WebhookDeliveryStatus,
  WebhookErrorSummary,
  WebhookEventType,
  type Partner,
} from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { OPERATOR_ROLE_NAMES, operatorRoleOf, type OperatorRoleName } from '@reseller/rpc';
import { v4 as newId } from 'uuid';

/** The token of the operator olga, an admin. */
export const OPERATOR_TOKEN = `op_${'0'.repeat(43)}`;

export const AT = new Date('2026-03-01T10:00:00.000Z');
const later = (ms: number): Date => new Date(AT.getTime() + ms);

// What the fakes reply where a test looks at the values. A field that is not here is as the golden files have it.

export const aPartner = (fields: Partial<Partner> = {}) => ({
  id: newId(),
  name: 'Acme',
  commissionRate: '0.125',
  ...fields,
});

export const aSummary = {
  productType: ProductType.TOPUP,
  orderId: newId(),
  orderGlobalId: 'ORD-1',
  status: OrderStatus.INTERVENTION_REQUIRED,
  amount: '10.50',
  submittedAt: AT,
  partnerId: newId(),
  environment: Environment.LIVE,
};

const aTransaction = {
  transactionId: '42',
  transactionType: TransactionType.CREDIT,
  occurredAt: later(20),
  referenceType: ReferenceType.DEPOSIT,
  amount: '10.50',
};

export const aVariant = {
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
  taxClassification: TaxClassification.STANDARD,
  isSample: false,
  stockOnHand: 7,
  stockReserved: 3,
  availability: Availability.LIMITED,
  firstOfferedAt: AT,
  restockedAt: undefined,
  partnerPrices: [{ partnerId: aSummary.partnerId, listPrice: '199.90' }],
  stock: [
    { environment: Environment.LIVE, stockOnHand: 7, stockReserved: 3 },
    { environment: Environment.SANDBOX, stockOnHand: 40, stockReserved: 0 },
  ],
};

const anAttempt = { responseStatus: 500, durationMs: 12, errorSummary: WebhookErrorSummary.DELIVERY_FAILED };

export const aDelivery = {
  ...anAttempt,
  id: newId(),
  partnerId: aSummary.partnerId,
  environment: Environment.LIVE,
  eventId: newId(),
  eventType: WebhookEventType.ORDER_COMPLETED,
  status: WebhookDeliveryStatus.DEAD_LETTERED,
  createdAt: later(25),
  attempts: [{ ...anAttempt, attemptNumber: 1, attemptedAt: later(45) }],
  orderGlobalId: 'ORD-1',
};

export const aDeadLetter = {
  id: newId(),
  group: 'notifier.webhooks',
  eventId: newId(),
  topic: 'reseller.orders.order.v1',
  type: 'reseller.orders.v1.OrderCompleted',
  aggregateId: 'a',
  aggregateSeq: '3',
  occurredAt: AT,
  payloadBase64: '/w==',
  headersJson: '{"request-id":"r-1"}',
  reason: DeadLetterReason.UNDECODABLE,
  message: 'the payload is no OrderCompleted',
  detail: 'RangeError: premature EOF',
  attempts: 1,
  firstFailedAt: AT,
  lastFailedAt: AT,
  state: DeadLetterState.WAITING,
  decidedBy: undefined,
  decidedAt: undefined,
  notes: undefined,
  where: 'in notifier.webhooks',
  whatToDo: 'Redrive it.',
};

/** A session of olga's. */
export const SESSION = 's'.repeat(43);

/** A token of olga's in each role. */
export const TOKENS = {
  viewer: `op_${'1'.repeat(43)}`,
  support: `op_${'2'.repeat(43)}`,
  finance: `op_${'3'.repeat(43)}`,
  catalog: `op_${'4'.repeat(43)}`,
  partners: `op_${'5'.repeat(43)}`,
  admin: OPERATOR_TOKEN,
} as const satisfies Record<OperatorRoleName, string>;

const ROLE_BY_TOKEN = new Map(
  OPERATOR_ROLE_NAMES.map((role) => [TOKENS[role] as string, operatorRoleOf(role)] as const),
);

const SERVICES = ['identity', 'finance', 'orders-saga', 'scent-commerce', 'notifier'] as const;
type Services = Fakes<(typeof SERVICES)[number]>;

/** The services behind the backoffice as fakes of their contracts; they know the partners of `partners`. */
export async function startDependencies() {
  const fakes = new Fakes(...SERVICES);
  const partners = new Map<string, Partially<Partner>>();
  servePartners(fakes, partners);
  serveMoney(fakes);
  serveOrders(fakes);
  serveCatalog(fakes);
  serveDeadLetters(fakes);
  serveApprovals(fakes);
  serveReconciliation(fakes, 'finance', 'wallets', 2);
  serveReconciliation(fakes, 'orders-saga', 'orders-funds', 0);
  serveReconciliation(fakes, 'scent-commerce', 'stock', 3);
  await fakes.start();
  return { fakes, partners, addresses: fakes.addresses, stop: () => fakes.stop() };
}

export type Dependencies = Awaited<ReturnType<typeof startDependencies>>;

function servePartners(fakes: Services, partners: ReadonlyMap<string, Partially<Partner>>): void {
  const find = ({ partnerId }: { partnerId: string }) => {
    const partner = partners.get(partnerId);
    if (!partner) throw new AppError('NOT_FOUND_PARTNER');
    return { partner };
  };
  fakes
    .of('identity')
    .on(PartnerServiceService, {
      createPartner: () => ({ partner: aPartner() }),
      updatePartner: find,
      setPartnerFrozen: ({ partnerId, isFrozen }) => ({ partner: aPartner({ id: partnerId, isFrozen }) }),
      getPartner: find,
      listPartners: () => ({ partners: [...partners.values()] }),
      searchPartners: () => ({ partners: [aPartner()] }),
      getPartnerNames: ({ partnerIds }) => ({
        names: partnerIds.map((partnerId) => ({ partnerId, name: 'Acme' })),
      }),
      createCredential: ({ environment }) => ({ clientId: 'pk_1', clientSecret: 's3cret', environment }),
      revokeCredential: ({ clientId }) => ({ clientId, environment: Environment.LIVE }),
    })
    .on(OperatorServiceService, {
      authenticateOperator: ({ token = '', session }) => {
        const role = session === SESSION ? OperatorRole.ADMIN : ROLE_BY_TOKEN.get(token);
        if (role === undefined) throw new AppError('UNAUTHORIZED_INVALID_TOKEN');
        return { name: 'olga', account: 'idp olga', roles: [role], expiresAt: session ? AT : undefined };
      },
      beginOperatorSession: () => ({ session: SESSION, expiresAt: AT }),
      createOperatorToken: ({ name, roles, expiresAt }) => ({
        operatorToken: { name, roles, expiresAt },
        token: OPERATOR_TOKEN,
      }),
      revokeOperatorToken: ({ id }) => ({
        operatorToken: { id, roles: [OperatorRole.VIEWER], revokedAt: AT },
      }),
    })
    .on(AuditServiceService, {
      listAuditEntries: () => ({
        entries: [
          {
            actorType: ActorType.OPERATOR,
            operator: 'olga',
            action: 'wallet.credit',
            detailsJson: '{"amount":"10.50"}',
          },
        ],
      }),
    });
}

/** Whose decision the movements of money follow from. */
const decidedBy = { operator: 'omar', requestId: 'req-1', approvedBy: undefined };

function serveMoney(fakes: Services): void {
  fakes
    .of('finance')
    .on(StatementServiceService, { listStatementLines: () => ({ lines: [aTransaction] }) })
    .on(StatementOperationsServiceService, {
      createStatement: ({ periodFromAt, periodToAt }) => ({
        statement: {
          document: {
            sequenceNumber: 1,
            statementNumber: 'ST-PRT-000001-000001',
            isProvisional: false,
            periodFromAt,
            periodToAt,
            upToPosition: '2',
          },
          emailStatus: StatementEmailStatus.PENDING,
        },
      }),
    })
    .on(WalletServiceService, {
      creditWallet: () => ({ transaction: aTransaction }),
      adjustWallet: () => ({ transaction: { ...aTransaction, referenceType: ReferenceType.ADJUSTMENT } }),
      getWallet: ({ partnerId, environment }) => ({
        wallet: {
          partnerId,
          environment,
          currency: 'SAR',
          currentBalance: '10.50',
          availableBalance: '8.00',
        },
      }),
      listWalletTransactions: () => ({
        transactions: [
          { ...aTransaction, decidedBy },
          { ...aTransaction, referenceType: ReferenceType.ORDER },
        ],
      }),
      listTransactionsByReference: () => ({ transactions: [{ ...aTransaction, decidedBy }] }),
    })
    .on(RateServiceService, { setRate: ({ currency, rate }) => ({ currency, rate }) });
}

function serveOrders(fakes: Services): void {
  const { orderId, partnerId } = aSummary;
  const ended = { orderId, orderGlobalId: 'ORD-1', partnerId, status: OrderStatus.FAILED };
  const topup = {
    product: { $case: 'topup' as const, value: { ...ended, failureCode: 'OPERATOR_DECISION' } },
  };
  const activated = { esimIccid: '8996699000000000007', esimQrCode: 'LPA:1$smdp.example$CODE' };
  const esim = { orderGlobalId: 'ES-1', status: OrderStatus.COMPLETED, ...activated };
  fakes.of('orders-saga').on(OrderOperationsServiceService, {
    listAllOrders: () => ({ orders: [aSummary] }),
    getOrderOverview: () => ({
      orders: [
        {
          hourAt: AT,
          productType: ProductType.TOPUP,
          status: OrderStatus.COMPLETED,
          count: 2,
          amount: '21.50',
          currency: 'SAR',
        },
      ],
      refusals: [{ code: 'VALIDATION_FAILED', count: 3 }],
      created: 2,
      p50Ms: 12,
      p99Ms: 40,
      waitingOrders: 1,
      waitingReturnRequests: 4,
    }),
    searchOrders: () => ({ orders: [aSummary] }),
    getOrderTimeline: () => ({
      summary: aSummary,
      scentOrder: undefined,
      entries: [
        { occurredAt: later(10), step: 'funds.reserve', outcome: 'Done', detailsJson: '' },
        { occurredAt: later(30), step: 'vendor.submit', outcome: 'Unknown', detailsJson: '{"status":504}' },
      ],
    }),
    resolveOrder: ({ orderGlobalId }) =>
      orderGlobalId === 'ES-1' ? { order: { product: { $case: 'esim', value: esim } } } : { order: topup },
    cancelOrder: () => ({ order: topup }),
    reverseOrder: () => ({ order: topup }),
  });
  fakes.of('notifier').on(DeliveryOperationsServiceService, {
    countWebhookDeliveries: () => ({ delivered: 3, deadLettered: 1, pending: 5 }),
    searchWebhookDeliveries: () => ({ deliveries: [aDelivery] }),
    listAllWebhookDeliveries: () => ({ deliveries: [aDelivery] }),
    getAnyWebhookDelivery: () => ({ delivery: aDelivery }),
    redeliverAnyWebhookDelivery: () => ({
      delivery: { ...aDelivery, id: newId(), status: WebhookDeliveryStatus.PENDING, attempts: [] },
    }),
    listDeliveriesOfOrder: () => ({ deliveries: [aDelivery] }),
  });
}

function serveCatalog(fakes: Services): void {
  const brand = { name: 'Maison Qamar', commissionRate: '0.15' };
  fakes
    .of('scent-commerce')
    .on(CatalogServiceService, { getBrand: ({ brandId }) => ({ brand: { id: brandId, name: brand.name } }) })
    .on(CatalogOperationsServiceService, {
      listStockedVariants: () => ({ variants: [aVariant] }),
      getStockedVariant: () => ({ variant: aVariant }),
      updateVariant: () => ({ variant: aVariant }),
      addVariantStock: () => ({ variant: aVariant }),
      setPartnerPrice: (request) => ({ ...request, updatedAt: AT }),
      listBrandTerms: () => ({ brands: [brand] }),
      updateBrand: ({ brandId, commissionRate }) => ({
        brand: { ...brand, id: brandId, commissionRate: commissionRate || undefined },
      }),
    });
}

/** Two of finance's, older than one of orders-saga's and newer than another. */
function serveApprovals(fakes: Services): void {
  for (const [app, approvals] of [
    ['finance', [walletApproval(30), walletApproval(20)]],
    ['orders-saga', [orderApproval(40), orderApproval(10)]],
  ] as const)
    fakes.of(app).on(ApprovalServiceService, {
      listApprovals: ({ status, offset, limit }) => {
        const all = approvals.filter((one) => status === ApprovalStatus.UNSPECIFIED || one.status === status);
        return { approvals: all.slice(offset, offset + limit), totalCount: all.length };
      },
      getApproval: ({ approvalId }) => ({ approval: known(approvals, approvalId) }),
      approveApproval: ({ approvalId }) => ({ approval: { ...known(approvals, approvalId), ...APPROVED } }),
      rejectApproval: ({ approvalId }) => ({ approval: { ...known(approvals, approvalId), ...REJECTED } }),
    });
}

const anApproval = {
  status: ApprovalStatus.PENDING,
  partnerId: aSummary.partnerId,
  environment: Environment.LIVE,
  notes: 'by bank transfer',
  requestedBy: 'omar',
  expiresAt: later(259_200_000),
};
const DECIDED = { decidedBy: 'olga', decidedAt: later(60) };
const APPROVED = { ...DECIDED, status: ApprovalStatus.APPROVED };
const REJECTED = { ...DECIDED, status: ApprovalStatus.REJECTED };

const walletApproval = (at: number) => ({
  ...anApproval,
  id: `019a2f3c-0000-7000-8000-0000000000${at}`,
  action: ApprovalAction.WALLET_ADJUST,
  amount: '-1500.50',
  subject: newId(),
  requestedAt: later(at),
});
const orderApproval = (at: number) => ({
  ...walletApproval(at),
  action: ApprovalAction.ORDER_REVERSE,
  amount: '2000.00',
});

function known<T extends { id: string }>(approvals: readonly T[], id: string): T {
  const approval = approvals.find((one) => one.id === id);
  if (!approval) throw new AppError('NOT_FOUND_APPROVAL');
  return approval;
}

/** As many differences as told, and one check that found them. */
function serveDeadLetters(fakes: Services): void {
  for (const app of ['finance', 'scent-commerce'] as const)
    fakes.of(app).on(DeadLetterServiceService, {
      listDeadLetters: () => ({ deadLetters: [], totalCount: 0 }),
    });
  const decided = { decidedBy: 'olga', decidedAt: later(60) };
  fakes.of('notifier').on(DeadLetterServiceService, {
    listDeadLetters: () => ({ deadLetters: [aDeadLetter], totalCount: 1 }),
    getDeadLetter: () => ({ deadLetter: aDeadLetter }),
    redriveDeadLetter: () => ({
      deadLetter: { ...aDeadLetter, ...decided, state: DeadLetterState.REDRIVEN },
    }),
    redriveDeadLetters: () => ({ redriven: 2, failed: 1, isComplete: true }),
    dismissDeadLetter: ({ notes }) => ({
      deadLetter: { ...aDeadLetter, ...decided, notes, state: DeadLetterState.DISMISSED },
    }),
  });
}

function serveReconciliation(
  fakes: Services,
  app: 'finance' | 'orders-saga' | 'scent-commerce',
  check: string,
  count: number,
): void {
  fakes.of(app).on(ReconciliationServiceService, {
    runReconciliation: () => ({ checks: [{ check, isComplete: true, openDifferences: count }] }),
    listDifferences: ({ offset, limit }) => ({
      differences: Array.from({ length: count }, (_, n) => ({
        id: newId(),
        check,
        kind: 'held',
        subject: `${check} ${n + 1}`,
        expected: '1.00',
        found: '2.00',
        firstSeenAt: AT,
        lastSeenAt: AT,
      })).slice(offset, offset + limit),
      totalCount: count,
    }),
  });
}
