import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectSuccess, send } from '../src/clients/response';
import { OperatorClient } from '../src/clients/operator-client';
import type { TestPartner } from '../src/clients/operator-client';
import type { Page, TopupOrder } from '../src/clients/resources';
import { newTopup, phoneEnding } from '../src/clients/bodies';
import { readPlatformFile } from '../src/platform/platform-file';

const platform = readPlatformFile();
const operator = new OperatorClient(platform);
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

interface Timeline {
  readonly orderGlobalId: string;
  readonly items: readonly { kind: string; status: string; amount: number | null }[];
}

let partner: TestPartner;
beforeAll(async () => {
  partner = await operator.newPartner({ deposit: 1_000, settings: { displayCurrency: 'USD' } });
});

describe('the first top-up of a partner (spec §1.8, §4.3, §17.1)', () => {
  test('when a credential is exchanged, then the token is a bearer token of 300 seconds', async () => {
    const response = await send(`${platform.gatewayUrl}/api/v1/auth/token`, {
      body: partner.credentials.sandbox,
    });
    expect([response.status, response.payload]).toEqual([
      200,
      { accessToken: expect.any(String), tokenType: 'Bearer', expiresIn: 300 },
    ]);
  });

  test('when geo scopes are read, then each says what it sells and within which limits', async () => {
    const scopes = expectSuccess(await partner.sandbox.call<Record<string, unknown>[]>('/geo-scopes'));
    expect(scopes.map((scope) => scope.globalId).sort()).toEqual(['GEO-AE', 'GEO-EG', 'GEO-SA', 'GEO-US']);
    expect(scopes.find((scope) => scope.globalId === 'GEO-SA')).toEqual({
      globalId: 'GEO-SA',
      name: expect.any(String),
      country: 'SA',
      currency: 'SAR',
      products: expect.arrayContaining(['Topup']),
      topup: { minAmount: 5, maxAmount: 500 },
    });
    expect(scopes.find((scope) => scope.globalId === 'GEO-US')?.products).not.toContain('Esim');
  });

  test('when a top-up is placed, then every read of it agrees and the wallet shows exactly one debit', async () => {
    const before = await partner.sandbox.balance();
    const body = newTopup({ amount: 12.34, sagaId: 'saga-of-ours' });
    const order = expectSuccess(await partner.sandbox.topup(body));
    expect(order).toEqual({
      orderId: expect.stringMatching(uuid),
      orderGlobalId: expect.any(String),
      sagaId: 'saga-of-ours',
      partnerId: partner.id,
      partnerGlobalId: partner.globalId,
      geoScopeGlobalId: 'GEO-SA',
      externalReference: body.externalReference,
      phoneNumber: body.phoneNumber,
      amount: 12.34,
      currency: 'SAR',
      status: 'Completed',
      statusDetail: {
        productType: 'Topup',
        statusCode: 'TOPUP_SUCCESS',
        description: order.statusDetail.description,
      },
      vendorOrderId: expect.any(String),
      errorMessage: null,
      failureCode: null,
      submittedAt: expect.stringMatching(/Z$/),
      completedAt: expect.stringMatching(/Z$/),
      currentRetryCount: 0,
      nextPollAt: null,
      displayCurrency: 'USD',
      rate: expect.any(Number),
      amountDisplay: Math.round(12.34 * (order.rate ?? 0) * 100) / 100,
    });

    expect(await partner.sandbox.order(order.orderId)).toEqual(order);
    const reference = encodeURIComponent(body.externalReference);
    expect(expectSuccess(await partner.sandbox.call(`/orders/topup/reference/${reference}`))).toEqual(order);
    const listed = expectSuccess(await partner.sandbox.call<Page<TopupOrder>>('/orders/topup?pageSize=1'));
    expect(listed).toEqual({
      items: [order],
      pagination: { page: 1, pageSize: 1, totalCount: 1, totalPages: 1 },
    });

    const timeline = expectSuccess(
      await partner.sandbox.call<Timeline>(`/orders/${order.orderGlobalId}/timeline`),
    );
    expect(timeline.orderGlobalId).toBe(order.orderGlobalId);
    expect(timeline.items.map(({ kind, status, amount }) => [kind, status, amount])).toEqual([
      ['Status', 'Pending', null],
      ['Money', 'Held', -12.34],
      ['Status', 'Processing', null],
      ['Money', 'Released', 12.34],
      ['Money', 'Debit', -12.34],
      ['Status', 'Completed', null],
    ]);
    const elsewhere = await partner.live.call(`/orders/${order.orderGlobalId}/timeline`);
    expect([elsewhere.status, elsewhere.state]).toEqual([404, 'NOT_FOUND_ORDER']);

    const summary = {
      productType: 'Topup',
      orderId: order.orderId,
      orderGlobalId: order.orderGlobalId,
      externalReference: body.externalReference,
      status: 'Completed',
      amount: 12.34,
      currency: 'SAR',
      submittedAt: order.submittedAt,
      completedAt: order.completedAt,
      customerRef: null,
      displayCurrency: 'USD',
      rate: order.rate,
      amountDisplay: order.amountDisplay,
    };
    const unified = `/orders?externalReference=${reference}&productType=Topup&status=Completed`;
    expect(expectSuccess(await partner.sandbox.call<Page<object>>(unified)).items).toEqual([summary]);
    expect(expectSuccess(await partner.sandbox.call(`/orders/by-global-id/${order.orderGlobalId}`))).toEqual({
      ...summary,
      order,
    });

    const after = await partner.sandbox.balance();
    expect([before.currentBalance, after.currentBalance, after.availableBalance]).toEqual([
      1000, 987.66, 987.66,
    ]);
    const [line] = await partner.sandbox.transactions();
    expect(line).toMatchObject({
      transactionType: 'Debit',
      referenceType: 'Order',
      referenceId: order.orderGlobalId,
      amount: 12.34,
      balanceAfter: 987.66,
      notes: body.externalReference,
      orderGoodsVatAmount: null,
      orderCommissionVatAmount: null,
      orderTotalAmountWithVat: null,
      orderTotalCommissionWithVat: null,
    });
  });
});

describe('lists of orders (spec §1.6, §4.9, §4.10)', () => {
  let lister: TestPartner;
  const orders: TopupOrder[] = [];
  beforeAll(async () => {
    lister = await operator.newPartner({ deposit: 1_000 });
    for (let i = 0; i < 5; i += 1) orders.push(expectSuccess(await lister.sandbox.topup(newTopup())));
    orders.push(expectSuccess(await lister.sandbox.topup(newTopup({ phoneNumber: phoneEnding('0001') }))));
    orders.reverse();
  });
  const ids = (page: Page<TopupOrder>): string[] => page.items.map((order) => order.orderId);
  const list = async (query: string): Promise<Page<TopupOrder>> =>
    expectSuccess(await lister.sandbox.call<Page<TopupOrder>>(`/orders/topup${query}`));

  test('when a list is read page by page, then it is newest first and nothing is skipped or repeated', async () => {
    const pages = [
      await list('?pageSize=4'),
      await list('?pageSize=4&page=2'),
      await list('?pageSize=4&page=3'),
    ];
    expect(pages.flatMap(ids)).toEqual(orders.map((order) => order.orderId));
    expect(pages.map((page) => page.pagination)).toEqual(
      [1, 2, 3].map((page) => ({ page, pageSize: 4, totalCount: 6, totalPages: 2 })),
    );
    expect((await list('')).pagination.pageSize).toBe(20);
  });

  test('when it is filtered, then fromDate is inclusive, toDate exclusive, and the status is exact', async () => {
    const failed = orders.filter((order) => order.status === 'Failed');
    expect(ids(await list('?status=Failed'))).toEqual(failed.map((order) => order.orderId));
    const [from, to] = [orders[3]!.submittedAt, orders[1]!.submittedAt];
    const expected = orders.filter((order) => order.submittedAt >= from && order.submittedAt < to);
    expect(ids(await list(`?fromDate=${from}&toDate=${to}`))).toEqual(expected.map((order) => order.orderId));
  });

  test('when nothing matches, then items are empty and totalPages is 0', async () => {
    expect(await list('?status=Reversed')).toEqual({
      items: [],
      pagination: { page: 1, pageSize: 20, totalCount: 0, totalPages: 0 },
    });
  });
});
