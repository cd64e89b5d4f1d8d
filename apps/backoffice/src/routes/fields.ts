import type { PageRequest } from '@reseller/contracts';
import { isPrintable } from '@reseller/errors';
import {
  dateTimeField,
  MAX_INT32,
  queryDateTimeField,
  queryIntegerField,
  textField,
  uuidField,
  whenGiven,
} from '@reseller/http-edge';
import { environmentOf } from '@reseller/rpc';
import { z } from 'zod';

// Request fields as operators send them. Each message completes "<path> …". A number arrives exactly as it was written
// (libs/http-edge), so that its shortest text is its exact decimal.

/** The id in every example of a call. */
export const EXAMPLE_ID = '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10';

export { dateTimeField as moment, queryDateTimeField as queryMoment, textField as text, uuidField as uuid };

/** sandbox or live, handed on as the contract's value. */
export const environment = z.enum(['sandbox', 'live']).transform(environmentOf);

/** Text of 1 to so many characters, not only spaces, without control characters. */
export const printable = (most: number) =>
  z
    .string()
    .refine(
      (value) => isPrintable(value, most),
      `must be 1 to ${most} characters, not only spaces, without control characters`,
    )
    .meta({
      description: 'Not only spaces, without control characters.',
      minLength: 1,
      maxLength: most,
    });

/** Why an operator did something. */
export const notes = textField(1, 500);

/** What turns an eSIM on, for one resolved as Completed whose vendor has no such data (spec §12). */
export const activation = {
  esimIccid: textField(1, 64).nullish(),
  esimQrCode: textField(1, 500).startsWith('LPA:1$', 'must start with LPA:1$').nullish(),
  esimActivationCode: textField(1, 255).nullish(),
  esimPlanDetails: textField(1, 500).nullish(),
};

/** An amount of SAR, handed on as exact decimal text; fifteen significant digits are what a JSON number carries without loss. */
const sar = z
  .number()
  .refine((value) => value < 1e13, { error: 'must be less than 10,000,000,000,000', abort: true })
  .refine((value) => value > -1e13, { error: 'must be more than -10,000,000,000,000', abort: true })
  .refine((value) => /^-?\d+(\.\d{1,2})?$/.test(String(value)), 'must have at most two decimals');

// Not multipleOf 0.01: validators divide in binary and would turn 8.20 away.
const TWO_DECIMALS = { description: 'At most two decimals.', exclusiveMaximum: 1e13 };

/** More than zero. */
export const positiveAmount = sar
  .refine((value) => value > 0, 'must be more than 0')
  .transform(String)
  .meta({ ...TWO_DECIMALS, exclusiveMinimum: 0 });

/** Zero or more. */
export const amountOrZero = sar
  .refine((value) => value >= 0, 'must be 0 or more')
  .transform(String)
  .meta({ ...TWO_DECIMALS, minimum: 0 });

/** Anything but zero. */
export const nonZeroAmount = sar
  .refine((value) => value !== 0, 'must not be 0')
  .transform(String)
  .meta({ ...TWO_DECIMALS, description: 'Not 0; at most two decimals.', exclusiveMinimum: -1e13 });

/** A whole number of a body. */
export const wholeNumber = (min: number, max: number) =>
  z
    .int({ error: whenGiven(`must be a whole number from ${min} to ${max}`) })
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)
    .meta({ minimum: min, maximum: max });

/** true or false in a query. */
export const queryFlag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** Display units for one SAR, handed on as exact decimal text; what is larger leaves no room for amounts in a JSON number (spec §3.3). */
export const rate = z
  .number()
  .refine((value) => value > 0, 'must be more than 0')
  .refine((value) => value < 1_000_000, 'must be less than 1000000')
  .refine((value) => /^\d+(\.\d{1,6})?$/.test(String(value)), 'must have at most six decimals')
  .transform(String)
  .meta({ description: 'At most six decimals.', exclusiveMinimum: 0, exclusiveMaximum: 1_000_000 });

/** A share of one, for example 0.1 for 10 %; handed on as decimal text. */
export const fraction = z
  .number()
  .refine((value) => value >= 0 && value <= 1, 'must be a fraction from 0 to 1')
  .refine((value) => /^[01](\.\d{1,6})?$/.test(String(value)), 'must have at most six decimals')
  .transform(String)
  .meta({ description: 'At most six decimals.', minimum: 0, maximum: 1 });

// An unescaped + of a query arrives as a space.
const WITHOUT_PLUS = /^ (?=\d{7,15}$)/;

/** A phone number of a query, compared as it stands. */
export const queryPhoneNumber = z
  .string()
  .transform((value) => value.replace(WITHOUT_PLUS, '+'))
  .pipe(textField(1, 32))
  .meta({ minLength: 1, maxLength: 32 });

/** What is searched for, without the spaces around it. */
export const searchText = z
  .string()
  .transform((value) => value.replace(WITHOUT_PLUS, '+').trim())
  .pipe(textField(1, 200))
  .meta({ description: 'At most 200 characters without the spaces around it.', minLength: 1 });

/** Which end of a list comes first; newest where it is absent. */
export const sortQuery = { sort: z.enum(['newest', 'oldest']).optional() };

/** The fields that choose a page (spec §1.6). */
export const pageQuery = {
  page: queryIntegerField(1, MAX_INT32).default(1),
  pageSize: queryIntegerField(1, 100).default(20),
};

/** The page of a query as services take it. */
export const pageOf = ({ page, pageSize }: PageRequest): PageRequest => ({ page, pageSize });
