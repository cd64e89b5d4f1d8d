import { DiscountType, ProductScope, type DiscountCode, type DiscountTerms } from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import { present, presentEnum, presentMoment, presentOptionalAmount } from '@reseller/presenters';
import type { z } from 'zod';
import type { discountCode, discountCodeTerms, DISCOUNT_TYPES, PRODUCT_SCOPES } from './discount-code.schema';

type TypeName = (typeof DISCOUNT_TYPES)[number];
type ScopeName = (typeof PRODUCT_SCOPES)[number];

const TYPE_NAMES: Partial<Record<DiscountType, TypeName>> = {
  [DiscountType.PERCENT]: 'Percent',
  [DiscountType.FIXED_AMOUNT]: 'FixedAmount',
};
const SCOPE_NAMES: Partial<Record<ProductScope, ScopeName>> = {
  [ProductScope.ALL]: 'All',
  [ProductScope.VARIANT_LIST]: 'VariantList',
};
const TYPES: Record<TypeName, DiscountType> = {
  Percent: DiscountType.PERCENT,
  FixedAmount: DiscountType.FIXED_AMOUNT,
};
const SCOPES: Record<ScopeName, ProductScope> = {
  All: ProductScope.ALL,
  VariantList: ProductScope.VARIANT_LIST,
};

/** The public name of a discount's type. */
export const presentDiscountType = (type: DiscountType): TypeName => presentEnum(TYPE_NAMES, type);

/** A discount code as partners read it. */
export function presentDiscountCode(message: DiscountCode | undefined): z.input<typeof discountCode> {
  const { id, partnerId, code, usageCount, createdAt, lastModifiedAt, ...rest } = present(
    message,
    'discountCode',
  );
  const terms = present(rest.terms, 'terms');
  const productScope = presentEnum(SCOPE_NAMES, terms.productScope);
  return {
    id,
    partnerId,
    code,
    discountType: presentDiscountType(terms.discountType),
    value: toJsonNumber(terms.value),
    validFrom: presentMoment(terms.validFrom),
    validTo: presentMoment(terms.validTo),
    isActive: terms.isActive,
    totalUsageCap: terms.totalUsageCap ?? null,
    perCustomerCap: terms.perCustomerCap ?? null,
    productScope,
    scopedVariantIds: productScope === 'All' ? null : terms.scopedVariantIds,
    minOrderValue: presentOptionalAmount(terms.minOrderValue),
    usageCount,
    createdAt: presentMoment(createdAt),
    lastModifiedAt: presentMoment(lastModifiedAt),
  };
}

/** The terms of a body as the service takes them; null and absent are one. */
export function toDiscountTerms(body: z.output<typeof discountCodeTerms>): DiscountTerms {
  return {
    discountType: TYPES[body.discountType],
    value: body.value,
    validFrom: body.validFrom ?? undefined,
    validTo: body.validTo ?? undefined,
    isActive: body.isActive,
    totalUsageCap: body.totalUsageCap ?? undefined,
    perCustomerCap: body.perCustomerCap ?? undefined,
    productScope: SCOPES[body.productScope],
    scopedVariantIds: body.scopedVariantIds ?? [],
    minOrderValue: body.minOrderValue ?? undefined,
  };
}
