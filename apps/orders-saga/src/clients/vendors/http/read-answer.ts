import { z } from 'zod';
import type { VendorKnowledge } from '../domain/vendor';
import { CallFailure } from './call-failure';

/** A whole HTTP answer of a vendor. */
export interface HttpAnswer {
  readonly method: 'GET' | 'POST';
  readonly statusCode: number;
  readonly text: string;
}

const activationShape = z.object({
  iccid: z.string(),
  activationCode: z.string().startsWith('LPA:1$'),
  matchingId: z.string(),
  planDetails: z.string(),
});

const answerShape = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('success'),
    vendorOrderId: z.string(),
    activation: activationShape.nullish(),
  }),
  z.object({
    status: z.literal('refused'),
    vendorOrderId: z.string().nullish(),
    reason: z.string().nullish(),
  }),
  z.object({ status: z.literal('pending'), vendorOrderId: z.string().nullish() }),
  z.object({
    status: z.literal('unknown'),
    vendorOrderId: z.string().nullish(),
    activation: activationShape.nullish(),
  }),
]);

const notFoundShape = z.object({ error: z.object({ code: z.literal('ORDER_NOT_FOUND') }) });
const tookNothingShape = z.object({ error: z.object({ taken: z.literal(false) }) });

const LONGEST_REASON = 500;
// Answers to one request that is unfit in itself; whoever gives them is well.
const ABOUT_THE_REQUEST = [400, 409, 413, 415];

/**
 * What an answer says by the contract; anything else is a CallFailure. Only a 200 with a status of the contract
 * decides anything, and only its own 404 to an inquiry says "never heard of it": all else, a proxy's 404 too, leaves the
 * outcome open, since only a vendor's refusal makes an order Failed. An error to a submission may say `taken: false`.
 */
export function readAnswer(vendor: string, answer: HttpAnswer): VendorKnowledge {
  const { method, statusCode } = answer;
  const body = parseJson(answer.text);
  if (statusCode === 404 && method === 'GET' && notFoundShape.safeParse(body).success)
    return { kind: 'not-found' };
  const parsed = statusCode === 200 ? answerShape.safeParse(body) : undefined;
  if (parsed?.success) return toKnowledge(parsed.data);
  const tookNothing = statusCode >= 400 && method === 'POST' && tookNothingShape.safeParse(body).success;
  throw new CallFailure(
    `vendor ${vendor} answered ${statusCode} ${tookNothing ? 'and took nothing' : 'without an outcome'}`,
    { tookNothing, isFault: !tookNothing && !ABOUT_THE_REQUEST.includes(statusCode) },
  );
}

function toKnowledge(answer: z.infer<typeof answerShape>): VendorKnowledge {
  const vendorOrderId = answer.vendorOrderId ?? undefined;
  switch (answer.status) {
    case 'success':
      return {
        kind: 'success',
        vendorOrderId: answer.vendorOrderId,
        activation: answer.activation ?? undefined,
      };
    case 'refused': {
      const reason = answer.reason?.slice(0, LONGEST_REASON) || 'The vendor refused the order.';
      return { kind: 'refused', vendorOrderId, reason };
    }
    case 'pending':
      return { kind: 'pending', vendorOrderId };
    case 'unknown':
      return { kind: 'unknown', vendorOrderId, activation: answer.activation ?? undefined };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
