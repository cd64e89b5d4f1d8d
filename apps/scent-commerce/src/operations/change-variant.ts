import type { UpdateVariantRequest } from '@reseller/contracts';
import { withTransaction } from '@reseller/database';
import { AppError, validationFailed, type FieldFault } from '@reseller/errors';
import type { Pool } from 'pg';
import { isCatalogAmount } from '../catalog/domain/catalog-amount';
import { checkIds } from '../check-ids';
import { namedEnvironment } from './named-environment';
import { ENVIRONMENTS, setStock, type RefusedStock, type StockChange } from '../stock/stock.repository';
import type { StockedVariantRecord, StockedVariantRepository } from './stocked-variant.repository';

/** The most units that may be on hand; set_stock holds deltas to it. */
export const MAX_STOCK = 1_000_000_000;

/** What variants are changed with. */
export interface ChangeVariantDeps {
  pool: Pool;
  variants: StockedVariantRepository;
  /** Notifies the first of those who wait for what is back in stock; the others are a job's. Never fails. */
  notifyFirst: () => Promise<void>;
}

/**
 * Changes what an operator names of a variant, all of it or nothing. Throws NOT_FOUND_VARIANT, CONFLICT_STOCK_CHANGED when
 * another number is on hand than expected, and VALIDATION_FAILED, at stockOnHand when orders have reserved more than that.
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
    const refused = await setStock(tx, stockChangesOf(request));
    if (refused.length > 0) throw toError(refused);
    const changes = { listPrice, cost, rrp: rrp === '' ? null : rrp, isActive };
    if (!(await variants.change(tx, variantId, changes))) throw new AppError('NOT_FOUND_VARIANT');
  });
  if (stockOnHand !== undefined || isActive !== undefined) await notifyFirst();
  return getVariant(variants, variantId);
}

/** A variant as operators see it; throws NOT_FOUND_VARIANT. */
export async function getVariant(
  variants: StockedVariantRepository,
  variantId: string,
): Promise<StockedVariantRecord> {
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

/** The stock of both environments, so that both are locked; that of the one named, or of both, as the request wants it. */
function stockChangesOf(request: UpdateVariantRequest): StockChange[] {
  const { variantId, stockOnHand: onHand, expectedStockOnHand: expected } = request;
  const only = namedEnvironment(request.environment);
  return ENVIRONMENTS.map((environment) => ({
    variantId,
    environment,
    ...((only === undefined || only === environment) && { onHand, expected }),
  }));
}

function faultsOf(request: UpdateVariantRequest): FieldFault[] {
  const { listPrice, cost, rrp } = request;
  return [
    ...(['stockOnHand', 'expectedStockOnHand'] as const).flatMap((path) => stockFault(path, request[path])),
    ...amountFault('listPrice', listPrice),
    ...amountFault('cost', cost, true),
    ...amountFault('rrp', rrp || undefined),
  ];
}

const stockFault = (path: string, units: number | undefined): FieldFault[] =>
  units !== undefined && (units < 0 || units > MAX_STOCK)
    ? [{ path, message: `must be a whole number from 0 to ${MAX_STOCK}` }]
    : [];

function toError(refused: readonly RefusedStock[]): AppError {
  const changed = refused.find(({ why }) => why === 'Changed');
  if (changed) {
    const { onHand: stockOnHand, environment } = changed;
    return new AppError('CONFLICT_STOCK_CHANGED', { stockOnHand, environment });
  }
  const reserved = Math.max(...refused.map((stock) => stock.reserved));
  const message = `must be at least ${reserved}, the units that running orders have reserved`;
  return validationFailed([{ path: 'stockOnHand', message }]);
}
