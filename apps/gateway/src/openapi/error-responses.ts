import { ERROR_CATALOGUE, type ErrorCode } from '@reseller/errors';
import { z } from 'zod';
import type {
  ZodOpenApiExampleObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { pascal } from './names';
import { responseHeaders } from './headers';

const errorEnvelope = z
  .object({
    state: z.string().meta({ description: 'The error code.' }),
    // Not `type: null`, of which some generators make a class and at which others give up.
    payload: z.null().meta({
      override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
        delete jsonSchema.type;
        jsonSchema.const = null;
      },
    }),
    details: z.looseObject({
      message: z.string().meta({ description: 'One plain sentence, safe to show.' }),
      requestId: z.string().meta({ description: 'Equal to the X-Request-Id header.' }),
      errors: z
        .array(z.object({ path: z.string(), message: z.string() }).meta({ id: 'Fault' }))
        .optional()
        .meta({
          description:
            'With VALIDATION_FAILED: one entry for each fault, up to 50; then one with an empty path says how many are left out.',
        }),
    }),
  })
  .meta({ id: 'Error' });

const REQUEST_ID = '5f0c2b1e-8a34-4c57-9f21-6f1f0e9f7a10';
const ORDER_ID = '019a2f40-1c2d-7e55-8b1a-3f4e5d6c7b8a';

/** What `details` holds besides message and requestId, by code. */
const DETAILS: Partial<Record<ErrorCode, Readonly<Record<string, unknown>>>> = {
  VALIDATION_FAILED: { errors: [{ path: 'amount', message: 'must be more than 0' }] },
  CONFLICT_ORDER_IN_PROGRESS: { orderId: ORDER_ID },
  CONFLICT_ORDER_INTERVENTION_REQUIRED: { orderId: ORDER_ID },
  CONFLICT_DUPLICATE_EXTERNAL_REFERENCE: { mismatchedFields: ['amount'] },
  BUSINESS_AMOUNT_OUT_OF_RANGE: { minAmount: 5, maxAmount: 500, currency: 'SAR' },
  BUSINESS_PRICE_MISMATCH: { mismatchedFields: ['amount', 'validityDays'] },
  BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE: { reason: 'Expired' },
  BUSINESS_INSUFFICIENT_STOCK: { variantIds: ['019a2f3e-0d1c-7a2b-8c3d-4e5f60718293'] },
  BUSINESS_PHONE_NOT_IN_GEO_SCOPE: { country: 'SA' },
  BUSINESS_RESOURCE_LIMIT: { limit: 20 },
  BUSINESS_ORDER_AMOUNT_LIMIT: { limit: 50 },
  BUSINESS_SPENDING_LIMIT: { limit: 100 },
  BUSINESS_RECIPIENT_LIMIT: { limit: 1 },
};

function exampleOf(code: ErrorCode): ZodOpenApiExampleObject {
  const details = { message: ERROR_CATALOGUE[code].message, requestId: REQUEST_ID, ...DETAILS[code] };
  return { id: code, summary: details.message, value: { state: code, payload: null, details } };
}

const examples = new Map<ErrorCode, ZodOpenApiExampleObject>();
const responses = new Map<string, ZodOpenApiResponseObject>();

/** What `make` made for the key the first time: a component is one object wherever it is referred to. */
function once<K, V>(made: Map<K, V>, key: K, make: (key: K) => V): V {
  const value = made.get(key) ?? make(key);
  made.set(key, value);
  return value;
}

/** The response of some codes of one status; one that holds a single code is a component, named after it. */
function responseOf(codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const [first] = codes;
  return {
    ...(codes.length === 1 && first && { id: pascal(first.toLowerCase()) }),
    description: codes.map((code) => `\`${code}\`: ${ERROR_CATALOGUE[code].message}`).join('\n\n'),
    headers: responseHeaders(codes),
    content: {
      'application/json': {
        schema: errorEnvelope,
        examples: Object.fromEntries(codes.map((code) => [code, once(examples, code, exampleOf)])),
      },
    },
  };
}

/** The responses of an operation that may return these codes, by status. */
export function errorResponses(codes: readonly ErrorCode[]): ZodOpenApiResponsesObject {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERROR_CATALOGUE[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      String(status),
      once(responses, group.join(' '), () => responseOf(group)),
    ]),
  );
}
