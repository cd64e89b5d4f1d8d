import { presentEnum } from '@reseller/presenters';
import { ProductType, type GeoScope } from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import type { z } from 'zod';
import type { geoScope } from '../schemas/orders';

const SCOPED_PRODUCTS: Partial<Record<ProductType, 'Topup' | 'Esim'>> = {
  [ProductType.TOPUP]: 'Topup',
  [ProductType.ESIM]: 'Esim',
};

/** A geo scope as partners read it (spec §4.11). */
export function presentGeoScope(scope: GeoScope): z.input<typeof geoScope> {
  const { globalId, name, country, currency, products, topup } = scope;
  return {
    globalId,
    name,
    country,
    currency,
    products: products.map((product) => presentEnum(SCOPED_PRODUCTS, product)),
    topup: topup
      ? { minAmount: toJsonNumber(topup.minAmount), maxAmount: toJsonNumber(topup.maxAmount) }
      : null,
  };
}
