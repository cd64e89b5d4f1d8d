import { Environment } from '@reseller/contracts';
import { AppError, validationFailed } from '@reseller/errors';
import { HeldPayload, OverloadError, StreamedPayload, type Exchange } from '@reseller/http-edge';
import { z } from 'zod';
import type { Caller } from '../security/claims';

/** The header by which a partner rehearses a fault (spec §15.2). */
export const FAULT_HEADER = 'X-Sandbox-Fault';

/** The faults there are; each with what a partner reads about it. */
export const sandboxFault = z
  .enum(['unavailable', 'unavailable-after', 'drop-response', 'rate-limited', 'slow'])
  .meta({
    description:
      'Sandbox only: rehearses a fault. unavailable: 503, nothing is done. unavailable-after: everything is done, then ' +
      '503. drop-response: everything is done, then the connection closes without a response. rate-limited: 429, nothing ' +
      'is done. slow: the response is held for 5 seconds. With a live token the header is ignored.',
  });
/** One of them. */
export type SandboxFault = z.output<typeof sandboxFault>;

/** What a rehearsed refusal says in Retry-After. */
export const RETRY_AFTER_SECONDS = 1;
const SLOW_MS = 5_000;
/** Under what rehearsed responses are counted: no error rate or latency of a route may come from them. */
const COUNTED_AS = 'sandbox-fault';

/** The fault that a sandbox token's request rehearses; throws VALIDATION_FAILED for a value that is none (spec §15.2). */
export function faultOf({ request }: Exchange, caller: Caller | undefined): SandboxFault | undefined {
  const value = request.headers['x-sandbox-fault'];
  if (value === undefined || caller?.scope.environment !== Environment.SANDBOX) return undefined;
  const fault = sandboxFault.safeParse(value);
  if (fault.success) return fault.data;
  const message = `must be one of ${sandboxFault.options.join(', ')}`;
  throw validationFailed([{ path: FAULT_HEADER, message }]);
}

/** Whether everything is done under the fault, and the caller never hears of it. */
export const isLostBy = (fault: SandboxFault | undefined): boolean =>
  fault === 'drop-response' || fault === 'unavailable-after';

/**
 * Does what the request is for, unless the fault comes before it, and then meets its response, an error like any other,
 * with the fault. What is held here is held outside of deadlines and of the doors, which `perform` is through by then.
 */
export async function withFault(
  fault: SandboxFault,
  exchange: Exchange,
  perform: () => Promise<unknown>,
): Promise<unknown> {
  exchange.route = COUNTED_AS;
  exchange.settled = undefined;
  if (fault === 'unavailable') throw new OverloadError(RETRY_AFTER_SECONDS);
  if (fault === 'rate-limited')
    throw new AppError('RATE_LIMITED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  const work = whole(perform());
  if (fault === 'slow') {
    await work.catch(() => undefined);
    await hold(exchange);
    return work;
  }
  const payload = await work.catch(() => undefined);
  if (payload instanceof StreamedPayload) await payload.discard();
  if (fault === 'drop-response') exchange.response.destroy();
  // Counted as any error, and without a line in the log of faults: nothing is wrong.
  throw new OverloadError(RETRY_AFTER_SECONDS);
}

/** What a request is responded to with, however long it is held. */
async function whole(work: Promise<unknown>): Promise<unknown> {
  const payload = await work;
  return payload instanceof HeldPayload ? payload.settled() : payload;
}

/** Waits for as long as a slow response takes, or until nobody waits for it any more or it was cut off. */
async function hold({ response }: Exchange): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, SLOW_MS);
    response.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  if (response.destroyed || response.headersSent) throw new OverloadError(RETRY_AFTER_SECONDS);
}
