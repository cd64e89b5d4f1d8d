import type { Environment } from '@reseller/contracts';
import { AVAILABILITIES, availabilityFilter, presentPage } from '@reseller/presenters';
import { environmentNameOf } from '@reseller/rpc';
import { z } from 'zod';
import {
  presentBrandTerms,
  presentPartnerPrice,
  presentStockedVariant,
  presentVariantRow,
} from './catalog.presenter';
import {
  amountOrZero,
  environment,
  EXAMPLE_ID,
  fraction,
  pageOf,
  pageQuery,
  positiveAmount,
  queryFlag,
  text,
  uuid,
  wholeNumber,
} from './fields';
import {
  brandResponse,
  brandsPage,
  partnerPriceResponse,
  variantResponse,
  variantsPage,
} from './responses/catalog';
import { defineRoute, type OpsRoute } from './route';

const MAX_STOCK = 1_000_000_000;
const params = z.object({ id: uuid });
const exampleParams = { id: EXAMPLE_ID };

/** A body as the audit keeps it, its environment by name. */
const named = <Body extends { environment?: Environment | undefined }>({
  environment: given,
  ...rest
}: Body) => ({
  ...rest,
  ...(given !== undefined && { environment: environmentNameOf(given) }),
});

const listVariants = defineRoute({
  method: 'GET',
  path: '/ops/v1/variants',
  role: 'viewer',
  summary: 'A page of variants with stock, reservations and cost, inactive ones too',
  query: z.object({
    ...pageQuery,
    brandId: uuid.optional(),
    scentId: uuid.optional(),
    availability: z.enum(AVAILABILITIES).optional(),
    isActive: queryFlag.optional(),
    search: text(0, 128).optional(),
  }),
  response: variantsPage,
  async handle({ query: { page, pageSize, availability, ...filter }, call, clients }) {
    const request = {
      page: { page, pageSize },
      availability: availabilityFilter(availability),
      ...filter,
    };
    const list = await clients.scentStock.listStockedVariants(request, call);
    return presentPage(list.variants, list.page, presentVariantRow);
  },
});

const getVariant = defineRoute({
  method: 'GET',
  path: '/ops/v1/variants/{id}',
  role: 'viewer',
  summary: 'One variant, with the prices of single partners',
  params,
  response: variantResponse,
  examples: { params: exampleParams },
  async handle({ params: { id }, call, clients }) {
    return presentStockedVariant(
      (await clients.scentStock.getStockedVariant({ variantId: id }, call)).variant,
    );
  },
});

const updateVariant = defineRoute({
  method: 'PATCH',
  path: '/ops/v1/variants/{id}',
  role: 'catalog',
  summary:
    'Change what is given of a variant, all of it or nothing; null clears rrp, stock is changed in both environments unless one is named',
  params,
  body: z.strictObject({
    stockOnHand: wholeNumber(0, MAX_STOCK).optional(),
    expectedStockOnHand: wholeNumber(0, MAX_STOCK).optional(),
    environment: environment.optional(),
    listPrice: positiveAmount.optional(),
    cost: amountOrZero.optional(),
    rrp: positiveAmount.nullish(),
    isActive: z.boolean().optional(),
  }),
  response: variantResponse,
  examples: { params: exampleParams, body: { environment: 'live', expectedStockOnHand: 9, stockOnHand: 12 } },
  async audit({ params: { id }, body, call, clients }) {
    await clients.scentStock.getStockedVariant({ variantId: id }, call);
    return { action: 'variant.update', subject: id, details: named(body) };
  },
  async handle({ params: { id }, body: { rrp, ...changes }, call, clients }) {
    // The contract clears with an empty string.
    const request = { variantId: id, ...changes, rrp: rrp === null ? '' : rrp };
    return presentStockedVariant((await clients.scentStock.updateVariant(request, call)).variant);
  },
});

const addStock = defineRoute({
  method: 'POST',
  path: '/ops/v1/variants/{id}/stock',
  role: 'catalog',
  summary:
    'Add units to what is on hand, or take them away, in both environments unless one is named; a request made twice counts twice',
  params,
  body: z.strictObject({
    delta: wholeNumber(-MAX_STOCK, MAX_STOCK),
    environment: environment.optional(),
  }),
  response: variantResponse,
  examples: { params: exampleParams, body: { environment: 'live', delta: 24 } },
  async audit({ params: { id }, body, call, clients }) {
    await clients.scentStock.getStockedVariant({ variantId: id }, call);
    return { action: 'variant.stock', subject: id, details: named(body) };
  },
  async handle({ params: { id }, body, call, clients }) {
    return presentStockedVariant(
      (await clients.scentStock.addVariantStock({ variantId: id, ...body }, call)).variant,
    );
  },
});

const setPartnerPrice = defineRoute({
  method: 'PUT',
  path: '/ops/v1/variants/{id}/partner-prices/{partnerId}',
  role: 'catalog',
  summary: 'Set the price for a partner and those under it without a price of their own',
  params: z.object({ id: uuid, partnerId: uuid }),
  body: z.strictObject({ listPrice: positiveAmount }),
  response: partnerPriceResponse,
  examples: { params: { ...exampleParams, partnerId: EXAMPLE_ID }, body: { listPrice: 199.9 } },
  async audit({ params: { id, partnerId }, body, call, clients }) {
    // Any id has a price in scent-commerce; that the partner exists is identity's to say.
    await Promise.all([
      clients.scentStock.getStockedVariant({ variantId: id }, call),
      clients.partners.getPartner({ partnerId }, call),
    ]);
    return { action: 'variant.partner-price', partnerId, subject: id, details: body };
  },
  async handle({ params: { id, partnerId }, body: { listPrice }, call, clients }) {
    const request = { variantId: id, partnerId, listPrice };
    return presentPartnerPrice(await clients.scentStock.setPartnerPrice(request, call));
  },
});

const listBrands = defineRoute({
  method: 'GET',
  path: '/ops/v1/brands',
  role: 'viewer',
  summary: 'A page of brands with their commission rates',
  query: z.object(pageQuery),
  response: brandsPage,
  async handle({ query, call, clients }) {
    const { brands, page } = await clients.scentStock.listBrandTerms({ page: pageOf(query) }, call);
    return presentPage(brands, page, presentBrandTerms);
  },
});

const updateBrand = defineRoute({
  method: 'PATCH',
  path: '/ops/v1/brands/{id}',
  role: 'catalog',
  summary: 'Set a brand’s commission rate, a fraction; null clears it, then the default holds',
  params,
  body: z.strictObject({ commissionRate: fraction.nullish() }),
  response: brandResponse,
  examples: { params: exampleParams, body: { commissionRate: 0.125 } },
  async audit({ params: { id }, body: { commissionRate }, call, clients }) {
    await clients.catalog.getBrand({ brandId: id }, call);
    const details = { ...(commissionRate !== undefined && { commissionRate }) };
    return { action: 'brand.update', subject: id, details };
  },
  async handle({ params: { id }, body: { commissionRate }, call, clients }) {
    const request = { brandId: id, commissionRate: commissionRate === null ? '' : commissionRate };
    return presentBrandTerms((await clients.scentStock.updateBrand(request, call)).brand);
  },
});

/** Stock, prices and commission rates of the scent catalog (spec §12). */
export const catalogRoutes: readonly OpsRoute[] = [
  listVariants,
  getVariant,
  updateVariant,
  addStock,
  setPartnerPrice,
  listBrands,
  updateBrand,
];
