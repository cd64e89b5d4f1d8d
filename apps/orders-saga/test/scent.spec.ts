import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeFinance, FakeShop } from '@reseller/contract-testing';
import {
  CheckoutServiceService,
  DiscountType,
  FulfillmentGroupStatus,
  OrderStatus,
  ProductType,
} from '@reseller/contracts';
import { codeOf, createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import { v4 as uuid } from 'uuid';
import {
  BRIEF,
  callOf,
  createScent,
  eventsOf,
  MIGRATIONS,
  operator,
  scent,
  startOrders,
  type RunningOrders,
} from './start-orders';

let database: TestDatabase;
let finance: FakeFinance;
let shop: FakeShop;
let service: RunningOrders;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
beforeEach(async () => {
  finance = await new FakeFinance('1000.00', { currency: 'USD', rate: '0.266667' }).start();
  shop = await new FakeShop().start();
  shop.displayRate = { currency: 'USD', rate: '0.277700' };
  service = await startOrders(database, finance, {}, { shop });
});
afterEach(async () => {
  await service.stop();
  await shop.stop();
  await finance.stop();
});
afterAll(() => database.drop());

describe('a scent order (spec §7)', () => {
  it('when a cart is checked out, then the paid order has its lines, groups and figures, and reads the same everywhere', async () => {
    const call = callOf();
    const request = scent({ customerRef: 'c-1', geoScopeId: uuid() });
    const order = await createScent(service, request, call);
    expect(order).toMatchObject({
      status: OrderStatus.PROCESSING,
      customerRef: 'c-1',
      totalAmount: '240.00',
      totalGoodsVatAmount: '30.00',
      totalAmountWithVat: '270.00',
      totalCommission: '24.00',
      totalCommissionVatAmount: '3.60',
      totalCommissionWithVat: '27.60',
      completedAt: undefined,
      geoScopeId: request.geoScopeId,
      displayRate: shop.displayRate,
    });
    expect(order.taxPoint).toEqual(finance.settlements.get(order.orderGlobalId)?.settledAt);
    const { lines, fulfillmentGroups: groups } = order;
    expect(
      lines.map(({ quantity, unitAmount, lineTotal, source }) => [quantity, unitAmount, lineTotal, source]),
    ).toEqual([
      [2, '100.0000', '200.00', 'W1'],
      [1, '40.0000', '40.00', 'W2'],
    ]);
    expect(new Set(lines.map(({ fulfillmentGroupId }) => fulfillmentGroupId))).toEqual(
      new Set(groups.map(({ fulfillmentGroupId }) => fulfillmentGroupId)),
    );
    expect(groups.map(({ status }) => status)).toEqual([
      FulfillmentGroupStatus.PENDING,
      FulfillmentGroupStatus.PENDING,
    ]);
    expect(finance.available()).toBe('757.60');
    expect(shop.count('committed')).toBe(1);
    expect(await eventsOf(database, order.orderId)).toEqual(['OrderProcessingStarted']);

    const { orderId, externalReference, orderGlobalId } = order;
    expect((await service.scents.getScentOrder({ orderId }, call)).order).toEqual(order);
    expect((await service.scents.getScentOrderByReference({ externalReference }, call)).order).toEqual(order);
    expect((await service.orders.getOrderByGlobalId({ orderGlobalId }, call)).order?.product).toEqual({
      $case: 'scent',
      value: order,
    });
    const page = { page: undefined, status: OrderStatus.UNSPECIFIED, fromAt: undefined, toAt: undefined };
    expect((await service.scents.listScentOrders({ ...page, customerRef: undefined }, call)).orders).toEqual([
      order,
    ]);
    expect((await service.scents.listScentOrders({ ...page, customerRef: 'c-1' }, call)).orders).toEqual([
      order,
    ]);
    expect((await service.scents.listScentOrders({ ...page, customerRef: 'c-2' }, call)).orders).toEqual([]);
    const unified = await service.orders.listOrders(
      { ...page, productType: ProductType.SCENT, externalReference: undefined },
      call,
    );
    expect(unified.orders[0]).toMatchObject({ amount: '270.00', customerRef: 'c-1' });
    expect(await codeOf(service.scents.getScentOrder({ orderId }, callOf()))).toBe('NOT_FOUND_SCENT_ORDER');
  });

  it('when its wallet is known, then finance is not called before the reservation, and the rate is that of its checkout', async () => {
    const knowing = await startOrders(database, finance, { FUNDS_CHECK_AFTER_MS: '60000' }, { shop });
    const call = callOf();
    for (const rate of ['0.266667', undefined, '0.277700']) {
      shop.displayRate = rate === undefined ? undefined : { currency: 'USD', rate };
      const order = await createScent(knowing, scent(), call);
      expect(order.displayRate).toEqual(shop.displayRate);
      expect((await knowing.scents.getScentOrder(order, call)).order).toEqual(order);
    }
    expect(finance.calls).toMatchObject({ checkFunds: 1, reserveFunds: 3, settleOrder: 3 });
    await knowing.stop();
  });

  it('when its lines name the warehouses in another order than theirs, then it reads as it was returned', async () => {
    const handlers = shop.handlers(CheckoutServiceService);
    const begin = handlers.beginCheckout;
    handlers.beginCheckout = async (request, context) => {
      const { checkout } = await begin(request, context);
      return { checkout: checkout && { ...checkout, lines: checkout.lines?.toReversed() } };
    };
    const call = callOf();
    const order = await createScent(service, scent(), call);
    expect(order.lines.map(({ source }) => source)).toEqual(['W2', 'W1']);
    expect((await service.scents.getScentOrder(order, call)).order).toEqual(order);
  });

  it('when it is repeated, then it is the same order once; another body or cart is refused', async () => {
    const call = callOf();
    const request = scent();
    const [first, ...others] = await Promise.all(
      Array.from({ length: 20 }, () => createScent(service, request, call)),
    );
    for (const other of others) expect(other).toEqual(first);
    expect(shop.count('committed')).toBe(1);
    expect(finance.available()).toBe('757.60');
    expect(await codeOf(createScent(service, { ...request, customerRef: 'other' }, call))).toBe(
      'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE',
    );
  });

  it.each([
    'CONFLICT_CART_HAS_PENDING_ORDER',
    'CONFLICT_CART_CHECKOUT_RACE',
    'BUSINESS_CART_EMPTY',
    'BUSINESS_INSUFFICIENT_STOCK',
    'VALIDATION_PRICE_LOCK_EXPIRED',
    'BUSINESS_MARGIN_BELOW_FLOOR',
  ] as const)(
    'when the shop answers %s, then that is the response, no order is left and its reference is free',
    async (code) => {
      const call = callOf();
      const request = scent();
      shop.fail('beginCheckout', code, 1);
      expect(await codeOf(createScent(service, request, call))).toBe(code);
      const { externalReference } = request;
      expect(await codeOf(service.scents.getScentOrderByReference({ externalReference }, call))).toBe(
        'NOT_FOUND_SCENT_ORDER',
      );
      expect(finance.calls['reserveFunds']).toBeUndefined();
      expect((await createScent(service, request, call)).status).toBe(OrderStatus.PROCESSING);
    },
  );

  it('when the balance is short, then the checkout is undone before that is answered', async () => {
    const call = callOf();
    finance.fail('reserveFunds', 'BUSINESS_INSUFFICIENT_BALANCE', 1);
    expect(await codeOf(createScent(service, scent(), call))).toBe('BUSINESS_INSUFFICIENT_BALANCE');
    expect([shop.count('cancelled'), shop.count('begun')]).toEqual([1, 0]);
    const { rows } = await database.pool.query('SELECT FROM orders WHERE partner_id = $1', [
      call.partner?.partnerId,
    ]);
    expect(rows).toHaveLength(0);
    expect((await createScent(service, scent(), call)).status).toBe(OrderStatus.PROCESSING);
  });

  it.each([
    { totalAmountWithVat: '1000000000000.00' },
    {
      discount: {
        code: 'HALF',
        discountType: DiscountType.FIXED_AMOUNT,
        value: '5.00',
        amount: '1000000000000.00',
      },
    },
  ])(
    'when it comes to more than an order can hold (%j), then it is refused and its cart is free',
    async (large) => {
      const { beginCheckout } = shop.handlers(CheckoutServiceService);
      shop.handlers(CheckoutServiceService).beginCheckout = async (request, context) => {
        const { checkout } = await beginCheckout(request, context);
        return { checkout: { ...checkout, ...large } };
      };
      const call = callOf();
      const refused = await service.scents.createScentOrder(scent(), call).catch((error: unknown) => error);
      expect(refused).toMatchObject({
        code: 'BUSINESS_ORDER_AMOUNT_LIMIT',
        details: { limit: 999_999_999_999.99 },
      });
      expect([shop.count('cancelled'), shop.count('begun')]).toEqual([1, 0]);
      shop.handlers(CheckoutServiceService).beginCheckout = beginCheckout;
      expect((await createScent(service, scent(), call)).status).toBe(OrderStatus.PROCESSING);
    },
  );

  it('when the partner has no wallet, then the shop is not asked', async () => {
    finance.fail('checkFunds', 'NOT_FOUND_WALLET', 1);
    expect(await codeOf(createScent(service, scent(), callOf()))).toBe('NOT_FOUND_WALLET');
    expect(shop.calls['beginCheckout']).toBeUndefined();
  });

  it.each([
    ['the shop', 'beginCheckout'],
    ['the shop', 'commitCheckout'],
    ['finance', 'reserveFunds'],
    ['finance', 'settleOrder'],
  ] as const)(
    'when a response of %s (%s) is lost, then it is called again and all happens once',
    async (who, method) => {
      const call = callOf();
      (who === 'finance' ? finance : shop).fail(method, 'lost-reply', 1);
      const order = await createScent(service, scent(), call);
      expect(order.status).toBe(OrderStatus.PROCESSING);
      expect(finance.available()).toBe('757.60');
      expect([shop.count('committed'), shop.count('begun')]).toEqual([1, 0]);
    },
  );

  it('when a late try of a refused checkout is still on its way, then it cannot freeze the cart for nobody', async () => {
    const call = callOf();
    // The first try is cut off; what returns the second is a refusal.
    const request = scent({ customerRef: 'late' });
    shop.fail('beginCheckout', 'SERVICE_UNAVAILABLE', 1, 'late');
    shop.fail('beginCheckout', 'BUSINESS_CART_EMPTY');
    expect(await codeOf(createScent(service, request, call))).toBe('BUSINESS_CART_EMPTY');
    expect(shop.count('cancelled')).toBe(1);
  });

  it.each([
    ['the shop', 'commitCheckout', 'checkout'],
    ['finance', 'settleOrder', 'checkout-funds'],
  ] as const)(
    'when %s is away in %s, then the create returns 503 and the order waits in its lane until it is back',
    async (who, method, lane) => {
      await service.stop();
      service = await startOrders(database, finance, BRIEF, { shop });
      const call = callOf();
      const dependency = who === 'finance' ? finance : shop;
      dependency.fail(method, 'SERVICE_UNAVAILABLE');
      const request = scent();
      expect(await codeOf(createScent(service, request, call))).toBe('SERVICE_UNAVAILABLE');
      const { externalReference } = request;
      const waiting = await eventually(async () => {
        const { order } = await service.scents.getScentOrderByReference({ externalReference }, call);
        expect(order?.status).toBe(OrderStatus.PENDING);
        const { rows } = await database.pool.query('SELECT lane FROM sagas WHERE order_id = $1', [
          order?.orderId,
        ]);
        expect(rows).toEqual([{ lane }]);
        return order;
      });
      dependency.recover();
      await eventually(async () => {
        const { order } = await service.scents.getScentOrderByReference({ externalReference }, call);
        expect(order?.status).toBe(OrderStatus.PROCESSING);
      });
      expect((await createScent(service, request, call)).orderId).toBe(waiting?.orderId);
      expect(finance.available()).toBe('757.60');
    },
  );

  it('when its cart is not priced yet, then only its reference is taken: no read and no list has it, and then it has its price', async () => {
    const call = callOf();
    const request = scent();
    const begin = shop.hold('beginCheckout');
    const settle = finance.hold('settleOrder');
    void createScent(service, request, call).catch(() => undefined);
    await eventually(() => expect(shop.calls['beginCheckout']).toBeGreaterThan(0));
    const { rows } = await database.pool.query<{ id: string; global_id: string }>(
      'SELECT id, global_id FROM orders WHERE partner_id = $1',
      [call.partner?.partnerId],
    );
    const [{ id: orderId, global_id: orderGlobalId } = { id: '', global_id: '' }] = rows;
    const { externalReference } = request;
    const reads = () => [
      service.scents.getScentOrder({ orderId }, call),
      service.scents.getScentOrderByReference({ externalReference }, call),
      service.orders.getOrderByGlobalId({ orderGlobalId }, call),
    ];
    expect(await Promise.all(reads().map(codeOf))).toEqual([
      'NOT_FOUND_SCENT_ORDER',
      'NOT_FOUND_SCENT_ORDER',
      'NOT_FOUND_ORDER',
    ]);
    const none = { page: undefined, status: OrderStatus.UNSPECIFIED, fromAt: undefined, toAt: undefined };
    const all = { ...none, productType: ProductType.UNSPECIFIED, externalReference: undefined };
    const totals = async (): Promise<unknown[]> => {
      const lists = await Promise.all([
        service.scents.listScentOrders({ ...none, customerRef: undefined }, call),
        service.orders.listOrders(all, call),
        service.orders.listOrders({ ...all, externalReference }, call),
      ]);
      return lists.map(({ orders, page }) => [orders.length, Number(page?.totalCount)]);
    };
    expect(await totals()).toEqual(Array(3).fill([0, 0]));
    const impatient = await startOrders(database, finance, { DUPLICATE_WAIT_MS: '200' }, { shop });
    expect(await codeOf(createScent(impatient, request, call))).toBe('CONFLICT_ORDER_IN_PROGRESS');
    await impatient.stop();

    begin();
    await eventually(async () => expect(await totals()).toEqual(Array(3).fill([1, 1])));
    const [{ order }] = await Promise.all([service.scents.getScentOrder({ orderId }, call), ...reads()]);
    expect(order).toMatchObject({ status: OrderStatus.PENDING, totalAmountWithVat: '270.00' });
    settle();
    await eventually(async () => expect((await createScent(service, request, call)).orderId).toBe(orderId));
  });

  it('when an operator reverses or resolves one, then that is no move of a scent order', async () => {
    const { orderGlobalId } = await createScent(service, scent(), callOf());
    const notes = 'no';
    expect(await codeOf(service.operations.reverseOrder({ orderGlobalId, notes }, operator))).toBe(
      'CONFLICT_ORDER_STATE',
    );
    expect(
      await codeOf(
        service.operations.resolveOrder({ orderGlobalId, notes, outcome: OrderStatus.COMPLETED }, operator),
      ),
    ).toBe('CONFLICT_ORDER_STATE');
  });
});
