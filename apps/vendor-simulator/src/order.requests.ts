import { SIMULATED_PRODUCTS, type VendorSubmission } from '@reseller/vendor-simulation';
import { z } from 'zod';
import { VendorHttpError } from './http-errors';

/** The platform's order id, which names the order at the vendor too. */
export const keySchema = z
  .string('must be sent')
  .regex(/^[A-Za-z0-9._-]{1,128}$/, 'must be 1 to 128 characters out of A-Za-z0-9._-');

const money = {
  amount: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,2})?$/, 'must be a decimal string with at most two decimals')
    .refine((text) => /[1-9]/.test(text), 'must be more than zero'),
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters'),
};

const RECIPIENTS = {
  phoneNumber: z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be a number in E.164 form'),
  email: z.email('must be an e-mail address').max(254),
};

const bodies = Object.entries(SIMULATED_PRODUCTS).map(([product, { recipient, hasSku }]) =>
  z.strictObject({
    product: z.literal(product),
    [recipient]: RECIPIENTS[recipient],
    ...(hasSku && { productSku: z.string().min(1).max(100) }),
    ...money,
  }),
);

// Cast, for the compiler does not follow names of fields that come from a list; the simulator's tests hold what is taken.
/** The body of POST /v1/orders: for each product that is sold, its own fields. */
export const orderBody = z.discriminatedUnion(
  'product',
  bodies as [(typeof bodies)[number]],
  `product must be one of ${Object.keys(SIMULATED_PRODUCTS).join(', ')}`,
) as unknown as z.ZodType<Omit<VendorSubmission, 'idempotencyKey'>>;

/** The query of GET /v1/journal. */
export const journalQuery = {
  afterSeq: z
    .string()
    .regex(/^\d{1,18}$/, 'must be a whole number')
    .default('0'),
  limit: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number')
    .default('100')
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= 1000, 'must be from 1 to 1000'),
};

/** Reads a request's parts by their shapes; throws INVALID_REQUEST with every fault found. */
export function read<S extends z.ZodRawShape>(
  shape: S,
  given: Record<string, unknown>,
): z.infer<z.ZodObject<S>> {
  const result = z.object(shape).safeParse(given);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => ({
    path: path.filter((part) => part !== 'body').join('.'),
    message,
  }));
  throw new VendorHttpError(400, 'INVALID_REQUEST', 'The request has faults.', { faults });
}
