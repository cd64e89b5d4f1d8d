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

function exampleOf(code: ErrorCode): ZodOpenApiExampleObject {
  const errors =
    code === 'VALIDATION_FAILED' ? { errors: [{ path: 'amount', message: 'must be more than 0' }] } : {};
  const details = { message: ERROR_CATALOGUE[code].message, requestId: REQUEST_ID, ...errors };
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
