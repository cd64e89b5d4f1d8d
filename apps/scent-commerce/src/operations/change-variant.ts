import type { UpdateVariantRequest } from '@reseller/contracts';
import { withTransaction } from '@reseller/database';
import { AppError, validationFailed, type FieldFault } from '@reseller/errors';
import type { Pool } from 'pg';
import { isCatalogAmount } from '../catalog/domain/catalog-amount';
import { checkIds } from '../check-ids';
import { setOnHand } from '../stock/stock.repository';
import type { StockedVariantRecord, StockedVariantRepository } from './stocked-variant.repository';

const MAX_STOCK = 1_000_000_000;

/** What variants are changed with. */
export interface ChangeVariantDeps {
  pool: Pool;
  variants: StockedVariantRepository;
  /** Notifies the first of those who wait for what is back in stock; the others are a job's. Never fails. */
  notifyFirst: () => Promise<void>;
}

/**
 * Changes what an operator names of a variant, all of it or nothing. Throws NOT_FOUND_VARIANT, and VALIDATION_FAILED, at
 * stockOnHand when orders have reserved more than that.
 */
export async function changeVariant(
  { pool, variants, notifyFirst }: ChangeVariantDeps,
  request: UpdateVariantRequest,
): Promise<StockedVariantRecord> {
  const { variantId, stockOnHand, listPrice, cost, rrp, isActive } = request;
  checkIds({ variantId });
  const faults = faultsOf(request);
  if (faults.length > 0) throw validationFailed(faults);
  await withTransaction(pool, async (tx) => {
    // Stock goes first, also where only the variant changes: the order in which every writer locks the two.
    const [refused] = await setOnHand(tx, [{ variantId, onHand: stockOnHand }]);
    if (refused) throw underReserved(refused.reserved);
    const changes = { listPrice, cost, rrp: rrp === '' ? null : rrp, isActive };
    if (!(await variants.change(tx, variantId, changes))) throw new AppError('NOT_FOUND_VARIANT');
  });
  if (stockOnHand !== undefined || isActive !== undefined) await notifyFirst();
  const variant = await variants.find(variantId);
  if (!variant) throw new AppError('NOT_FOUND_VARIANT');
  return variant;
}

/** A fault where a text is no amount of SAR that the catalog holds. */
export function amountFault(path: string, text: string | undefined, allowsZero = false): FieldFault[] {
  if (text === undefined || isCatalogAmount(text, allowsZero)) return [];
  const least = allowsZero ? '0 or more' : 'more than 0';
  return [{ path, message: `must be ${least} and below 100,000,000, with at most two decimals` }];
}

function faultsOf({ stockOnHand, listPrice, cost, rrp }: UpdateVariantRequest): FieldFault[] {
  return [
    ...(stockOnHand !== undefined && (stockOnHand < 0 || stockOnHand > MAX_STOCK)
      ? [{ path: 'stockOnHand', message: `must be a whole number from 0 to ${MAX_STOCK}` }]
      : []),
    ...amountFault('listPrice', listPrice),
    ...amountFault('cost', cost, true),
    ...amountFault('rrp', rrp || undefined),
  ];
}

const underReserved = (reserved: number): AppError =>
  validationFailed([
    {
      path: 'stockOnHand',
      message: `must be at least ${reserved}, the units that running orders have reserved`,
    },
  ]);
