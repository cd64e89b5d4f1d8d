import { isCheckViolation, isUniqueViolation } from '@reseller/database';
import { AppError, validationFailed } from '@reseller/errors';
import type { Owner } from '../owner';
import type { DiscountCodeRepository } from './discount-code.repository';
import { storedForm, type DiscountCodeRecord, type DiscountCodeTerms } from './domain/discount-code';

/** What the check discount_code_limit holds (spec §14.4). */
const MOST_CODES = 1_000;

/** What the table holds terms to (spec §6.9): each rule with the field that it is about. */
const RULES = {
  discount_codes_value: { path: 'value', message: 'must be more than zero, and as a percentage at most 100' },
  discount_codes_dates: { path: 'validTo', message: 'must not be before validFrom' },
  discount_codes_total_cap: { path: 'totalUsageCap', message: 'must be at least 1' },
  discount_codes_customer_cap: { path: 'perCustomerCap', message: 'must be 1' },
  discount_codes_minimum: { path: 'minOrderValue', message: 'must be zero or more' },
  discount_codes_scope: { path: 'scopedVariantIds', message: 'must be 1 to 500 of a list, otherwise none' },
};

/**
 * Makes a code; its text is stored in upper case. Throws VALIDATION_FAILED for a scoped variant that does not exist and for terms that
 * the table refuses, at their path, CONFLICT_DISCOUNT_CODE_EXISTS, and BUSINESS_RESOURCE_LIMIT for one too many.
 */
export async function createDiscountCode(
  codes: DiscountCodeRepository,
  owner: Owner,
  { code, terms }: { code: string; terms: DiscountCodeTerms },
): Promise<DiscountCodeRecord> {
  const stored = storedForm(code);
  if (stored === undefined) throw validationFailed([{ path: 'code', message: 'is not a code' }]);
  await requireVariants(codes, terms);
  try {
    return await codes.insert(owner, stored, terms);
  } catch (error) {
    if (isUniqueViolation(error, 'discount_codes_one_text'))
      throw new AppError('CONFLICT_DISCOUNT_CODE_EXISTS', {}, { cause: error });
    if (isCheckViolation(error, 'discount_code_limit'))
      throw new AppError('BUSINESS_RESOURCE_LIMIT', { limit: MOST_CODES }, { cause: error });
    throw unfitTerms(error) ?? error;
  }
}

/** Replaces everything of a code but its text. Throws VALIDATION_FAILED as above, then NOT_FOUND_DISCOUNT_CODE. */
export async function updateDiscountCode(
  codes: DiscountCodeRepository,
  owner: Owner,
  { id, terms }: { id: string; terms: DiscountCodeTerms },
): Promise<DiscountCodeRecord> {
  await requireVariants(codes, terms);
  const code = await codes.update(owner, id, terms).catch((error: unknown) => {
    throw unfitTerms(error) ?? error;
  });
  if (!code) throw new AppError('NOT_FOUND_DISCOUNT_CODE');
  return code;
}

function unfitTerms(error: unknown): AppError | undefined {
  const broken = Object.entries(RULES).find(([constraint]) => isCheckViolation(error, constraint));
  return broken && validationFailed([broken[1]]);
}

async function requireVariants(
  codes: DiscountCodeRepository,
  { scopedVariantIds }: DiscountCodeTerms,
): Promise<void> {
  if (scopedVariantIds.length === 0) return;
  const missing = await codes.findMissingVariants(scopedVariantIds);
  if (missing.length === 0) return;
  throw validationFailed(
    missing.map((index) => ({ path: `scopedVariantIds.${index}`, message: 'is no variant of the catalog' })),
  );
}
