import type { ErrorCode } from '@reseller/errors';
import { z } from 'zod';
import { KEY_HEADER } from '../pipeline/idempotency-key';
import type { Route } from '../routes/route';
import { FAULT_HEADER, sandboxFault } from '../sandbox/sandbox-fault';

const requestId = z.string().meta({
  description: 'Yours if you sent one of 1-128 letters, digits, . _ or -; otherwise ours.',
  header: { id: 'RequestId' },
});

const WAIT = 'Seconds to wait before the request is sent again.';
const retryAfter = z.int().meta({ description: WAIT, header: { id: 'RetryAfter' } });
const mayRetryAfter = z
  .int()
  .optional()
  .meta({ description: `${WAIT} Absent where waiting does not help.`, header: { id: 'MayRetryAfter' } });

const WAITING = new Set<ErrorCode>([
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
  'CONFLICT_ORDER_IN_PROGRESS',
  'CONFLICT_REQUEST_IN_PROGRESS',
]);

/** The headers of a response with one of the codes: Retry-After is promised where all of them carry it, and possible where one does. */
export function responseHeaders(codes: readonly ErrorCode[]) {
  if (!codes.some((code) => WAITING.has(code))) return z.object({ 'X-Request-Id': requestId });
  const isPromised = codes.every((code) => WAITING.has(code));
  return z.object({ 'X-Request-Id': requestId, 'Retry-After': isPromised ? retryAfter : mayRetryAfter });
}

const idempotencyKey = z
  .string()
  .min(1)
  .max(128)
  .optional()
  .meta({
    description:
      'Yours, 1-128 printable ASCII characters, good for 24 hours: the same request with the same key returns the first ' +
      'response again, with Idempotency-Replayed: true, and has no second effect.',
    param: { id: 'IdempotencyKey' },
  });

const fault = sandboxFault.optional().meta({ param: { id: 'SandboxFault' } });

/** The headers that a request may send beside its token. */
export const requestHeaders = ({ idempotencyKey: takesKey }: Route) =>
  z.object({ ...(takesKey && { [KEY_HEADER]: idempotencyKey }), [FAULT_HEADER]: fault });
