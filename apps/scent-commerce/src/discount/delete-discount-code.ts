import { isForeignKeyViolation } from '@reseller/database';
import { AppError } from '@reseller/errors';
import type { Owner } from '../owner';
import type { DiscountCodeRepository } from './discount-code.repository';
import type { DiscountCodeRecord } from './domain/discount-code';

/**
 * Deletes a code and returns it as it was. Throws NOT_FOUND_DISCOUNT_CODE, and CONFLICT_DISCOUNT_CODE_REDEEMED for one that
 * an order redeemed, gave back or is redeeming at this moment: its redemptions refer to it.
 */
export async function deleteDiscountCode(
  codes: DiscountCodeRepository,
  owner: Owner,
  id: string,
): Promise<DiscountCodeRecord> {
  try {
    const code = await codes.delete(owner, id);
    if (!code) throw new AppError('NOT_FOUND_DISCOUNT_CODE');
    return code;
  } catch (error) {
    if (isForeignKeyViolation(error, 'discount_redemptions_code_id_fkey'))
      throw new AppError('CONFLICT_DISCOUNT_CODE_REDEEMED', {}, { cause: error });
    throw error;
  }
}
