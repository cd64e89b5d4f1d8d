import type { AddVariantStockRequest } from '@reseller/contracts';
import { withTransaction } from '@reseller/database';
import { validationFailed, type AppError } from '@reseller/errors';
import { checkIds } from '../check-ids';
import { ENVIRONMENTS, setStock, type RefusedStock } from '../stock/stock.repository';
import { namedEnvironment } from './named-environment';
import { getVariant, MAX_STOCK, type ChangeVariantDeps } from './change-variant';
import type { StockedVariantRecord } from './stocked-variant.repository';

/**
 * Adds units to what is on hand in one environment or both, or takes them away; calls at the same time add up. Throws
 * NOT_FOUND_VARIANT, and VALIDATION_FAILED at delta when too few or too many would be left; nothing has changed then.
 */
export async function addVariantStock(
  { pool, variants, notifyFirst }: ChangeVariantDeps,
  { variantId, environment, delta }: AddVariantStockRequest,
): Promise<StockedVariantRecord> {
  checkIds({ variantId });
  if (Math.abs(delta) > MAX_STOCK) {
    throw deltaFault(`must be a whole number from -${MAX_STOCK} to ${MAX_STOCK}`);
  }
  const only = namedEnvironment(environment);
  const changes = ENVIRONMENTS.filter((name) => only === undefined || only === name).map((name) => ({
    variantId,
    environment: name,
    delta,
  }));
  await withTransaction(pool, async (tx) => {
    const left = await setStock(tx, changes);
    if (left.length > 0) throw toError(left);
  });
  await notifyFirst();
  return getVariant(variants, variantId);
}

function toError(refused: readonly RefusedStock[]): AppError {
  const [{ why, onHand, reserved, environment }] = refused as [RefusedStock];
  return deltaFault(
    why === 'TooMany'
      ? `must leave at most ${MAX_STOCK} units on hand; ${onHand} are there in ${environment}`
      : `must leave at least ${reserved} units on hand, which running orders have reserved; ${onHand} are there in ${environment}`,
  );
}

const deltaFault = (message: string): AppError => validationFailed([{ path: 'delta', message }]);
