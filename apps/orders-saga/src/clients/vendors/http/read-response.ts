import { z } from 'zod';
import type { DeliveryShapes, VendorDelivery, VendorKnowledge } from '../domain/vendor';
import { CallFailure } from './call-failure';

/** A whole HTTP response of a vendor. */
export interface VendorHttpResponse {
  readonly method: 'GET' | 'POST';
  readonly statusCode: number;
  readonly text: string;
}

/** What an index holds of it: a longer one is no id, and the outcome stays open. */
const LONGEST_ID = 200;
const vendorOrderId = z.string().max(LONGEST_ID);
const responseSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('success'), vendorOrderId }),
  z.object({
    status: z.literal('refused'),
    vendorOrderId: vendorOrderId.nullish(),
    reason: z.string().nullish(),
  }),
  z.object({ status: z.literal('pending'), vendorOrderId: vendorOrderId.nullish() }),
  z.object({ status: z.literal('unknown'), vendorOrderId: vendorOrderId.nullish() }),
]);

const notFoundShape = z.object({ error: z.object({ code: z.literal('ORDER_NOT_FOUND') }) });
const notAcceptedShape = z.object({ error: z.object({ taken: z.literal(false) }) });

const LONGEST_REASON = 500;
// Responses to one request that is unfit in itself; whoever gives them is well.
const ABOUT_THE_REQUEST = [400, 409, 413, 415];

/**
 * What a response says by the contract; anything else is a CallFailure. Only a 200 with a status of the contract
 * decides anything, and only its own 404 to an inquiry says "never heard of it": all else, a proxy's 404 too, leaves the
 * outcome open, since only a vendor's refusal makes an order Failed. An error to a submission may say `taken: false`.
 */
export function readResponse(
  vendor: string,
  response: VendorHttpResponse,
  shapes: DeliveryShapes,
): VendorKnowledge {
  const { method, statusCode } = response;
  const body = parseJson(response.text);
  if (statusCode === 404 && method === 'GET' && notFoundShape.safeParse(body).success)
    return { kind: 'not-found' };
  const known = statusCode === 200 ? toKnowledge(body, shapes) : undefined;
  if (known) return known;
  const notAccepted = statusCode >= 400 && method === 'POST' && notAcceptedShape.safeParse(body).success;
  throw new CallFailure(
    `vendor ${vendor} returned ${statusCode} ${notAccepted ? 'and accepted nothing' : 'without an outcome'}`,
    { notAccepted, isFault: !notAccepted && !ABOUT_THE_REQUEST.includes(statusCode) },
  );
}

function toKnowledge(body: unknown, shapes: DeliveryShapes): VendorKnowledge | undefined {
  const response = responseSchema.safeParse(body).data;
  if (!response) return undefined;
  const vendorOrderId = response.vendorOrderId ?? undefined;
  switch (response.status) {
    case 'refused': {
      // Cut inside of a pair, half of it would be left.
      const reason = storable(response.reason?.slice(0, LONGEST_REASON)) || 'The vendor refused the order.';
      return { kind: 'refused', vendorOrderId, reason };
    }
    case 'pending':
      return { kind: 'pending', vendorOrderId };
    case 'success': {
      const delivery = toDelivery(body, shapes);
      return delivery && { kind: 'success', vendorOrderId: response.vendorOrderId, delivery };
    }
    case 'unknown': {
      const delivery = toDelivery(body, shapes);
      return delivery && { kind: 'unknown', vendorOrderId, delivery };
    }
  }
}

/** What was delivered; undefined when a field of it has not its shape, which makes the whole response none. */
function toDelivery(body: unknown, shapes: DeliveryShapes): VendorDelivery | undefined {
  const fields = Object.entries(shapes).map(([name, shape]) => [name, shape.nullish()] as const);
  const given = z.object(Object.fromEntries(fields)).safeParse(body).data;
  return given && Object.fromEntries(Object.entries(given).filter(([, value]) => value != null));
}

// What JSON may escape and PostgreSQL does not read: a NUL, half of a pair.
const storable = <T>(value: T): T | string =>
  typeof value === 'string' ? value.replace(/[\0\p{Surrogate}]/gu, '\uFFFD') : value;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown) => storable(value)) as unknown;
  } catch {
    return undefined;
  }
}
