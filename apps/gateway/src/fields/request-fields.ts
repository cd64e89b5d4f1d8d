import {
  ALWAYS,
  dateTimeField,
  MAX_INT32,
  queryDateTimeField,
  queryIntegerField,
  textField,
  uuidField,
} from '@reseller/http-edge';
import { Decimal } from '@reseller/money';
import { z } from 'zod';
import type {} from 'zod-openapi';

// Request fields as partners send them. Each message completes "<path> …" and is shown to partners.

/** A UUID in any letter case, handed on in lower case. */
export const uuid = (description: string) =>
  uuidField.meta({ description, format: 'uuid', example: '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10' });

/** A UUID that filters a list; without an example, which the reference would fill in and so filter by. */
export const uuidFilter = (description: string) =>
  uuid(description).meta({ description, example: undefined });

/** Text of so many characters, counted as code points and taken as it stands. */
export const text = (description: string, { min, max }: { min: number; max: number }) =>
  textField(min, max).meta({ description, minLength: min, maxLength: max });

/**
 * An amount of money as a JSON number: more than zero, at most two decimals; handed on as exact decimal text.
 * Fifteen significant digits are what a JSON number carries without loss in every language.
 */
export const amount = (description: string) =>
  z
    .number()
    .refine((value) => value > 0, { error: 'must be more than 0', abort: true })
    .refine((value) => value < 1e13, { error: 'must be less than 10,000,000,000,000', abort: true })
    .refine((value) => /^\d+(\.\d{1,2})?$/.test(String(value)), 'must have at most two decimals')
    .transform(String)
    // Not multipleOf 0.01: validators divide in binary and would turn 8.20 away.
    .meta({ description: `${description} At most two decimals.`, exclusiveMinimum: 0, example: 25.5 });

/** A phone number in E.164 form. */
export const phoneNumber = (description: string) =>
  z
    .string()
    .regex(/^\+[1-9]\d{6,14}$/, 'must be a phone number in E.164 form, for example +966501234567')
    .meta({ description, example: '+966501234567' });

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const EMAIL = new RegExp(`^(?=.{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+${LABEL}$`);

/** An e-mail address as SMTP carries it, in ASCII: a local part of at most 64 characters and a domain with a dot. */
export const email = (description: string) =>
  z
    .string()
    .max(254, { error: 'must have at most 254 characters', abort: true })
    .regex(EMAIL, 'must be an e-mail address')
    .meta({ description, format: 'email', example: 'traveller@example.com' });

/** Text that names something by id, sku or the like. */
export const name = (description: string) => text(description, { min: 1, max: 128 });

/** A number above zero that is only compared; handed on as exact decimal text. */
export const positiveNumber = (description: string) =>
  z
    .number()
    .refine((value) => value > 0, { error: 'must be more than 0', abort: true })
    .refine((value) => value < 1e9, 'must be less than 1,000,000,000')
    // Plain digits: the shortest text of a very small number has an exponent.
    .transform((value) => new Decimal(value).toFixed())
    .meta({ description, exclusiveMinimum: 0 });

/** A whole number from 1. */
export const positiveInteger = (description: string) =>
  z
    .int()
    .min(1, { error: 'must be at least 1', abort: true })
    .max(MAX_INT32, 'is too large')
    .meta({ description });

/** A moment of a query, ISO 8601 with its offset; the years 1 to 9999, which every service can hold. */
export const queryDateTime = (description: string) =>
  queryDateTimeField
    // In words and not as an example: the reference would fill it in and so filter every list that is tried out.
    .meta({ description: `${description} For example 2026-01-31T00:00:00Z.`, format: 'date-time' });

/** An integer of a query that may be left out; described as the number it stands for. */
export const queryInteger = (description: string, bounds: { min: number; max: number; byDefault: number }) =>
  queryIntegerField(bounds.min, bounds.max)
    .default(bounds.byDefault)
    .meta({
      description,
      example: bounds.byDefault,
      override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
        delete jsonSchema.pattern;
        const { min: minimum, max: maximum, byDefault } = bounds;
        Object.assign(jsonSchema, { type: 'integer', minimum, maximum, default: byDefault });
      },
    });

/** The fields that choose a page (spec §1.6). */
export const pageQuery = {
  page: queryInteger('Which page, from 1.', { min: 1, max: MAX_INT32, byDefault: 1 }),
  pageSize: queryInteger('Items a page.', { min: 1, max: 100, byDefault: 20 }),
};

/** The filters of a list of orders; each product adds its statuses. */
export const submittedBetween = {
  fromDate: queryDateTime('Submitted at or after this moment.').optional(),
  toDate: queryDateTime('Submitted before this moment.').optional(),
};

/** The optional fields that repeat whose request it is; the pipeline holds them to the token (spec §2.2). */
export const ownPartner = {
  partnerId: uuid('Your own partner id. May be left out; any other is refused.').nullish(),
  partnerGlobalId: text('Your own partner global id. May be left out; any other is refused.', {
    min: 1,
    max: 128,
  })
    .nullish()
    .meta({ example: 'PRT-000001' }),
};

/** The partner's idempotency key. */
export const externalReference = text(
  'Your own key for this order, for ever unique among your orders of a product.',
  {
    min: 1,
    max: 128,
  },
).meta({ example: 'INV-2026-0042' });

/** Echoed on the order. */
export const sagaId = name('Echoed as the order’s sagaId; generated when absent.').nullish();

/**
 * A JSON number with one rule of its own; handed on as exact decimal text. Unlike chained rules, a fault here does not keep
 * the rules between fields of its body from being looked at, so that all faults are named at once (spec §1.2).
 */
const ruledNumber = (faultOf: (value: number) => string | undefined) =>
  z
    .number()
    .superRefine((value, context) => {
      const fault = faultOf(value);
      if (fault !== undefined) context.addIssue(fault);
    })
    .transform(String);

const DECIMALS = { two: /^\d+(\.\d{1,2})?$/, four: /^\d+(\.\d{1,4})?$/ };

interface AmountRule {
  readonly exclusive: boolean;
  /** How many decimals it may have; two unless stated. */
  readonly decimals?: keyof typeof DECIMALS;
}

/** A number of at least `from`, or above it, with at most so many decimals; handed on as exact decimal text. */
export const amountFrom = (from: number, { exclusive, decimals = 'two' }: AmountRule, description: string) =>
  ruledNumber((value) => {
    if (exclusive ? value <= from : value < from)
      return `must be ${exclusive ? 'more than' : 'at least'} ${from}`;
    if (value >= 1e13) return 'must be less than 10,000,000,000,000';
    return DECIMALS[decimals].test(String(value)) ? undefined : `must have at most ${decimals} decimals`;
  }).meta({
    description: `${description} At most ${decimals} decimals.`,
    ...(exclusive ? { exclusiveMinimum: from } : { minimum: from }),
  });

/** A whole number within bounds, in a body whose fields have rules between them. */
export const integerFrom = (min: number, max: number, description: string) =>
  z
    .number()
    .superRefine((value, context) => {
      if (!Number.isInteger(value)) context.addIssue('must be a whole number');
      else if (value < min || value > max)
        context.addIssue(min === max ? `must be ${min}` : `must be from ${min} to ${max}`);
    })
    .meta({
      description,
      override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
        delete jsonSchema['format'];
        Object.assign(jsonSchema, { type: 'integer', minimum: min, maximum: max });
      },
    });

/** A moment of a body, ISO 8601 with its offset; kept to the millisecond, the years 1 to 9999. */
export const dateTime = (description: string) =>
  dateTimeField.meta({ description, format: 'date-time', example: '2026-01-31T00:00:00Z' });

/** true or false in a query. */
export const queryBoolean = (description: string) =>
  z
    .enum(['true', 'false'], 'must be true or false')
    .transform((value) => value === 'true')
    .meta({ description });

/** A partner's customer, compared exactly: 1 to 128 characters without control characters (spec §6.1). */
export const customerRef = (description: string) =>
  text(description, { min: 1, max: 128 }).refine(
    (value) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value),
    'must not hold control characters',
  );

/**
 * A list that names nothing twice, an item being known by its field or, without one, by itself; each repeat is a fault of its
 * own, named beside whatever else is at fault (spec §1.2).
 */
export const eachOnce = <L extends z.ZodArray>(list: L, message: string, field?: string): L =>
  list.superRefine((items: unknown, context) => {
    if (!Array.isArray(items)) return;
    const seen = new Set<unknown>();
    items.forEach((item: unknown, index) => {
      const key = field === undefined ? item : fieldOf(item, field);
      if (key === undefined) return;
      const path = field === undefined ? [index] : [index, field];
      if (seen.has(key)) context.addIssue({ code: 'custom', path, message });
      seen.add(key);
    });
  }, ALWAYS);

const fieldOf = (item: unknown, field: string): unknown =>
  typeof item === 'object' && item !== null ? (item as Record<string, unknown>)[field] : undefined;

/** The body of a change that takes none: absent, or an empty object. */
export const noBody = z.strictObject({});
