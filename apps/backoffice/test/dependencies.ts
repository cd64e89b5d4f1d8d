import { Fakes, type Partially } from '@reseller/contract-testing';
import {
  ActorType,
  AuditServiceService,
  CatalogOperationsServiceService,
  CatalogServiceService,
  DeadLetterServiceService,
  DeadLetterState,
  DifferenceState,
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
  LimitSetter,
  ReferenceType,
  StatementEmailStatus,
  SpendingLimitServiceService,
  StatementOperationsServiceService,
  StatementServiceService,
  WalletServiceService,
  WebhookDeliveryStatus,
  type Partner,
} from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { OPERATOR_ROLE_NAMES, operatorRoleOf, type OperatorRoleName } from '@reseller/rpc';
import { v4 as newId } from 'uuid';
import {
  AT,
  aDeadLetter,
  aDelivery,
  aPartner,
  aSummary,
  aTransaction,
  aVariant,
  later,
} from './support/samples';
import { serveApprovals } from './support/serve-approvals';
import { serveErasures } from './support/serve-erasures';
import { SERVICES, type Services } from './support/services';

/** The token of the operator olga, an admin. */
export const OPERATOR_TOKEN = `op_${'0'.repeat(43)}`;

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
  serveErasures(fakes);
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
    .on(SpendingLimitServiceService, {
      setPartnerLimits: ({ limits }) => ({
        setting: { setBy: LimitSetter.OPERATOR, limits, setAt: new Date() },
      }),
    })
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
  const completed = { productType: ProductType.TOPUP, status: OrderStatus.COMPLETED, currency: 'SAR' };
  const activated = { esimIccid: '8996699000000000007', esimQrCode: 'LPA:1$smdp.example$CODE' };
  const esim = { orderGlobalId: 'ES-1', status: OrderStatus.COMPLETED, ...activated };
  fakes.of('orders-saga').on(OrderOperationsServiceService, {
    freeCheckout: () => ({}),
    listAllOrders: () => ({ orders: [aSummary] }),
    getOrderOverview: () => ({
      series: [{ ...completed, hours: [AT.getTime() / 3_600_000], counts: [2], amounts: ['21.50'] }],
      refusals: [{ code: 'VALIDATION_FAILED', count: 3 }],
      created: 2,
      p50Ms: 12,
      p99Ms: 40,
      waitingOrders: 1,
      waitingReturnRequests: 4,
      vendors: [
        { name: 'acme', calls: 4, responses: 3, refusals: 1, p50Ms: 20, p99Ms: 90, waitingOrders: 2 },
        { name: 'idle', calls: 0, responses: 0, refusals: 0, waitingOrders: 0 },
      ],
    }),
    searchOrders: () => ({ orders: [aSummary] }),
    getOrderTimeline: () => ({
      summary: aSummary,
      scentOrder: undefined,
      requestJson: '{"phoneNumber":"+966500000001","amount":"10.50"}',
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
    getAnyWebhookDelivery: () => ({ delivery: aDelivery, body: '{"eventType":"order.completed"}' }),
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

/** As many differences as named, and one check that found them. */
function serveReconciliation(
  fakes: Services,
  app: 'finance' | 'orders-saga' | 'scent-commerce',
  check: string,
  count: number,
): void {
  const differences = Array.from({ length: count }, (_, n) => ({
    id: newId(),
    check,
    kind: 'held',
    subject: `${check} ${n + 1}`,
    expected: '1.00',
    found: '2.00',
    firstSeenAt: AT,
    lastSeenAt: AT,
    state: DifferenceState.OPEN,
  }));
  const find = ({ differenceId }: { differenceId: string }) => {
    const difference = differences.find(({ id }) => id === differenceId);
    if (!difference) throw new AppError('NOT_FOUND_DIFFERENCE');
    return { difference };
  };
  fakes.of(app).on(ReconciliationServiceService, {
    runReconciliation: () => ({ checks: [{ check, isComplete: true, openDifferences: count }] }),
    listDifferences: ({ offset, limit }) => ({
      differences: differences.slice(offset, offset + limit),
      totalCount: count,
    }),
    getDifference: find,
    reopenDifference: find,
    acceptDifference: ({ differenceId, ...figures }) => ({
      difference: {
        ...find({ differenceId }).difference,
        state: DifferenceState.ACCEPTED,
        acceptance: { ...figures, acceptedBy: 'olga', acceptedAt: AT },
      },
    }),
  });
}
