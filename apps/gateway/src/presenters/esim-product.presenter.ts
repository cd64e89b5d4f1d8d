import type { EsimProduct } from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import type { z } from 'zod';
import type { esimProduct } from '../schemas/orders';

/** An eSIM product as partners read it (spec §4.11). */
export function presentEsimProduct(product: EsimProduct): z.input<typeof esimProduct> {
  const { dataAllowance, amount, ...same } = product;
  return { ...same, dataAllowance: toJsonNumber(dataAllowance), amount: toJsonNumber(amount) };
}
