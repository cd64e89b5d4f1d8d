import type { CatalogOperationsServiceService } from '@reseller/contracts';
import { AppError, validationFailed } from '@reseller/errors';
import { requireOperator, type RpcHandlers } from '@reseller/rpc';
import { fromAvailability } from '../catalog/catalog.mapper';
import { checkIds } from '../check-ids';
import { addVariantStock } from './add-variant-stock';
import type { BrandTermsRepository } from './brand-terms.repository';
import { amountFault, changeVariant, getVariant, type ChangeVariantDeps } from './change-variant';
import { toBrandTermsMessage, toStockedVariantMessage } from './operations.mapper';

const FRACTION = /^(0(\.\d{1,6})?|1(\.0{1,6})?)$/;

/** What the operators' catalog works with. */
interface CatalogOperationsDeps extends ChangeVariantDeps {
  brands: BrandTermsRepository;
}

/** Serves reseller.scent.v1.CatalogOperationsService. */
export function createCatalogOperationsHandlers(
  deps: CatalogOperationsDeps,
): RpcHandlers<typeof CatalogOperationsServiceService> {
  const { variants, brands } = deps;
  return {
    async listStockedVariants({ page, brandId, scentId, availability, isActive, search }) {
      checkIds({ brandId, scentId });
      const filter = { brandId, scentId, availability: fromAvailability(availability), isActive, search };
      const list = await variants.list(filter, page);
      return {
        variants: list.variants.map((variant) => toStockedVariantMessage(variant, [])),
        page: list.page,
      };
    },

    async getStockedVariant({ variantId }) {
      checkIds({ variantId });
      const [variant, prices] = await Promise.all([
        getVariant(variants, variantId),
        variants.listPartnerPrices(variantId),
      ]);
      return { variant: toStockedVariantMessage(variant, prices) };
    },

    async updateVariant(request, call) {
      requireOperator(call);
      const variant = await changeVariant(deps, request);
      return { variant: toStockedVariantMessage(variant, await variants.listPartnerPrices(variant.id)) };
    },

    async addVariantStock(request, call) {
      requireOperator(call);
      const variant = await addVariantStock(deps, request);
      return { variant: toStockedVariantMessage(variant, await variants.listPartnerPrices(variant.id)) };
    },

    async setPartnerPrice({ variantId, partnerId, listPrice }, call) {
      requireOperator(call);
      checkIds({ variantId, partnerId });
      const faults = amountFault('listPrice', listPrice);
      if (faults.length > 0) throw validationFailed(faults);
      const set = await variants.setPartnerPrice(variantId, partnerId, listPrice);
      if (!set) throw new AppError('NOT_FOUND_VARIANT');
      return { variantId, partnerId, ...set };
    },

    async listBrandTerms({ page }) {
      const list = await brands.list(page);
      return { brands: list.brands.map(toBrandTermsMessage), page: list.page };
    },

    async updateBrand({ brandId, commissionRate }, call) {
      requireOperator(call);
      checkIds({ brandId });
      if (commissionRate && !FRACTION.test(commissionRate)) {
        const message = 'must be a fraction from 0 to 1 with at most six decimals';
        throw validationFailed([{ path: 'commissionRate', message }]);
      }
      const brand = await brands.setRate(brandId, commissionRate === '' ? null : commissionRate);
      if (!brand) throw new AppError('NOT_FOUND_BRAND');
      return { brand: toBrandTermsMessage(brand) };
    },
  };
}
