import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { randomUUID } from 'node:crypto';
import {
  AuditServiceService,
  Availability,
  BackInStockServiceService,
  Badge,
  CartServiceService,
  CartStatus,
  CatalogServiceService,
  DiscountCodeServiceService,
  EsimOrderServiceService,
  Environment,
  Gender,
  OrderServiceService,
  OrderStatus,
  ProductType,
  ReferenceType,
  StatementEmailStatus,
  StatementServiceService,
  TaxClassification,
  TokenServiceService,
  TopupOrderServiceService,
  TransactionType,
  WalletServiceService,
  WebhookDeliveryStatus,
  WebhookErrorSummary,
  WebhookEventType,
  WebhookLastDeliveryStatus,
  WebhookServiceService,
  ReturnRequestServiceService,
  ScentOrderServiceService,
  type Cart,
  type EsimOrder,
  type RecordAuditEntryRequest,
  type Statement,
  type TopupOrder,
  type Variant,
  type WebhookDelivery,
  type WebhookSubscription,
} from '@reseller/contracts';
import { heldToContract } from '@reseller/contract-testing';
import { AppError } from '@reseller/errors';
import { toFixedString } from '@reseller/money';
import { defineRpc, RpcServer, type CallContext, type RpcHandlers, type RpcService } from '@reseller/rpc';

type Definition = Parameters<typeof defineRpc>[0];

export const ISSUER = 'test-issuer';
export const ACME = '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10';
export const ACME_NORTH = '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a11';

const silent = { debug: () => undefined, warn: () => undefined, error: () => undefined };

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('there is none');
  return value;
}

/** A dependency's service whose methods a test may replace while it runs. */
type Handlers<D extends Definition> = { -readonly [K in keyof D]: RpcHandlers<D>[K] };

function faked<D extends Definition>(
  provider: string,
  definition: D,
  answers: Partial<RpcHandlers<D>>,
): { handlers: Handlers<D>; service: RpcService } {
  const refuse = () => Promise.reject(new AppError('INTERNAL_ERROR'));
  const handlers = Object.fromEntries(
    Object.keys(definition).map((name) => [name, answers[name as keyof D] ?? refuse]),
  ) as unknown as Handlers<D>;
  // Looked up at each call, so that a replaced one takes effect.
  const live = Object.fromEntries(
    Object.keys(definition).map((name) => [
      name,
      (request: never, call: CallContext) => handlers[name as keyof D](request, call),
    ]),
  ) as unknown as RpcHandlers<D>;
  return { handlers, service: heldToContract(defineRpc(definition, live), provider) };
}

/** An empty cart as scent-commerce answers it. */
const someCart: Cart = {
  id: '019a2f60-7a1b-7c2d-8e3f-4a5b6c7d8e9f',
  partnerId: ACME,
  customerRef: undefined,
  status: CartStatus.OPEN,
  items: [],
  pricedAt: new Date('2026-01-15T09:30:00Z'),
  totals: { chargedWithVat: '0.00', commissionWithVat: '0.00', netAfterCommission: '0.00' },
  currency: 'SAR',
  displayRate: undefined,
};

/** A top-up order as orders-saga answers it. */
export const someTopupOrder = (changes: Partial<TopupOrder> = {}): TopupOrder => ({
  orderId: '019a2f40-1c2d-7e55-8b1a-3f4e5d6c7b8a',
  orderGlobalId: 'ORD-1',
  sagaId: 'saga-1',
  partnerId: ACME,
  partnerGlobalId: 'PRT-000001',
  geoScopeGlobalId: 'GEO-SA',
  externalReference: 'ref-1',
  phoneNumber: '+966501234567',
  amount: '10.10',
  currency: 'SAR',
  status: OrderStatus.COMPLETED,
  statusDescription: undefined,
  vendorOrderId: 'V-1',
  errorMessage: undefined,
  failureCode: undefined,
  submittedAt: new Date('2026-01-15T09:30:00Z'),
  completedAt: new Date('2026-01-15T09:30:01Z'),
  currentRetryCount: 0,
  nextPollAt: undefined,
  displayRate: { currency: 'USD', rate: '0.266667' },
  environment: Environment.SANDBOX,
  ...changes,
});

/** A statement as finance answers it, with so many lines. */
export const someStatement = (lineCount = 1): Statement => ({
  id: '019a2f60-1c2d-7e55-8b1a-3f4e5d6c7b8a',
  environment: Environment.SANDBOX,
  document: {
    partnerId: ACME,
    partnerGlobalId: 'PRT-000001',
    sequenceNumber: 1,
    statementNumber: 'ST-PRT-000001-000001',
    isProvisional: false,
    periodFromAt: new Date('2026-01-01T00:00:00Z'),
    periodToAt: new Date('2026-02-01T00:00:00Z'),
    generatedAt: new Date('2026-02-01T00:10:00Z'),
    currency: 'SAR',
    totalDebits: '10.10',
    totalCredits: '0.00',
    netPosition: '-10.10',
    platformTaxRegistrationNumber: undefined,
    partnerTaxRegistrationNumber: '311',
    documentNature: 'Not a legal tax invoice.',
    afterPosition: '4',
    upToPosition: String(4 + lineCount),
  },
  emailStatus: StatementEmailStatus.SKIPPED,
  emailStatusReason: 'No mail server is configured',
  emailSentAt: undefined,
});

/** A ledger line as finance answers it. */
export const someTransaction = (transactionId = 7) => ({
  transactionId: String(transactionId),
  occurredAt: new Date('2026-01-15T09:30:00Z'),
  transactionType: TransactionType.DEBIT,
  referenceType: ReferenceType.ORDER,
  referenceId: 'ORD-1',
  amount: '10.10',
  balanceAfter: '89.90',
  notes: '',
});

/** An eSIM order as orders-saga answers it, not yet decided. */
export const someEsimOrder = (changes: Partial<EsimOrder> = {}): EsimOrder => {
  const { phoneNumber: _, ...shared } = someTopupOrder();
  return {
    ...shared,
    orderGlobalId: 'ES-1',
    productSku: 'ESIM-SA-1GB-7D',
    email: 'a+pending@example.com',
    dataAllowance: '2.500',
    validityDays: 7,
    status: OrderStatus.PROCESSING,
    statusDescription: 'The vendor is working on it.',
    vendorOrderId: undefined,
    completedAt: undefined,
    nextPollAt: new Date('2026-01-15T09:30:02Z'),
    displayRate: undefined,
    esimIccid: undefined,
    esimQrCode: undefined,
    esimActivationCode: undefined,
    esimPlanDetails: undefined,
    ...changes,
  };
};

const someBrand = { id: '019a2f50-1c2d-7e55-8b1a-3f4e5d6c7b01', name: 'Maison Qamar' };

/** A variant as scent-commerce answers it to a partner with the marketing feature. */
export const someVariant = (changes: Partial<Variant> = {}): Variant => ({
  id: '019a2f50-1c2d-7e55-8b1a-3f4e5d6c7b03',
  scentId: '019a2f50-1c2d-7e55-8b1a-3f4e5d6c7b02',
  sku: 'QMR-LAYLO-EDP-100',
  sizeMl: 100,
  listPrice: '255.10',
  currency: 'SAR',
  rrp: undefined,
  taxClassification: TaxClassification.STANDARD,
  isSample: false,
  availability: Availability.AVAILABLE,
  availableQuantity: undefined,
  marketing: {
    currentPrice: '289.00',
    compareAtPrice: '340.00',
    discountPercent: '15.00',
    badges: [Badge.NEW_ARRIVAL, Badge.BEST_SELLER],
  },
  ...changes,
});

const someScent = () => ({
  id: '019a2f50-1c2d-7e55-8b1a-3f4e5d6c7b02',
  brandId: someBrand.id,
  brandName: someBrand.name,
  name: 'Layl Oud',
  description: 'Dark and dry.',
  notes: ['saffron', 'oud'],
  gender: Gender.UNISEX,
  concentration: 'Eau de Parfum',
  variants: [someVariant({ marketing: undefined })],
});

const page = { page: 1, pageSize: 20, totalCount: 1, totalPages: 1 };

function someSummary() {
  const order = someTopupOrder();
  return {
    productType: ProductType.TOPUP,
    orderId: order.orderId,
    orderGlobalId: order.orderGlobalId,
    externalReference: order.externalReference,
    status: order.status,
    amount: order.amount,
    currency: order.currency,
    submittedAt: order.submittedAt,
    completedAt: order.completedAt,
    customerRef: undefined,
    displayRate: undefined,
    partnerId: ACME,
    environment: Environment.SANDBOX,
  };
}

/** A subscription as notifier answers it, not used yet. */
export const someWebhook = (changes: Partial<WebhookSubscription> = {}): WebhookSubscription => ({
  id: '019a2f50-3c2d-7e55-8b1a-3f4e5d6c7b8e',
  partnerId: ACME,
  environment: Environment.SANDBOX,
  url: 'https://hooks.example.com/reseller',
  eventTypes: [WebhookEventType.ORDER_FULFILMENT_UPDATED, WebhookEventType.ORDER_COMPLETED],
  isActive: true,
  lastDeliveryAt: undefined,
  lastDeliveryStatus: WebhookLastDeliveryStatus.UNSPECIFIED,
  createdAt: new Date('2026-01-10T08:00:00Z'),
  ...changes,
});

/** A delivery as notifier answers it, given up after one failure. */
export const someWebhookDelivery = (changes: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  id: '019a2f51-4c2d-7e55-8b1a-3f4e5d6c7b8f',
  subscriptionId: someWebhook().id,
  partnerId: ACME,
  environment: Environment.SANDBOX,
  eventId: '019a2f51-4b2d-7e55-8b1a-3f4e5d6c7b90',
  eventType: WebhookEventType.ORDER_FAILED,
  status: WebhookDeliveryStatus.DEAD_LETTERED,
  attemptCount: 1,
  lastAttemptAt: new Date('2026-01-15T09:30:01Z'),
  nextAttemptAt: undefined,
  responseStatus: undefined,
  durationMs: 12,
  errorSummary: WebhookErrorSummary.CONNECTION_FAILED,
  isTest: true,
  createdAt: new Date('2026-01-15T09:30:00Z'),
  attempts: [
    {
      attemptNumber: 1,
      attemptedAt: new Date('2026-01-15T09:30:01Z'),
      responseStatus: undefined,
      durationMs: 12,
      errorSummary: WebhookErrorSummary.CONNECTION_FAILED,
    },
  ],
  orderGlobalId: undefined,
  ...changes,
});

/** Signs tokens as identity would. */
export class Signer {
  private constructor(
    private readonly key: CryptoKey,
    readonly jwk: Record<string, unknown>,
    readonly alg: string,
  ) {}

  static async create(alg: 'EdDSA' | 'ES256' | 'RS256' = 'EdDSA'): Promise<Signer> {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: randomUUID(), alg, use: 'sig' };
    return new Signer(privateKey, jwk, alg);
  }

  sign(changes: JWTPayload = {}, header: Record<string, unknown> = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: ISSUER,
      aud: 'partner-api',
      sub: ACME,
      gid: 'PRT-000001',
      client_id: 'acme-sandbox',
      env: 'sandbox',
      path: [ACME],
      jti: randomUUID(),
      iat: now,
      nbf: now,
      exp: now + 300,
      ...changes,
    };
    const kid = this.jwk['kid'] as string;
    return new SignJWT(claims).setProtectedHeader({ alg: this.alg, kid, ...header }).sign(this.key);
  }
}

/** The services behind the gateway, on real gRPC servers; what they were asked is kept in `seen`. */
export async function startDependencies(signer: Signer) {
  const seen = {
    calls: [] as { method: string; request: unknown; call: CallContext }[],
    audit: [] as RecordAuditEntryRequest[],
  };
  const note = <T>(method: string, request: unknown, call: CallContext, answer: T): Promise<T> => {
    seen.calls.push({ method, request, call });
    return Promise.resolve(answer);
  };
  const tokens = faked('identity', TokenServiceService, {
    issueToken: async (request, call) =>
      note('issueToken', request, call, { accessToken: await signer.sign(), expiresInSeconds: 300 }),
    getJwks: () => Promise.resolve({ jwksJson: JSON.stringify({ keys: [signer.jwk] }), maxAgeSeconds: 3600 }),
  });
  const audit = faked('identity', AuditServiceService, {
    recordAuditEntry: (request) => {
      seen.audit.push(request);
      return Promise.resolve({ entry: undefined });
    },
  });
  const wallets = faked('finance', WalletServiceService, {
    getBalance: (request, call) =>
      note('getBalance', request, call, {
        currency: 'SAR',
        currentBalance: '10000.00',
        availableBalance: '9974.50',
        displayRate: undefined,
      }),
    listTransactions: (request, call) =>
      note('listTransactions', request, call, {
        transactions: [someTransaction()],
        page,
      }),
  });
  const statements = faked('finance', StatementServiceService, {
    listStatements: (request, call) =>
      note('listStatements', request, call, { statements: [someStatement()], page }),
    getStatement: (request, call) => note('getStatement', request, call, { statement: someStatement() }),
    listStatementLines: (request, call) =>
      note('listStatementLines', request, call, { lines: [someTransaction()] }),
    getStatementReport: (request, call) =>
      note('getStatementReport', request, call, {
        document: {
          ...present(someStatement().document),
          sequenceNumber: undefined,
          statementNumber: undefined,
          isProvisional: true,
        },
      }),
    listReportLines: (request, call) =>
      note('listReportLines', request, call, { lines: [someTransaction()] }),
  });
  const topups = faked('orders-saga', TopupOrderServiceService, {
    createTopupOrder: (request, call) =>
      note('createTopupOrder', request, call, {
        order: someTopupOrder({ amount: toFixedString(request.amount, 2) }),
      }),
    getTopupOrder: (request, call) => note('getTopupOrder', request, call, { order: someTopupOrder() }),
    getTopupOrderByReference: (request, call) =>
      note('getTopupOrderByReference', request, call, { order: someTopupOrder() }),
    listTopupOrders: (request, call) =>
      note('listTopupOrders', request, call, { orders: [someTopupOrder()], page }),
  });
  const esims = faked('orders-saga', EsimOrderServiceService, {
    createEsimOrder: (request, call) =>
      note('createEsimOrder', request, call, {
        order: someEsimOrder({ amount: toFixedString(request.amount, 2) }),
      }),
    getEsimOrder: (request, call) =>
      note('getEsimOrder', request, call, {
        order: someEsimOrder({
          status: OrderStatus.COMPLETED,
          esimIccid: '8996699000000000007',
          esimQrCode: 'LPA:1$smdp.example$CODE',
          esimActivationCode: 'CODE',
        }),
      }),
    getEsimOrderByReference: (request, call) =>
      note('getEsimOrderByReference', request, call, { order: someEsimOrder() }),
    listEsimOrders: (request, call) =>
      note('listEsimOrders', request, call, { orders: [someEsimOrder()], page }),
  });
  const orders = faked('orders-saga', OrderServiceService, {
    listOrders: (request, call) => note('listOrders', request, call, { orders: [someSummary()], page }),
    getOrderByGlobalId: (request, call) =>
      note('getOrderByGlobalId', request, call, {
        summary: someSummary(),
        order:
          request.orderGlobalId === 'ES-1'
            ? { product: { $case: 'esim', value: someEsimOrder() } }
            : { product: { $case: 'topup', value: someTopupOrder() } },
      }),
    listEsimProducts: (request, call) =>
      note('listEsimProducts', request, call, {
        products: [
          {
            productSku: 'ESIM-SA-1GB-7D',
            name: 'Saudi Arabia 1 GB, 7 days',
            geoScopeGlobalId: 'GEO-SA',
            dataAllowance: '2.500',
            validityDays: 7,
            amount: '19.90',
            currency: 'SAR',
            isActive: true,
          },
        ],
        page,
      }),
    listGeoScopes: (request, call) =>
      note('listGeoScopes', request, call, {
        geoScopes: [
          {
            globalId: 'GEO-SA',
            name: 'Saudi Arabia',
            country: 'SA',
            currency: 'SAR',
            products: [ProductType.TOPUP],
            topup: { minAmount: '5.00', maxAmount: '500.00' },
          },
        ],
      }),
  });
  const catalog = faked('scent-commerce', CatalogServiceService, {
    listBrands: (request, call) => note('listBrands', request, call, { brands: [someBrand], page }),
    getBrand: (request, call) => note('getBrand', request, call, { brand: someBrand }),
    listScents: (request, call) =>
      note('listScents', request, call, { scents: [someScent()], page, displayRate: undefined }),
    getScent: (request, call) =>
      note('getScent', request, call, { scent: someScent(), displayRate: undefined }),
    listVariants: (request, call) =>
      note('listVariants', request, call, { variants: [someVariant()], page, displayRate: undefined }),
    getVariant: (request, call) =>
      note('getVariant', request, call, {
        variant: someVariant(),
        displayRate: { currency: 'USD', rate: '0.266667' },
      }),
    getVariantAvailability: (request, call) =>
      note('getVariantAvailability', request, call, {
        variantId: request.variantId,
        availability: Availability.UNAVAILABLE,
        availableQuantity: 0,
      }),
  });
  const webhooks = faked('notifier', WebhookServiceService, {
    createWebhook: (request, call) =>
      note('createWebhook', request, call, { subscription: someWebhook(request), secret: 'whsec_once' }),
    listWebhooks: (request, call) =>
      note('listWebhooks', request, call, { subscriptions: [someWebhook()], page }),
    getWebhook: (request, call) => note('getWebhook', request, call, { subscription: someWebhook() }),
    updateWebhook: (request, call) =>
      note('updateWebhook', request, call, {
        subscription: someWebhook({
          lastDeliveryAt: new Date('2026-01-15T09:30:00Z'),
          lastDeliveryStatus: WebhookLastDeliveryStatus.DESTINATION_REJECTED,
        }),
      }),
    deleteWebhook: (request, call) => note('deleteWebhook', request, call, { subscription: someWebhook() }),
    setWebhookActive: (request, call) =>
      note('setWebhookActive', request, call, { subscription: someWebhook({ isActive: request.isActive }) }),
    rotateWebhookSecret: (request, call) =>
      note('rotateWebhookSecret', request, call, { subscription: someWebhook(), secret: 'whsec_twice' }),
    testFireWebhook: (request, call) =>
      note('testFireWebhook', request, call, { delivery: someWebhookDelivery() }),
    listWebhookDeliveries: (request, call) =>
      note('listWebhookDeliveries', request, call, { deliveries: [someWebhookDelivery()], page }),
    redeliverWebhookDelivery: (request, call) =>
      note('redeliverWebhookDelivery', request, call, {
        delivery: someWebhookDelivery({ status: WebhookDeliveryStatus.PENDING }),
      }),
  });
  const backInStock = faked('scent-commerce', BackInStockServiceService, {
    listBackInStockRegistrations: (request, call) =>
      note('listBackInStockRegistrations', request, call, { registrations: [], page }),
  });
  const discountCodes = faked('scent-commerce', DiscountCodeServiceService, {
    listDiscountCodes: (request, call) =>
      note('listDiscountCodes', request, call, { discountCodes: [], page }),
  });
  const identity = new RpcServer({ services: [tokens.service, audit.service], log: silent });
  const finance = new RpcServer({ services: [wallets.service, statements.service], log: silent });
  const carts = faked('scent-commerce', CartServiceService, {
    getCart: (request, call) => note('getCart', request, call, { cart: someCart }),
    clearCart: (request, call) => note('clearCart', request, call, { cart: someCart }),
    previewCheckout: (request, call) =>
      note('previewCheckout', request, call, {
        cart: someCart,
        discount: undefined,
        lockExpiresAt: undefined,
      }),
  });
  const noScentOrder = () => Promise.reject(new AppError('NOT_FOUND_SCENT_ORDER'));
  const scentOrders = faked('orders-saga', ScentOrderServiceService, {
    getScentOrder: noScentOrder,
    getScentOrderByReference: noScentOrder,
    listScentOrders: (request, call) => note('listScentOrders', request, call, { orders: [], page }),
  });
  const returnRequests = faked('orders-saga', ReturnRequestServiceService, {
    listReturnRequests: noScentOrder,
  });
  const ordersSaga = new RpcServer({
    services: [topups, esims, orders, scentOrders, returnRequests].map(({ service }) => service),
    log: silent,
  });
  const scentCommerce = new RpcServer({
    services: [catalog.service, backInStock.service, discountCodes.service, carts.service],
    log: silent,
  });
  const notifier = new RpcServer({ services: [webhooks.service], log: silent });
  const listen = async (server: RpcServer): Promise<string> =>
    `127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
  return {
    seen,
    tokens: tokens.handlers,
    audit: audit.handlers,
    wallets: wallets.handlers,
    statements: statements.handlers,
    topups: topups.handlers,
    orders: orders.handlers,
    catalog: catalog.handlers,
    carts: carts.handlers,
    webhooks: webhooks.handlers,
    addresses: {
      IDENTITY_ADDRESS: await listen(identity),
      FINANCE_ADDRESS: await listen(finance),
      ORDERS_SAGA_ADDRESS: await listen(ordersSaga),
      SCENT_COMMERCE_ADDRESS: await listen(scentCommerce),
      NOTIFIER_ADDRESS: await listen(notifier),
    },
    servers: { identity, finance, ordersSaga, scentCommerce, notifier },
    stop: async () => {
      const servers = [identity, finance, ordersSaga, scentCommerce, notifier];
      await Promise.all(servers.map((server) => server.drain(100)));
    },
  };
}

export type Dependencies = Awaited<ReturnType<typeof startDependencies>>;
