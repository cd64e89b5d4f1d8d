import { AppError } from '@reseller/errors';
import { decimal } from '@reseller/money';
import type { GeoScope } from '../../../geo-scope/domain/geo-scope';
import type { EsimProduct } from './esim-product';

/** Returns the geo scope when eSIMs are sold there; else throws BUSINESS_GEO_SCOPE_UNAVAILABLE. */
export function checkSellsEsim(geoScopeGlobalId: string, geoScope: GeoScope | undefined): GeoScope {
  if (geoScope?.sellsEsim) return geoScope;
  throw new AppError('BUSINESS_GEO_SCOPE_UNAVAILABLE', { geoScopeGlobalId });
}

/** Returns the product when it is on offer in this geo scope; else throws BUSINESS_PRODUCT_UNAVAILABLE. */
export function checkOnOffer(
  productSku: string,
  product: EsimProduct | undefined,
  geoScope: GeoScope,
): EsimProduct {
  if (product?.isActive && product.geoScopeGlobalId === geoScope.globalId) return product;
  throw new AppError('BUSINESS_PRODUCT_UNAVAILABLE', { productSku });
}

/** What a partner believes an eSIM to be; what is undefined was not said. Decimals as text. */
export interface BelievedPlan {
  readonly amount: string;
  readonly dataAllowance?: string | undefined;
  readonly validityDays?: number | undefined;
}

/** Throws BUSINESS_PRICE_MISMATCH with the names of what is not the product's, so that nobody pays a price unseen. */
export function checkPrice(believed: BelievedPlan, product: EsimProduct): void {
  const { amount, dataAllowance = product.dataAllowance, validityDays = product.validityDays } = believed;
  const mismatchedFields = [
    ...(decimal(amount).equals(product.amount) ? [] : ['amount']),
    ...(decimal(dataAllowance).equals(product.dataAllowance) ? [] : ['dataAllowance']),
    ...(validityDays === product.validityDays ? [] : ['validityDays']),
  ];
  if (mismatchedFields.length > 0) throw new AppError('BUSINESS_PRICE_MISMATCH', { mismatchedFields });
}
