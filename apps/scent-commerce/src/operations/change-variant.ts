import type { UpdateVariantRequest } from '@reseller/contracts';
import { AppError, validationFailed, type FieldFault } from '@reseller/errors';
import { isCatalogAmount } from '../catalog/domain/catalog-amount';
import { requireUuids } from '../uuid';
import type { StockedVariantRecord, StockedVariantRepository } from './stocked-variant.repository';

const MAX_STOCK = 1_000_000_000;

/** A fault where a text is no amount of SAR that the catalog holds. */
export function amountFault(path: string, text: string | undefined, allowsZero = false): FieldFault[] {
  if (text === undefined || isCatalogAmount(text, allowsZero)) return [];
  const least = allowsZero ? '0 or more' : 'more than 0';
  return [{ path, message: `must be ${least} and below 100,000,000, with at most two decimals` }];
}

/**
 * Changes what an operator names of a variant, all of it or nothing. Throws NOT_FOUND_VARIANT, and VALIDATION_FAILED, at
 * stockOnHand when orders have reserved more than that.
 */
export async function changeVariant(
  variants: StockedVariantRepository,
  request: UpdateVariantRequest,
): Promise<StockedVariantRecord> {
  const { variantId, stockOnHand, listPrice, cost, rrp, isActive } = request;
  requireUuids({ variantId });
  const faults = [
    ...(stockOnHand !== undefined && (stockOnHand < 0 || stockOnHand > MAX_STOCK)
      ? [{ path: 'stockOnHand', message: `must be a whole number from 0 to ${MAX_STOCK}` }]
      : []),
    ...amountFault('listPrice', listPrice),
    ...amountFault('cost', cost, true),
    ...amountFault('rrp', rrp || undefined),
  ];
  if (faults.length > 0) throw validationFailed(faults);
  const changes = { stockOnHand, listPrice, cost, rrp: rrp === '' ? null : rrp, isActive };
  const outcome = await variants.change(variantId, changes);
  const variant = await variants.find(variantId);
  if (outcome === 'unknown' || !variant) throw new AppError('NOT_FOUND_VARIANT');
  if (outcome === 'under-reserved') {
    const message = `must be at least ${variant.stockReserved}, the units that running orders have reserved`;
    throw validationFailed([{ path: 'stockOnHand', message }]);
  }
  return variant;
}
