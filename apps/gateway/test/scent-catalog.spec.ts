import { describe, expect, it } from '@jest/globals';
import { Availability } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { useGateway } from './support/gateway';
import { ACME, someVariant } from './support/samples';

const gateway = useGateway();

const get = (path: string) => gateway.sendAs(gateway.token, `/api/v1/scent${path}`);
const lastRequest = () => gateway.dependencies.seen.calls.at(-1)?.request;
const { id, scentId } = someVariant();
const pagination = { page: 1, pageSize: 20, totalCount: 1, totalPages: 1 };

const stockAndPrice = {
  id,
  scentId,
  sku: 'QMR-LAYLO-EDP-100',
  sizeMl: 100,
  listPrice: 255.1,
  baseCurrency: 'SAR',
  rrp: null,
  taxClassification: 'STANDARD',
  isSample: false,
  availability: 'Available',
  availableQuantity: null,
};

const noDisplay = { displayCurrency: null, rate: null, listPriceDisplay: null, rrpDisplay: null };

describe('the scent catalog', () => {
  it('when a variant is read, then it has every field, display siblings and the marketing block', async () => {
    const response = await get(`/variants/${id.toUpperCase()}`);
    expect(response.status).toBe(200);
    expect(response.body.payload).toEqual({
      ...stockAndPrice,
      displayCurrency: 'USD',
      rate: 0.266667,
      listPriceDisplay: 68.03,
      rrpDisplay: null,
      marketing: {
        currentPrice: 289,
        compareAtPrice: 340,
        discountPercent: 15,
        badges: ['NEW_ARRIVAL', 'BEST_SELLER'],
        currentPriceDisplay: 77.07,
        compareAtPriceDisplay: 90.67,
      },
    });
    expect(gateway.dependencies.seen.calls[0]).toMatchObject({
      request: { variantId: id },
      call: { partner: { partnerId: ACME } },
    });
  });

  it('when a scent is read without marketing and display, then the key is absent and the siblings are null', async () => {
    const expected = {
      id: scentId,
      brandId: '019a2f50-1c2d-7e55-8b1a-3f4e5d6c7b01',
      brandName: 'Maison Qamar',
      name: 'Layl Oud',
      description: 'Dark and dry.',
      notes: ['saffron', 'oud'],
      gender: 'Unisex',
      concentration: 'Eau de Parfum',
      variants: [{ ...stockAndPrice, ...noDisplay }],
    };
    expect((await get(`/scents/${scentId}`)).body.payload).toEqual(expected);
    const list = await get('/scents?search=Layl&pageSize=1');
    expect(list.body.payload).toEqual({ items: [expected], pagination });
    expect(lastRequest()).toMatchObject({ search: 'Layl', page: { page: 1, pageSize: 1 } });
  });

  it('when variants are listed, then the filters are passed on and an unknown availability is refused', async () => {
    const response = await get(
      `/variants?scentId=${scentId}&brandId=${scentId}&availability=Limited&sku=A%20b`,
    );
    expect(response.body.payload).toMatchObject({ items: [{ id }], pagination });
    expect(lastRequest()).toMatchObject({
      scentId,
      brandId: scentId,
      availability: Availability.LIMITED,
      sku: 'A b',
    });
    const refused = await get('/variants?availability=limited&scentId=x&page=0');
    expect([refused.status, refused.body.state]).toEqual([400, 'VALIDATION_FAILED']);
    expect(refused.body.details.errors?.map(({ path }) => path).sort()).toEqual([
      'availability',
      'page',
      'scentId',
    ]);
  });

  it('when brands and availability are read, then they come as they are', async () => {
    const brand = { id: '019a2f50-1c2d-7e55-8b1a-3f4e5d6c7b01', name: 'Maison Qamar' };
    expect((await get('/brands')).body.payload).toEqual({ items: [brand], pagination });
    expect((await get(`/brands/${brand.id}`)).body.payload).toEqual(brand);
    expect((await get(`/variants/${id}/availability`)).body.payload).toEqual({
      variantId: id,
      availability: 'Unavailable',
      availableQuantity: 0,
    });
  });

  it('when something is not there, then its code comes through', async () => {
    gateway.dependencies.catalog.getVariant = () => Promise.reject(new AppError('NOT_FOUND_VARIANT'));
    const response = await get(`/variants/${id}`);
    expect([response.status, response.body.state]).toEqual([404, 'NOT_FOUND_VARIANT']);
  });
});
