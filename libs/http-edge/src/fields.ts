import { UUID } from '@reseller/rpc';
import { z } from 'zod';

// Request fields that all edges read alike. Each message completes "<path> …". What a rule in code allows, the document says in
// JSON Schema's words beside it: clients are made of the document.

/** The largest whole number that services keep. */
export const MAX_INT32 = 2_147_483_647;

/** The words for a field that is there; one that is missing is required, whatever it would have to be. */
export const whenGiven =
  (message: string) =>
  ({ input }: { readonly input?: unknown }): string | undefined =>
    input === undefined ? undefined : message;

/** A UUID in any letter case, handed on in lower case. */
export const uuidField = z
  .string()
  .regex(UUID, 'must be a UUID')
  .transform((text) => text.toLowerCase())
  .meta({ format: 'uuid' });

/** Text of so many characters, counted as code points and taken as it stands. */
export const textField = (min: number, max: number) =>
  z
    .string()
    .refine((value) => {
      const length = value.length > max * 2 ? Infinity : [...value].length;
      return length >= min && length <= max;
    }, `must have ${min} to ${max} characters`)
    .meta({ minLength: min, maxLength: max });

/** An integer of a query: digits only (spec §1.9), in the document the number that they stand for. */
export const queryIntegerField = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)
    .meta({
      override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
        delete jsonSchema.pattern;
        Object.assign(jsonSchema, { type: 'integer', minimum: min, maximum: max });
      },
    });

const isoDateTime = z.iso.datetime({
  offset: true,
  error: whenGiven('must be an ISO 8601 date-time with its offset'),
});
const toDate = (value: string): Date => new Date(value);
// What every service can hold.
const isInFourDigitYear = (date: Date): boolean =>
  date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999;

/** A moment of a body, ISO 8601 with its offset, the years 1 to 9999; kept to the millisecond. */
export const dateTimeField = isoDateTime
  .transform(toDate)
  .refine(isInFourDigitYear, 'must be in the years 0001 to 9999');

const LAST_DATE = new Date('9999-12-31T23:59:59.999Z');
// Every time we show is of whole milliseconds. Rounded down, a filter would pass over one that is shown before it.
const toFilter = (value: string): Date => {
  const date = toDate(value);
  return /\.\d{3}0*[1-9]/.test(value) && date < LAST_DATE ? new Date(date.getTime() + 1) : date;
};

/** The same in a query, where it divides the times that are shown; a part of a millisecond counts as a whole one. */
export const queryDateTimeField = z
  .string()
  // An unescaped + arrives as a space.
  .transform((value) => value.replace(/ (?=\d\d:\d\d$)/, '+'))
  .pipe(isoDateTime)
  .transform(toFilter)
  .refine(isInFourDigitYear, 'must be in the years 0001 to 9999')
  .meta({ format: 'date-time' });

/** The rule of a list or body that is looked at although its parts are at fault already; it has to expect anything there. */
export const ALWAYS = { when: () => true };

/**
 * A rule that is looked at where something else is at fault already, so that all faults are named at once (spec §1.2): alone it is the
 * service's to judge, after whatever that looks at first.
 */
export const BESIDE_OTHERS = {
  when: ({ issues }: { readonly issues: readonly unknown[] }) => issues.length > 0,
};

/** Whether a time lies ahead; of what is no moment by itself it has nothing to say. */
export const isInFuture = (at: unknown): boolean => at instanceof Date && at > new Date();

/** Whether a time ends after it began, for a rule that is looked at always: of what is no moment by itself it has nothing to say. */
export const isInOrder = (from: unknown, to: unknown): boolean =>
  !(from instanceof Date && to instanceof Date && from >= to);
