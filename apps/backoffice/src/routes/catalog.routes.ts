import { Availability } from '@reseller/contracts';
import type { ErrorDetails } from '@reseller/errors';
import { presentPage } from '@reseller/presenters';
import { z } from 'zod';
import {
  presentBrandTerms,
  presentPartnerPrice,
  presentStockedVariant,
  presentVariantRow,
} from '../presenters/catalog.presenter';
import { recordChange } from '../record-change';
import {
  amountOrZero,
  fraction,
  pageOf,
  pageQuery,
  positiveAmount,
  queryFlag,
  text,
  uuid,
  wholeNumber,
} from './fields';
import { callOf, defineOpsRoute, type OpsRoute, type RouteDeps } from './ops-route';

const AVAILABILITIES = {
  Available: Availability.AVAILABLE,
  Limited: Availability.LIMITED,
  Unavailable: Availability.UNAVAILABLE,
} as const;

const MAX_STOCK = 1_000_000_000;
const idParams = z.object({ id: uuid });

const variantQuery = z.object({
  ...pageQuery,
  brandId: uuid.optional(),
  scentId: uuid.optional(),
  availability: z.enum(['Available', 'Limited', 'Unavailable']).optional(),
  isActive: queryFlag.optional(),
  search: text(0, 128).optional(),
});

const variantChanges = z.strictObject({
  stockOnHand: wholeNumber(0, MAX_STOCK).optional(),
  listPrice: positiveAmount.optional(),
  cost: amountOrZero.optional(),
  rrp: positiveAmount.nullish(),
  isActive: z.boolean().optional(),
});

/** Stock, prices and commission rates of the scent catalog (spec §12). */
export function catalogRoutes({ clients }: RouteDeps): OpsRoute[] {
  return [
    defineOpsRoute({
      method: 'GET',
      path: '/ops/v1/variants',
      query: variantQuery,
      async handle(input) {
        const { page, pageSize, availability, ...filter } = input.query;
        const request = {
          page: pageOf({ page, pageSize }),
          availability: availability ? AVAILABILITIES[availability] : Availability.UNSPECIFIED,
          ...filter,
        };
        const answer = await clients.scentStock.listStockedVariants(request, callOf(input));
        return presentPage(answer.variants, answer.page, presentVariantRow);
      },
    }),
    defineOpsRoute({
      method: 'GET',
      path: '/ops/v1/variants/{id}',
      params: idParams,
      async handle(input) {
        const request = { variantId: input.params.id };
        return presentStockedVariant(
          (await clients.scentStock.getStockedVariant(request, callOf(input))).variant,
        );
      },
    }),
    defineOpsRoute({
      method: 'PATCH',
      path: '/ops/v1/variants/{id}',
      params: idParams,
      body: variantChanges,
      async handle(input) {
        const call = callOf(input);
        const { id: variantId } = input.params;
        await clients.scentStock.getStockedVariant({ variantId }, call);
        const change = { action: 'variant.update', subject: variantId, details: { ...input.body } };
        await recordChange(clients, change, call);
        const { rrp, ...changes } = input.body;
        // The contract clears with an empty string.
        const request = { variantId, ...changes, rrp: rrp === null ? '' : rrp };
        return presentStockedVariant((await clients.scentStock.updateVariant(request, call)).variant);
      },
    }),
    defineOpsRoute({
      method: 'PUT',
      path: '/ops/v1/variants/{id}/partner-prices/{partnerId}',
      params: z.object({ id: uuid, partnerId: uuid }),
      body: z.strictObject({ listPrice: positiveAmount }),
      async handle(input) {
        const call = callOf(input);
        const { id: variantId, partnerId } = input.params;
        // Any id has a price in scent-commerce; that the partner exists is identity's to say.
        await Promise.all([
          clients.scentStock.getStockedVariant({ variantId }, call),
          clients.partners.getPartner({ partnerId }, call),
        ]);
        const { listPrice } = input.body;
        const change = {
          action: 'variant.partner-price',
          partnerId,
          subject: variantId,
          details: { listPrice },
        };
        await recordChange(clients, change, call);
        return presentPartnerPrice(
          await clients.scentStock.setPartnerPrice({ variantId, partnerId, listPrice }, call),
        );
      },
    }),
    defineOpsRoute({
      method: 'GET',
      path: '/ops/v1/brands',
      query: z.object(pageQuery),
      async handle(input) {
        const answer = await clients.scentStock.listBrandTerms({ page: pageOf(input.query) }, callOf(input));
        return presentPage(answer.brands, answer.page, presentBrandTerms);
      },
    }),
    defineOpsRoute({
      method: 'PATCH',
      path: '/ops/v1/brands/{id}',
      params: idParams,
      body: z.strictObject({ commissionRate: fraction.nullish() }),
      async handle(input) {
        const call = callOf(input);
        const { id: brandId } = input.params;
        const { commissionRate } = input.body;
        await clients.catalog.getBrand({ brandId }, call);
        const details: ErrorDetails = commissionRate === undefined ? {} : { commissionRate };
        await recordChange(clients, { action: 'brand.update', subject: brandId, details }, call);
        const request = { brandId, commissionRate: commissionRate === null ? '' : commissionRate };
        return presentBrandTerms((await clients.scentStock.updateBrand(request, call)).brand);
      },
    }),
  ];
}
