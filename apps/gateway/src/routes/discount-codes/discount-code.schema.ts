import { z } from 'zod';
import { id, moment, money } from '../../fields/response-fields';
import { ALWAYS, MAX_INT32 } from '@reseller/http-edge';
import { amountFrom, dateTime, eachOnce, integerFrom, uuid } from '../../fields/request-fields';

/** How a discount's value is meant. */
export const DISCOUNT_TYPES = ['Percent', 'FixedAmount'] as const;

/** Which variants a code is for. */
export const PRODUCT_SCOPES = ['All', 'VariantList'] as const;

const MOST_VARIANTS = 500;

/** A discount code with every field of the specification. */
export const discountCode = z
  .strictObject({
    id: id('The id for GET /api/v1/scent/discount-codes/{id}.'),
    partnerId: id('Whose code it is.'),
    code: z.string().meta({ description: 'What customers type; upper case, and never changes.' }),
    discountType: z.enum(DISCOUNT_TYPES),
    value: money('A percentage of the eligible goods, or an amount in SAR.'),
    validFrom: moment('The first moment it applies; null from ever.').nullable(),
    validTo: moment('The last moment it applies; null for ever.').nullable(),
    isActive: z.boolean(),
    totalUsageCap: z.int().nullable().meta({ description: 'How often it can be redeemed in all.' }),
    perCustomerCap: z.int().nullable().meta({ description: '1 when each customer may redeem it once.' }),
    productScope: z.enum(PRODUCT_SCOPES),
    scopedVariantIds: z
      .array(z.guid())
      .nullable()
      .meta({ description: 'The variants of a VariantList; null for All.' }),
    minOrderValue: money('What the eligible goods must come to, in SAR before VAT and discount.').nullable(),
    usageCount: z.int().meta({ description: 'Redemptions by orders that were not cancelled.' }),
    createdAt: moment('When it was made.').nullable(),
    lastModifiedAt: moment('When it was last changed; null before the first change.').nullable(),
  })
  .meta({ id: 'DiscountCode' });

const variantIds = eachOnce(
  z.array(uuid('A variant.')).max(MOST_VARIANTS, `must have at most ${MOST_VARIANTS} variants`),
  'is in the list already',
);

const terms = {
  discountType: z.enum(DISCOUNT_TYPES).meta({ description: 'What value means.' }),
  value: amountFrom(
    0,
    { exclusive: true, decimals: 'four' },
    'A percentage up to 100, or an amount in SAR, which has at most two decimals.',
  ).meta({ example: 10 }),
  validFrom: dateTime('The first moment it applies; from ever when null or absent.').nullish(),
  validTo: dateTime('The last moment it applies; for ever when null or absent.').nullish(),
  isActive: z.boolean().meta({ description: 'An inactive code applies to nothing.' }),
  totalUsageCap: integerFrom(1, MAX_INT32, 'How often it can be redeemed; null for no limit.').nullish(),
  perCustomerCap: integerFrom(1, 1, '1 for once by each customerRef; null for no limit.').nullish(),
  productScope: z.enum(PRODUCT_SCOPES).meta({ description: 'The whole catalog, or scopedVariantIds.' }),
  scopedVariantIds: variantIds
    .nullish()
    .meta({ description: 'With VariantList 1 to 500 different variants; otherwise null, absent or empty.' }),
  minOrderValue: amountFrom(
    0,
    { exclusive: false },
    'What the eligible goods must come to, in SAR.',
  ).nullish(),
};

const code = z
  .string()
  .regex(/^[A-Za-z0-9_-]{3,40}$/, 'must be 3 to 40 letters, digits, - or _')
  .meta({
    description: 'What customers type. Stored in upper case; letter case does not count.',
    example: 'SUMMER-10',
  });

// Whatever a rule reads may still be unfit by itself, and then the rule is silent.
type Unsure<T> = { [K in keyof T]?: unknown };
type Terms = Unsure<typeof terms>;

/** The rules between fields, looked at whatever else is at fault, so that all faults are named at once (spec §1.2). */
const withRules = <S extends z.ZodObject>(schema: S): S =>
  schema
    .refine((body: Terms) => !(body.discountType === 'Percent' && isOver(body.value, 100)), {
      ...ALWAYS,
      path: ['value'],
      error: 'must be at most 100 for Percent',
    })
    .refine((body: Terms) => !(body.discountType === 'FixedAmount' && isFinerThanHalalas(body.value)), {
      ...ALWAYS,
      path: ['value'],
      error: 'must have at most two decimals for FixedAmount',
    })
    .refine((body: Terms) => !isAfter(body.validFrom, body.validTo), {
      ...ALWAYS,
      path: ['validTo'],
      error: 'must not be before validFrom',
    })
    .refine((body: Terms) => !(body.productScope === 'VariantList' && countOf(body.scopedVariantIds) === 0), {
      ...ALWAYS,
      path: ['scopedVariantIds'],
      error: 'must have at least one variant for VariantList',
    })
    .refine((body: Terms) => !(body.productScope === 'All' && countOf(body.scopedVariantIds) > 0), {
      ...ALWAYS,
      path: ['scopedVariantIds'],
      error: 'must be empty for All',
    });

// Text is what a fit amount is handed on as.
const isOver = (value: unknown, most: number): boolean => typeof value === 'string' && Number(value) > most;

const isFinerThanHalalas = (value: unknown): boolean => typeof value === 'string' && /\.\d{3}/.test(value);

const isAfter = (from: unknown, to: unknown): boolean =>
  from instanceof Date && to instanceof Date && from > to;

function countOf(list: unknown): number {
  if (list === null || list === undefined) return 0;
  return Array.isArray(list) ? list.length : Number.NaN;
}

/** The body of a PATCH: every field states its final value, and what is absent becomes null. */
export const discountCodeTerms = withRules(z.strictObject(terms));

/** The body of a create. */
export const newDiscountCode = withRules(z.strictObject({ code, ...terms }));

/** Why a code does not apply, in the order in which the reasons are looked at. */
export const DISCOUNT_REFUSALS = [
  'Unknown',
  'Inactive',
  'NotStarted',
  'Expired',
  'UsageCapReached',
  'CustomerCapReached',
  'CustomerRefRequired',
  'BelowMinimumOrder',
  'NoEligibleLines',
] as const;
