import { describe, expect, it } from '@jest/globals';
import { Environment, OrderStatus, ProductType, type EsimOrder, type EsimProduct } from '@reseller/contracts';
import { eventually } from '@reseller/testing';
import type {
  Vendor,
  VendorResponse,
  VendorKnowledge,
  VendorOrder,
} from '../src/clients/vendors/domain/vendor';
import { activationOf } from './products';
import { BRIEF, callOf, createEsim, esim, operator, startOrders, topup, create } from './start-orders';
import { useOrders } from './use-orders';

const stage = useOrders();

describe('the eSIM products', () => {
  const list = async (geoScopeGlobalId?: string, page = 1, pageSize = 100): Promise<EsimProduct[]> => {
    const request = { page: { page, pageSize }, geoScopeGlobalId };
    return (await stage.service.orders.listEsimProducts(request, callOf())).products;
  };

  it('when they are listed, then they are by name over the scopes that sell them, each with all its values', async () => {
    const products = await list();
    expect(products.filter(({ isActive }) => isActive).length).toBeGreaterThanOrEqual(6);
    const names = products.map(({ name }) => name);
    expect(names).toEqual([...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    expect(new Set(products.map(({ geoScopeGlobalId }) => geoScopeGlobalId))).toEqual(
      new Set(['GEO-SA', 'GEO-AE', 'GEO-EG']),
    );
    expect(products[1]).toEqual({
      productSku: 'ESIM-EG-2.5GB-15D',
      name: 'Egypt 2.5 GB, 15 days',
      geoScopeGlobalId: 'GEO-EG',
      dataAllowance: '2.500',
      validityDays: 15,
      amount: '29.50',
      currency: 'SAR',
      isActive: true,
    });
  });

  it('when a page or a geo scope is chosen, then only those are answered, and an unknown scope has none', async () => {
    const all = await list();
    expect(await list(undefined, 2, 4)).toEqual(all.slice(4, 8));
    expect(await list('GEO-EG')).toEqual(all.filter((product) => product.geoScopeGlobalId === 'GEO-EG'));
    for (const scope of ['GEO-US', 'GEO-XX']) expect(await list(scope)).toEqual([]);
  });
});

describe('what is refused by rule', () => {
  it.each([
    [
      'an unknown geo scope',
      { geoScopeGlobalId: 'GEO-XX', productSku: 'NONE' },
      'BUSINESS_GEO_SCOPE_UNAVAILABLE',
    ],
    ['a geo scope without eSIMs', { geoScopeGlobalId: 'GEO-US' }, 'BUSINESS_GEO_SCOPE_UNAVAILABLE'],
    ['an unknown product', { productSku: 'NONE', amount: '1.00' }, 'BUSINESS_PRODUCT_UNAVAILABLE'],
    ['another scope’s product', { geoScopeGlobalId: 'GEO-AE' }, 'BUSINESS_PRODUCT_UNAVAILABLE'],
    [
      'a withdrawn product',
      { geoScopeGlobalId: 'GEO-AE', productSku: 'ESIM-UAE-9GB-30D', amount: '99.00' },
      'BUSINESS_PRODUCT_UNAVAILABLE',
    ],
    ['another price', { amount: '19.01' }, 'BUSINESS_PRICE_MISMATCH', ['amount']],
    ['another allowance', { dataAllowance: '1.0001' }, 'BUSINESS_PRICE_MISMATCH', ['dataAllowance']],
    ['another validity', { validityDays: 8 }, 'BUSINESS_PRICE_MISMATCH', ['validityDays']],
    [
      'nothing of the product',
      { amount: '1', dataAllowance: '2', validityDays: 1 },
      'BUSINESS_PRICE_MISMATCH',
      ['amount', 'dataAllowance', 'validityDays'],
    ],
  ])('when it is %s, then the code says so and the reference stays free', async (...row) => {
    const [, change, code, mismatchedFields] = row as [string, object, string, string[]?];
    const call = callOf();
    const request = esim();
    await expect(createEsim(stage.service, { ...request, ...change }, call)).rejects.toMatchObject({
      code,
      ...(mismatchedFields && { details: { mismatchedFields } }),
    });
    expect(stage.finance.calls['reserveFunds']).toBeUndefined();
    expect((await createEsim(stage.service, request, call)).status).toBe(OrderStatus.COMPLETED);
  });

  it('when there is no wallet, then that is said before any rule (spec §1.9)', async () => {
    stage.finance.fail('checkFunds', 'NOT_FOUND_WALLET');
    const broken = { geoScopeGlobalId: 'GEO-XX', productSku: 'NONE', amount: '1.00' };
    await expect(createEsim(stage.service, esim(undefined, broken), callOf())).rejects.toMatchObject({
      code: 'NOT_FOUND_WALLET',
    });
  });

  it('when no live vendor sells eSIMs, then the product is unavailable, whatever its price', async () => {
    const live = callOf(undefined, Environment.LIVE);
    await expect(createEsim(stage.service, esim(undefined, { amount: '1.00' }), live)).rejects.toMatchObject({
      code: 'BUSINESS_PRODUCT_UNAVAILABLE',
    });
  });
});

describe('an eSIM order', () => {
  it('when it completes, then every read of it agrees, and it stands beside top-ups', async () => {
    const call = callOf();
    const request = esim(undefined, { sagaId: 'mine', dataAllowance: '1.0', validityDays: 7 });
    const order = await createEsim(stage.service, request, call);
    expect(order).toMatchObject({
      orderGlobalId: expect.stringMatching(/^ES-/),
      sagaId: 'mine',
      partnerId: call.partner?.partnerId,
      productSku: 'ESIM-SA-1GB-7D',
      email: 'traveller@example.com',
      dataAllowance: '1.000',
      validityDays: 7,
      amount: '19.00',
      esimQrCode: expect.stringMatching(/^LPA:1\$.+\$.+/),
    });
    const topped = await create(
      stage.service,
      topup('9999', { externalReference: request.externalReference }),
      call,
    );
    const { orderId, orderGlobalId } = order;
    expect((await stage.service.esims.getEsimOrder({ orderId }, call)).order).toEqual(order);
    const { externalReference } = request;
    expect((await stage.service.esims.getEsimOrderByReference({ externalReference }, call)).order).toEqual(
      order,
    );
    const all = { page: undefined, status: OrderStatus.UNSPECIFIED, fromAt: undefined, toAt: undefined };
    expect((await stage.service.esims.listEsimOrders(all, call)).orders).toEqual([order]);
    const unified = await stage.service.orders.listOrders(
      { ...all, productType: ProductType.UNSPECIFIED, externalReference },
      call,
    );
    expect(unified.orders.map(({ productType }) => productType)).toEqual([
      ProductType.TOPUP,
      ProductType.ESIM,
    ]);
    const one = await stage.service.orders.getOrderByGlobalId({ orderGlobalId }, call);
    expect(one.order?.product).toEqual({ $case: 'esim', value: order });
    for (const wrong of [topped.orderId, 'none']) {
      await expect(stage.service.esims.getEsimOrder({ orderId: wrong }, call)).rejects.toMatchObject({
        code: 'NOT_FOUND_ESIM_ORDER',
      });
    }
    await expect(stage.service.esims.getEsimOrder({ orderId }, callOf())).rejects.toMatchObject({
      code: 'NOT_FOUND_ESIM_ORDER',
    });
  });

  it('when it is repeated, then the body is compared by its values', async () => {
    const call = callOf();
    const request = esim(undefined, { dataAllowance: '1', validityDays: 7 });
    const order = await createEsim(stage.service, request, call);
    expect(
      await createEsim(stage.service, { ...request, amount: '19', dataAllowance: '1.00' }, call),
    ).toEqual(order);
    const other = {
      ...request,
      geoScopeGlobalId: 'GEO-XX',
      productSku: 'NONE',
      email: 'Traveller@example.com',
      amount: '20',
      dataAllowance: '1.5',
      validityDays: undefined,
      sagaId: 'mine',
    };
    await expect(createEsim(stage.service, other, call)).rejects.toMatchObject({
      code: 'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE',
      details: {
        mismatchedFields: [
          'amount',
          'dataAllowance',
          'email',
          'geoScopeGlobalId',
          'productSku',
          'sagaId',
          'validityDays',
        ],
      },
    });
  });

  it('when twenty identical creates arrive at once, then there is one order, one charge and one delivery', async () => {
    const call = callOf();
    const request = esim();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => createEsim(stage.service, request, call)),
    );
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect(stage.finance.available()).toBe('981.00');
    const entry = await stage.service.simulation.findJournalEntry(responses[0]!.orderGlobalId);
    expect(entry).toMatchObject({ product: 'Esim', submissions: 1, inquiries: 0 });
  });
});

describe('an eSIM that an operator resolves as Completed (spec §12)', () => {
  const given = {
    esimIccid: '8996699000000000007',
    esimQrCode: 'LPA:1$smdp.example$GIVEN',
    esimActivationCode: 'GIVEN',
    esimPlanDetails: undefined,
  };

  async function resolve(
    { orderGlobalId }: EsimOrder,
    fields: Partial<typeof given> = {},
    outcome = OrderStatus.COMPLETED,
  ): Promise<EsimOrder> {
    const request = { orderGlobalId, outcome, notes: 'asked the vendor', ...fields };
    const { order } = await stage.service.operations.resolveOrder(request, operator);
    if (order?.product?.$case !== 'esim') throw new Error('no eSIM was returned');
    return order.product.value;
  }

  /** A live vendor that takes every order, cannot tell what became of it, and responds to an inquiry so. */
  async function unsureVendor(
    known: VendorKnowledge,
  ): Promise<{ order: EsimOrder; received: VendorOrder[] }> {
    const received: VendorOrder[] = [];
    const vendor: Vendor = {
      name: 'unsure',
      submit: async (order): Promise<VendorResponse> => {
        received.push(order);
        return { kind: 'unknown' };
      },
      inquire: async () => known,
    };
    await stage.service.stop();
    const live = [{ vendor, products: ['Esim' as const], geoScopes: ['GEO-SA'], priority: 1 }];
    stage.service = await startOrders(stage.database, stage.finance, {}, { live });
    const order = await createEsim(stage.service, esim(), callOf(undefined, Environment.LIVE));
    expect(order.status).toBe(OrderStatus.INTERVENTION_REQUIRED);
    return { order, received };
  }

  it('when the vendor had given the data, then they are shown, whatever the operator gives', async () => {
    const order = await createEsim(stage.service, esim('unknown'), callOf());
    const completed = await resolve(order, given);
    const { activation } = await stage.service.simulation.inquire(order.orderGlobalId);
    expect(activationOf(completed)).toEqual([
      activation?.iccid,
      activation?.activationCode,
      activation?.matchingId,
      activation?.planDetails,
    ]);
    await expect(resolve(order)).rejects.toMatchObject({ code: 'CONFLICT_ORDER_STATE' });
    expect(stage.finance.available()).toBe('981.00');
    const { orderGlobalId } = order;
    const reversed = await stage.service.operations.reverseOrder(
      { orderGlobalId, notes: 'unused' },
      operator,
    );
    expect(activationOf(reversed.order!.product!.value as EsimOrder)).toEqual(activationOf(completed));
  });

  it('when the vendor can tell meanwhile, then it is called', async () => {
    const activation = {
      iccid: '8996699000000000015',
      activationCode: 'LPA:1$smdp.example$LATE',
      matchingId: 'LATE',
      planDetails: 'Late',
    };
    const { order, received } = await unsureVendor({
      kind: 'success',
      vendorOrderId: 'V-1',
      delivery: { activation },
    });
    expect(received).toMatchObject([
      {
        product: 'Esim',
        item: { productSku: 'ESIM-SA-1GB-7D', email: 'traveller@example.com' },
        amount: '19.00',
      },
    ]);
    expect(activationOf(await resolve(order, given))).toEqual(Object.values(activation));
  });

  it('when the vendor has none, then the operator’s are shown, and none where none are given', async () => {
    const { order } = await unsureVendor({ kind: 'unknown' });
    expect(activationOf(await resolve(order, given))).toEqual(Object.values(given));
    const other = await createEsim(stage.service, esim(), callOf(undefined, Environment.LIVE));
    const completed = await resolve(other);
    expect(completed.status).toBe(OrderStatus.COMPLETED);
    expect(activationOf(completed)).toEqual(Array(4).fill(undefined));
  });

  it('when it is resolved as Failed, then nothing is shown and nothing charged', async () => {
    const order = await createEsim(stage.service, esim('unknown'), callOf());
    const failed = await resolve(order, given, OrderStatus.FAILED);
    expect(failed.status).toBe(OrderStatus.FAILED);
    expect(activationOf(failed)).toEqual(Array(4).fill(undefined));
    expect(stage.finance.available()).toBe('1000.00');
  });

  it('when finance is away at the capture, then the data wait in the journal until the charge is durable', async () => {
    await stage.restart(BRIEF);
    stage.finance.fail('captureFunds', 'SERVICE_UNAVAILABLE');
    const call = callOf();
    const order = await createEsim(stage.service, esim(), call);
    expect(order.status).toBe(OrderStatus.PROCESSING);
    expect(activationOf(order)).toEqual(Array(4).fill(undefined));
    stage.finance.recover();
    await eventually(async () => {
      const { order: now } = await stage.service.esims.getEsimOrder({ orderId: order.orderId }, call);
      expect(now?.status).toBe(OrderStatus.COMPLETED);
      expect(activationOf(now!).every((value) => value !== undefined)).toBe(true);
    });
  });
});
