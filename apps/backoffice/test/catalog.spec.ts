import { describe, expect, it } from '@jest/globals';
import { Availability, Environment } from '@reseller/contracts';
import { v4 as newId } from 'uuid';
import { aSummary, aVariant } from './support/samples';
import { useBackoffice } from './support/backoffice';

const backoffice = useBackoffice();

describe('the catalog', () => {
  const row = {
    id: aVariant.id,
    scentId: aVariant.scentId,
    scentName: 'Layl Oud',
    brandId: aVariant.brandId,
    brandName: 'Maison Qamar',
    warehouse: 'RUH-1',
    sku: 'QMR-LAYL-EDP-050',
    sizeMl: 50,
    listPrice: 210,
    cost: 88.2,
    rrp: null,
    taxClassification: 'STANDARD',
    isSample: false,
    isActive: true,
    stockOnHand: 7,
    stockReserved: 3,
    availability: 'Limited',
    firstOfferedAt: '2026-03-01T10:00:00.000Z',
    restockedAt: null,
    stock: [
      { environment: 'live', stockOnHand: 7, stockReserved: 3 },
      { environment: 'sandbox', stockOnHand: 40, stockReserved: 0 },
    ],
  };
  const whole = { ...row, partnerPrices: [{ partnerId: aSummary.partnerId, listPrice: 199.9 }] };

  it('when variants are listed or read, then stock and cost are there, and the filters are passed on', async () => {
    const list = await backoffice.send('GET', '/variants?availability=Limited&isActive=false&search=oud');
    expect(list.body.payload).toEqual({ items: [row], pagination: expect.anything() });
    expect(backoffice.calls[0]?.request).toMatchObject({
      availability: Availability.LIMITED,
      isActive: false,
      search: 'oud',
    });
    expect((await backoffice.send('GET', `/variants/${aVariant.id}`)).body.payload).toEqual(whole);
    expect((await backoffice.send('GET', '/variants?isActive=yes')).body.state).toBe('VALIDATION_FAILED');
  });

  it('when a variant is changed, then the audit comes first and the change is as it was written', async () => {
    const response = await backoffice.send(
      'PATCH',
      `/variants/${aVariant.id}`,
      '{"stockOnHand":0,"listPrice":199.50,"rrp":null}',
    );
    expect(response.body.payload).toEqual(whole);
    expect(backoffice.rpcs()).toEqual(['getStockedVariant', 'recordAuditEntry', 'updateVariant']);
    expect(backoffice.calls[1]?.request).toMatchObject({
      action: 'variant.update',
      subject: aVariant.id,
      operator: 'olga',
      detailsJson: '{"stockOnHand":0,"listPrice":"199.5","rrp":null}',
    });
    expect(backoffice.calls[2]?.request).toEqual({
      variantId: aVariant.id,
      stockOnHand: 0,
      listPrice: '199.5',
      rrp: '',
    });
  });

  it('when stock is changed in one environment or by a delta, then the environment, what was expected and the delta go on (spec §18.8)', async () => {
    const path = `/variants/${aVariant.id}`;
    await backoffice.send('PATCH', path, { environment: 'live', stockOnHand: 9, expectedStockOnHand: 7 });
    await backoffice.send('POST', `${path}/stock`, { delta: -4 });
    const added = await backoffice.send('POST', `${path}/stock`, { environment: 'sandbox', delta: 12 });
    expect(added).toMatchObject({ status: 200, body: { payload: whole } });
    const requests = (method: string) =>
      backoffice.calls.filter((call) => call.method === method).map(({ request }) => request);
    expect(requests('updateVariant')).toEqual([
      { variantId: aVariant.id, environment: Environment.LIVE, stockOnHand: 9, expectedStockOnHand: 7 },
    ]);
    expect(requests('addVariantStock')).toEqual([
      { variantId: aVariant.id, delta: -4 },
      { variantId: aVariant.id, environment: Environment.SANDBOX, delta: 12 },
    ]);
    expect(requests('recordAuditEntry')).toMatchObject([
      { detailsJson: '{"stockOnHand":9,"expectedStockOnHand":7,"environment":"live"}' },
      { action: 'variant.stock', subject: aVariant.id, operator: 'olga', detailsJson: '{"delta":-4}' },
      { detailsJson: '{"delta":12,"environment":"sandbox"}' },
    ]);
    for (const body of [{}, { delta: 1.5 }, { delta: '1' }, { delta: 1, environment: 'test' }])
      expect((await backoffice.send('POST', `${path}/stock`, body)).body.state).toBe('VALIDATION_FAILED');
  });

  it('when a change is unfit or the variant unknown, then nothing is recorded', async () => {
    const unfit = await backoffice.send('PATCH', `/variants/${aVariant.id}`, {
      stockOnHand: -1,
      listPrice: 0,
      cost: -1,
      rrp: 1.001,
      isActive: null,
      sku: 'X',
    });
    expect(unfit.status).toBe(400);
    const { errors } = unfit.body.details as { errors: { path: string }[] };
    expect(errors.map(({ path }) => path).sort()).toEqual(
      ['cost', 'isActive', 'listPrice', 'rrp', 'sku', 'stockOnHand'].sort(),
    );
    expect(backoffice.rpcs()).toEqual([]);
    backoffice.fakes.of('scent-commerce').fail('getStockedVariant', 'NOT_FOUND_VARIANT');
    expect((await backoffice.send('PATCH', `/variants/${aVariant.id}`, { cost: 0 })).body.state).toBe(
      'NOT_FOUND_VARIANT',
    );
    expect(backoffice.rpcs()).not.toContain('recordAuditEntry');
  });

  it('when a partner’s price is set, then the partner must exist and the audit names both', async () => {
    const partnerId = backoffice.newPartner();
    const path = `/variants/${aVariant.id}/partner-prices/${partnerId}`;
    const set = await backoffice.send('PUT', path, { listPrice: 150.25 });
    expect(set.body.payload).toEqual({
      variantId: aVariant.id,
      partnerId,
      listPrice: 150.25,
      updatedAt: '2026-03-01T10:00:00.000Z',
    });
    expect(backoffice.calls.find(({ method }) => method === 'recordAuditEntry')?.request).toMatchObject({
      action: 'variant.partner-price',
      partnerId,
      subject: aVariant.id,
    });
    const unknown = await backoffice.send('PUT', `/variants/${aVariant.id}/partner-prices/${newId()}`, {
      listPrice: 1,
    });
    expect(unknown.body.state).toBe('NOT_FOUND_PARTNER');
  });

  it('when a brand’s rate is set or cleared, then the brand is returned and audited', async () => {
    const set = await backoffice.send('PATCH', `/brands/${aVariant.brandId}`, { commissionRate: 0.125 });
    expect(set.body.payload).toEqual({ id: aVariant.brandId, name: 'Maison Qamar', commissionRate: 0.125 });
    expect(backoffice.rpcs()).toEqual(['getBrand', 'recordAuditEntry', 'updateBrand']);
    const cleared = await backoffice.send('PATCH', `/brands/${aVariant.brandId}`, { commissionRate: null });
    expect(cleared.body.payload).toMatchObject({ commissionRate: null });
    expect(
      (await backoffice.send('PATCH', `/brands/${aVariant.brandId}`, { commissionRate: 1.5 })).status,
    ).toBe(400);
    expect((await backoffice.send('GET', '/brands')).body.payload).toMatchObject({
      items: [{ commissionRate: 0.15 }],
    });
  });
});
