import { Environment, type PageRequest } from '@reseller/contracts';
import { z } from 'zod';

// Request fields as operators send them. Each message completes "<path> …". A number arrives exactly as it was written
// (libs/http-edge), so that its shortest text is its exact decimal.

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const MAX_INT32 = 2_147_483_647;

const ENVIRONMENTS = { sandbox: Environment.SANDBOX, live: Environment.LIVE } as const;

/** A UUID in any letter case, handed on in lower case. */
export const uuid = z
  .string()
  .regex(GUID, 'must be a UUID')
  .transform((text) => text.toLowerCase());

/** sandbox or live, handed on as the contract's value. */
export const environment = z.enum(['sandbox', 'live']).transform((name) => ENVIRONMENTS[name]);

/** Text of so many characters, counted as code points. */
export const text = (min: number, max: number) =>
  z.string().refine((value) => {
    const length = [...value].length;
    return length >= min && length <= max;
  }, `must have ${min} to ${max} characters`);

/** Why an operator did something. */
export const notes = text(1, 500);

/** What turns an eSIM on, for one resolved as Completed whose vendor has no such data (spec §12). */
export const activation = {
  esimIccid: text(1, 64).nullish(),
  esimQrCode: text(1, 500).startsWith('LPA:1$', 'must start with LPA:1$').nullish(),
  esimActivationCode: text(1, 255).nullish(),
  esimPlanDetails: text(1, 500).nullish(),
};

const twoDecimals = /^-?\d{1,13}(\.\d{1,2})?$/;

/** An amount of SAR, handed on as exact decimal text. */
const sar = z.number().refine((value) => twoDecimals.test(String(value)), 'must have at most two decimals');

/** More than zero. */
export const positiveAmount = sar.refine((value) => value > 0, 'must be more than 0').transform(String);

/** Zero or more. */
export const amountOrZero = sar.refine((value) => value >= 0, 'must be 0 or more').transform(String);

/** A whole number of a body. */
export const wholeNumber = (min: number, max: number) =>
  z
    .int(`must be a whole number from ${min} to ${max}`)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

/** true or false in a query. */
export const queryFlag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** Anything but zero. */
export const nonZeroAmount = sar.refine((value) => value !== 0, 'must not be 0').transform(String);

/** Display units for one SAR, handed on as exact decimal text. */
export const rate = z
  .number()
  .refine((value) => value > 0, 'must be more than 0')
  .refine((value) => /^\d{1,12}(\.\d{1,6})?$/.test(String(value)), 'must have at most six decimals')
  .transform(String);

/** A share of one, for example 0.1 for 10 %; handed on as decimal text. */
export const fraction = z
  .number()
  .refine((value) => value >= 0 && value <= 1, 'must be a fraction from 0 to 1')
  .refine((value) => /^[01](\.\d{1,6})?$/.test(String(value)), 'must have at most six decimals')
  .transform(String);

const queryInteger = (max: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, `must be a whole number from 1 to ${max}`)
    .transform(Number)
    .refine((value) => value >= 1 && value <= max, `must be a whole number from 1 to ${max}`);

/** The fields that choose a page (spec §1.6). */
export const pageQuery = {
  page: queryInteger(MAX_INT32).default(1),
  pageSize: queryInteger(100).default(20),
};

/** The page of a query as neighbours take it. */
export const pageOf = (query: { page: number; pageSize: number }): PageRequest => ({
  page: query.page,
  pageSize: query.pageSize,
});

/** A moment of a query, ISO 8601 with its offset. */
export const queryMoment = z
  .string()
  // An unescaped + arrives as a space.
  .transform((value) => value.replace(/ (?=\d\d:\d\d$)/, '+'))
  .pipe(z.iso.datetime({ offset: true, error: 'must be an ISO 8601 date-time with its offset' }))
  .transform((value) => new Date(value))
  .refine(
    (date) => date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999,
    'must be in the years 0001 to 9999',
  );

/** A moment of a body, ISO 8601 with its offset, the years 1 to 9999. */
export const moment = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 date-time with its offset' })
  .transform((value) => new Date(value))
  .refine(
    (date) => date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999,
    'must be in the years 0001 to 9999',
  );
