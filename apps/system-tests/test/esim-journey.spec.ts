import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectSuccess } from '../src/clients/response';
import { emailTagged, newEsim, newTopup } from '../src/clients/bodies';
import { OperatorClient } from '../src/clients/operator-client';
import type { TestPartner } from '../src/clients/operator-client';
import type { EsimOrder, EsimProduct, Page } from '../src/clients/resources';
import { readPlatformFile } from '../src/platform/platform-file';

const operator = new OperatorClient(readPlatformFile());
const byCodePoints = (one: string, other: string): number => Buffer.from(one).compare(Buffer.from(other));

let partner: TestPartner;
beforeAll(async () => {
  partner = await operator.newPartner({ deposit: 1_000, settings: { displayCurrency: 'USD' } });
});

describe('the eSIM products (spec §4.11)', () => {
  const list = async (query = ''): Promise<Page<EsimProduct>> =>
    expectSuccess(await partner.sandbox.call<Page<EsimProduct>>(`/esim/products${query}`));

  test('when they are listed, then at least six are on offer, over the scopes that sell eSIMs', async () => {
    const { items } = await list('?pageSize=100');
    const offered = items.filter((product) => product.isActive);
    expect(offered.length).toBeGreaterThanOrEqual(6);
    expect([...new Set(offered.map((product) => product.geoScopeGlobalId))].sort()).toEqual([
      'GEO-AE',
      'GEO-EG',
      'GEO-SA',
    ]);
    expect(items.map(({ name }) => name)).toEqual(items.map(({ name }) => name).sort(byCodePoints));
    for (const product of items) {
      expect(product).toEqual({
        productSku: expect.any(String),
        name: expect.any(String),
        geoScopeGlobalId: expect.any(String),
        dataAllowance: expect.any(Number),
        validityDays: expect.any(Number),
        amount: expect.any(Number),
        currency: 'SAR',
        isActive: expect.any(Boolean),
      });
    }
  });

  test('when they are read page by page or for one scope, then nothing is skipped or repeated', async () => {
    const all = (await list('?pageSize=100')).items;
    const first = await list('?pageSize=4');
    const pages = [first];
    for (let page = 2; page <= first.pagination.totalPages; page += 1)
      pages.push(await list(`?pageSize=4&page=${page}`));
    expect(pages.flatMap(({ items }) => items)).toEqual(all);
    expect((await list('?geoScopeGlobalId=GEO-EG')).items).toEqual(
      all.filter((product) => product.geoScopeGlobalId === 'GEO-EG'),
    );
    expect((await list('?geoScopeGlobalId=GEO-US')).pagination).toMatchObject({
      totalCount: 0,
      totalPages: 0,
    });
  });
});

describe('the first eSIM of a partner (spec §4.1, §4.5, §4.8)', () => {
  test('when it is ordered, then every read of it agrees and the wallet shows exactly one debit', async () => {
    const body = newEsim({ dataAllowance: 1, validityDays: 7, sagaId: 'saga-of-ours' });
    const order = expectSuccess(await partner.sandbox.esim(body));
    expect(order).toEqual({
      orderId: expect.any(String),
      orderGlobalId: expect.stringMatching(/^ES-/),
      sagaId: 'saga-of-ours',
      partnerId: partner.id,
      partnerGlobalId: partner.globalId,
      geoScopeGlobalId: 'GEO-SA',
      externalReference: body.externalReference,
      productSku: body.productSku,
      email: body.email,
      dataAllowance: 1,
      validityDays: 7,
      amount: 19,
      currency: 'SAR',
      status: 'Completed',
      statusDetail: { productType: 'Esim', statusCode: 'ESIM_SUCCESS', description: null },
      errorMessage: null,
      failureCode: null,
      submittedAt: expect.stringMatching(/Z$/),
      completedAt: expect.stringMatching(/Z$/),
      currentRetryCount: 0,
      nextPollAt: null,
      esimIccid: expect.stringMatching(/^\d{19,20}$/),
      esimQrCode: expect.stringMatching(/^LPA:1\$[^$]+\$[^$]+$/),
      esimActivationCode: expect.any(String),
      esimPlanDetails: expect.any(String),
      esimQrCodeImage: expect.stringMatching(/^data:image\/svg\+xml;base64,/),
      displayCurrency: 'USD',
      rate: expect.any(Number),
      amountDisplay: Math.round(19 * (order.rate ?? 0) * 100) / 100,
    });
    expect(order.esimQrCode?.endsWith(`$${order.esimActivationCode}`)).toBe(true);

    expect(await partner.sandbox.esimOrder(order.orderId)).toEqual(order);
    const path = `/orders/esim/reference/${body.externalReference}`;
    expect(expectSuccess(await partner.sandbox.call(path))).toEqual(order);
    const listed = await partner.sandbox.call<Page<EsimOrder>>('/orders/esim?pageSize=1&status=Completed');
    expect(expectSuccess(listed)).toEqual({
      // Lists leave the picture out.
      items: [order],
      pagination: { page: 1, pageSize: 1, totalCount: 1, totalPages: 1 },
    });

    const [summary] = expectSuccess(
      await partner.sandbox.call<Page<object>>('/orders?productType=Esim'),
    ).items;
    expect(summary).toMatchObject({ productType: 'Esim', orderId: order.orderId, amount: 19 });
    expect(expectSuccess(await partner.sandbox.call(`/orders/by-global-id/${order.orderGlobalId}`))).toEqual({
      ...summary,
      order,
    });

    expect((await partner.sandbox.balance()).availableBalance).toBe(981);
    const [line] = await partner.sandbox.transactions();
    expect(line).toMatchObject({
      transactionType: 'Debit',
      referenceType: 'Order',
      referenceId: order.orderGlobalId,
      amount: 19,
      balanceAfter: 981,
    });
  });

  test('when a top-up uses the same reference, then it is another order, and neither is read as the other', async () => {
    const body = newEsim();
    const esim = expectSuccess(await partner.sandbox.esim(body));
    const { externalReference } = body;
    const topup = expectSuccess(await partner.sandbox.topup(newTopup({ externalReference })));
    const both = expectSuccess(
      await partner.sandbox.call<Page<{ orderId: string }>>(`/orders?externalReference=${externalReference}`),
    );
    expect(both.items.map(({ orderId }) => orderId)).toEqual([topup.orderId, esim.orderId]);
    expect((await partner.sandbox.call(`/orders/esim/${topup.orderId}`)).state).toBe('NOT_FOUND_ESIM_ORDER');
    expect((await partner.sandbox.call(`/orders/topup/${esim.orderId}`)).state).toBe('NOT_FOUND_TOPUP_ORDER');
  });

  test('when it is sent again, then the values decide whether it is the same', async () => {
    const body = newEsim();
    const order = expectSuccess(await partner.sandbox.esim(body));
    const again = { ...body, sagaId: null, partnerId: partner.id };
    expect(expectSuccess(await partner.sandbox.call('/orders/esim', { body: again }))).toEqual(order);
    const other = await partner.sandbox.esim({ ...body, email: emailTagged('fail'), validityDays: 7 });
    expect([other.status, other.state, other.details.mismatchedFields]).toEqual([
      409,
      'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE',
      ['email', 'validityDays'],
    ]);
  });

  test('when another partner or environment asks for it, then there is no such order', async () => {
    const { orderId } = expectSuccess(await partner.sandbox.esim(newEsim()));
    const stranger = await operator.newPartner();
    for (const client of [stranger.sandbox, partner.live])
      expect((await client.call(`/orders/esim/${orderId}`)).state).toBe('NOT_FOUND_ESIM_ORDER');
  });
});
