import { Fake, Fakes } from '@reseller/contract-testing';
import {
  AuditServiceService,
  Availability,
  BackInStockServiceService,
  CartServiceService,
  CatalogServiceService,
  DiscountCodeServiceService,
  EsimOrderServiceService,
  EventServiceService,
  EventWatchServiceService,
  IdempotencyKeyServiceService,
  OrderServiceService,
  OrderStatus,
  ReturnRequestServiceService,
  SandboxOrderServiceService,
  ScentOrderServiceService,
  StatementServiceService,
  TokenServiceService,
  TopupOrderServiceService,
  WalletServiceService,
  WebhookDeliveryStatus,
  WebhookLastDeliveryStatus,
  WebhookServiceService,
  type RecordAuditEntryRequest,
} from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { toFixedString } from '@reseller/money';
import {
  someBrand,
  someEsimOrder,
  someEsimProduct,
  somePublicEvent,
  someScent,
  someStatement,
  someSummary,
  someTopupOrder,
  someTransaction,
  someVariant,
  someWebhook,
  someWebhookDelivery,
} from './samples';
import type { Signer } from './signer';

/** The services behind the gateway as fakes of their contracts; `seen` keeps what they were called with. */
export async function startDependencies(signer: Signer) {
  const fakes = new Fakes('finance', 'orders-saga', 'scent-commerce', 'notifier');
  const revocations = {
    frozenPartnerIds: [] as string[],
    revokedClientIds: [] as string[],
    revokedKeyIds: [] as string[],
  };
  const seen = { calls: fakes.log, audit: [] as RecordAuditEntryRequest[] };
  // identity has a log of its own, since the gateway looks at its keys whenever it likes to.
  const identity = new Fake('identity')
    .on(TokenServiceService, {
      issueToken: async (request, call) => {
        seen.calls.push({ method: 'issueToken', request, call });
        return { accessToken: await signer.sign(), expiresInSeconds: 300 };
      },
      getJwks: () => ({ jwksJson: JSON.stringify({ keys: [signer.jwk] }), maxAgeSeconds: 3600 }),
      getRevocations: () => ({
        ...revocations,
        version: JSON.stringify(revocations),
        isUnchanged: false,
      }),
    })
    .on(AuditServiceService, {
      recordAuditEntry: (request) => {
        seen.audit.push(request);
        return {};
      },
    });
  serveMoney(fakes.of('finance'));
  serveOrders(fakes.of('orders-saga').leaveOut('recordCreates'));
  serveScents(fakes.of('scent-commerce'));
  serveWebhooks(fakes.of('notifier'));
  for (const keeper of ['orders-saga', 'scent-commerce', 'notifier'] as const)
    fakes
      .of(keeper)
      .on(IdempotencyKeyServiceService, { getIdempotencyKey: () => ({}) })
      .leaveOut('getIdempotencyKey');
  await Promise.all([identity.start(), fakes.start()]);
  return {
    seen,
    /** What identity says from now on of tokens to refuse. */
    revocations,
    tokens: identity.handlers(TokenServiceService),
    audit: identity.handlers(AuditServiceService),
    wallets: fakes.handlers('finance', WalletServiceService),
    statements: fakes.handlers('finance', StatementServiceService),
    topups: fakes.handlers('orders-saga', TopupOrderServiceService),
    orders: fakes.handlers('orders-saga', OrderServiceService),
    catalog: fakes.handlers('scent-commerce', CatalogServiceService),
    carts: fakes.handlers('scent-commerce', CartServiceService),
    webhooks: fakes.handlers('notifier', WebhookServiceService),
    scentKeys: fakes.handlers('scent-commerce', IdempotencyKeyServiceService),
    events: fakes.handlers('notifier', EventServiceService),
    eventWatch: fakes.handlers('notifier', EventWatchServiceService),
    addresses: { ...fakes.addresses, IDENTITY_ADDRESS: identity.address },
    servers: { identity, ordersSaga: fakes.of('orders-saga'), notifier: fakes.of('notifier') },
    stop: () => Promise.all([identity.stop(100), fakes.stop(100)]),
  };
}

export type Dependencies = Awaited<ReturnType<typeof startDependencies>>;

function serveMoney(finance: Fake): void {
  finance
    .on(WalletServiceService, { listTransactions: () => ({ transactions: [someTransaction()] }) })
    .on(StatementServiceService, {
      listStatements: () => ({ statements: [someStatement()] }),
      getStatement: () => ({ statement: someStatement() }),
      listStatementLines: () => ({ lines: [someTransaction()] }),
      getStatementReport: () => ({
        document: {
          ...someStatement().document,
          sequenceNumber: undefined,
          statementNumber: undefined,
          isProvisional: true,
        },
      }),
      listReportLines: () => ({ lines: [someTransaction()] }),
    });
}

function serveOrders(ordersSaga: Fake): void {
  const noScentOrder = () => Promise.reject(new AppError('NOT_FOUND_SCENT_ORDER'));
  const decided = {
    status: OrderStatus.COMPLETED,
    esimIccid: '8996699000000000007',
    esimQrCode: 'LPA:1$smdp.example$CODE',
    esimActivationCode: 'CODE',
  };
  const topup = () => ({ order: someTopupOrder() });
  const ofAnyProduct = () => ({ order: { product: { $case: 'topup' as const, value: someTopupOrder() } } });
  ordersSaga
    .on(TopupOrderServiceService, {
      createTopupOrder: ({ amount }) => ({ order: someTopupOrder({ amount: toFixedString(amount, 2) }) }),
      getTopupOrder: topup,
      getTopupOrderByReference: topup,
      listTopupOrders: () => ({ orders: [someTopupOrder()] }),
    })
    .on(EsimOrderServiceService, {
      createEsimOrder: ({ amount }) => ({ order: someEsimOrder({ amount: toFixedString(amount, 2) }) }),
      getEsimOrder: () => ({ order: someEsimOrder(decided) }),
      getEsimOrderByReference: () => ({ order: someEsimOrder() }),
      listEsimOrders: () => ({ orders: [someEsimOrder()] }),
    })
    .on(OrderServiceService, {
      listOrders: () => ({ orders: [someSummary] }),
      getOrderByGlobalId: ({ orderGlobalId }) => ({
        summary: someSummary,
        order: {
          product:
            orderGlobalId === 'ES-1'
              ? { $case: 'esim', value: someEsimOrder() }
              : { $case: 'topup', value: someTopupOrder() },
        },
      }),
      listEsimProducts: () => ({ products: [someEsimProduct] }),
    })
    .on(SandboxOrderServiceService, { resolveSandboxOrder: ofAnyProduct, reverseSandboxOrder: ofAnyProduct })
    .on(ScentOrderServiceService, { getScentOrder: noScentOrder, getScentOrderByReference: noScentOrder })
    .on(ReturnRequestServiceService, { listReturnRequests: noScentOrder });
}

function serveScents(scentCommerce: Fake): void {
  scentCommerce
    .on(CatalogServiceService, {
      listBrands: () => ({ brands: [someBrand] }),
      getBrand: () => ({ brand: someBrand }),
      listScents: () => ({ scents: [someScent] }),
      getScent: () => ({ scent: someScent, displayRate: undefined }),
      listVariants: () => ({ variants: [someVariant()] }),
      getVariant: () => ({ variant: someVariant(), displayRate: { currency: 'USD', rate: '0.266667' } }),
      getVariantAvailability: ({ variantId }) => ({
        variantId,
        availability: Availability.UNAVAILABLE,
        availableQuantity: 0,
      }),
    })
    .on(BackInStockServiceService, { listBackInStockRegistrations: () => ({ registrations: [] }) })
    .on(DiscountCodeServiceService, { listDiscountCodes: () => ({ discountCodes: [] }) })
    .on(CartServiceService, { getCart: () => ({ cart: { items: [] } }) });
}

function serveWebhooks(notifier: Fake): void {
  const subscription = someWebhook();
  const delivery = someWebhookDelivery();
  notifier.on(EventServiceService, {
    listEvents: () => ({ events: [somePublicEvent], nextCursor: 'next', hasMore: true, position: '2' }),
    getEvent: () => ({ event: somePublicEvent }),
  });
  notifier.on(WebhookServiceService, {
    createWebhook: (request) => ({ subscription: someWebhook(request), secret: 'whsec_once' }),
    listWebhooks: () => ({ subscriptions: [subscription] }),
    getWebhook: () => ({ subscription }),
    updateWebhook: () => ({
      subscription: someWebhook({
        lastDeliveryAt: new Date('2026-01-15T09:30:00Z'),
        lastDeliveryStatus: WebhookLastDeliveryStatus.DESTINATION_REJECTED,
      }),
    }),
    deleteWebhook: () => ({ subscription }),
    setWebhookActive: ({ isActive }) => ({ subscription: someWebhook({ isActive }) }),
    rotateWebhookSecret: () => ({ subscription, secret: 'whsec_twice' }),
    testFireWebhook: () => ({ delivery }),
    listWebhookDeliveries: () => ({ deliveries: [delivery] }),
    redeliverWebhookDelivery: () => ({
      delivery: someWebhookDelivery({ status: WebhookDeliveryStatus.PENDING }),
    }),
  });
}
