import {
  DiscountType,
  ProductScope,
  type DiscountCode,
  type DiscountTerms as DiscountTermsMessage,
} from '@reseller/contracts';
import { validationFailed, type FieldFault } from '@reseller/errors';
import type { DiscountCodeRecord, DiscountCodeTerms } from './domain/discount-code';

const TYPES = { Percent: DiscountType.PERCENT, FixedAmount: DiscountType.FIXED_AMOUNT } as const;
const SCOPES = { All: ProductScope.ALL, VariantList: ProductScope.VARIANT_LIST } as const;

/** A discount type on the wire. */
export const toDiscountType = (type: keyof typeof TYPES): DiscountType => TYPES[type];

/** A discount type from the wire; it always was one that toDiscountType sent. */
export const fromDiscountType = (type: DiscountType): keyof typeof TYPES =>
  type === TYPES.Percent ? 'Percent' : 'FixedAmount';

/** A code as its message. */
export function toDiscountCode(code: DiscountCodeRecord): DiscountCode {
  return {
    id: code.id,
    partnerId: code.partnerId,
    code: code.code,
    terms: {
      discountType: TYPES[code.discountType],
      value: code.value,
      validFrom: code.validFrom ?? undefined,
      validTo: code.validTo ?? undefined,
      isActive: code.isActive,
      totalUsageCap: code.totalUsageCap ?? undefined,
      perCustomerCap: code.perCustomerCap ?? undefined,
      productScope: SCOPES[code.productScope],
      scopedVariantIds: code.scopedVariantIds,
      minOrderValue: code.minOrderValue ?? undefined,
    },
    usageCount: code.usageCount,
    createdAt: code.createdAt,
    lastModifiedAt: code.lastModifiedAt ?? undefined,
  };
}

/** What is finer than the tables keep: they would round it without a word. */
const FINER_AMOUNT = /\.\d{3}/;
const FINER_PERCENT = /\.\d{5}/;

/**
 * The terms of a request; VALIDATION_FAILED when they name no type or scope, an amount of three decimals or a Percent of five. The
 * tables hold them to the other rules.
 */
export function fromTerms(terms: DiscountTermsMessage | undefined): DiscountCodeTerms {
  const discountType = terms && nameOf(TYPES, terms.discountType);
  const productScope = terms && nameOf(SCOPES, terms.productScope);
  const tooFine = terms ? tooFineOf(terms, discountType) : [];
  if (!terms || !discountType || !productScope || tooFine.length > 0) {
    throw validationFailed([
      ...(discountType ? [] : [{ path: 'discountType', message: 'is required' }]),
      ...(productScope ? [] : [{ path: 'productScope', message: 'is required' }]),
      ...tooFine,
    ]);
  }
  return {
    discountType,
    value: terms.value,
    validFrom: terms.validFrom ?? null,
    validTo: terms.validTo ?? null,
    isActive: terms.isActive,
    totalUsageCap: terms.totalUsageCap ?? null,
    perCustomerCap: terms.perCustomerCap ?? null,
    productScope,
    scopedVariantIds: terms.scopedVariantIds,
    minOrderValue: terms.minOrderValue ?? null,
  };
}

function tooFineOf(
  { value, minOrderValue = '' }: DiscountTermsMessage,
  type: keyof typeof TYPES | undefined,
): FieldFault[] {
  const isPercent = type === 'Percent';
  const faults: FieldFault[] = [];
  if ((isPercent ? FINER_PERCENT : FINER_AMOUNT).test(value))
    faults.push({ path: 'value', message: `has more than ${isPercent ? 'four' : 'two'} decimals` });
  if (FINER_AMOUNT.test(minOrderValue))
    faults.push({ path: 'minOrderValue', message: 'has more than two decimals' });
  return faults;
}

function nameOf<Name extends string, Value>(names: Record<Name, Value>, value: Value): Name | undefined {
  return (Object.keys(names) as Name[]).find((name) => names[name] === value);
}
