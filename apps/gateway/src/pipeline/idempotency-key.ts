import { createHash } from 'node:crypto';
import { AppError, type FieldFault } from '@reseller/errors';
import type { Exchange, RawParams } from '@reseller/http-edge';
import type { CallContext } from '@reseller/rpc';
import type { Logger } from '@reseller/service-kit';
import type { Clients } from '../clients';
import type { Route } from '../routes/route';

/** The header of a key for creates that have no reference of the partner's (spec §1.11). */
export const KEY_HEADER = 'Idempotency-Key';
/** The header of a response that is an earlier one again. */
const REPLAYED_HEADER = 'Idempotency-Replayed';

const KEY = /^[\x20-\x7e]{1,128}$/;

type Key = { readonly key?: string; readonly faults: readonly FieldFault[] };

/** The request's key, or what is wrong with it; neither on routes that take none. */
export function keyOf({ request }: Exchange, { idempotencyKey }: Route): Key {
  const [key, ...others] = (idempotencyKey && request.headersDistinct['idempotency-key']) || [];
  if (key === undefined) return { faults: [] };
  if (others.length === 0 && KEY.test(key)) return { key, faults: [] };
  const message = 'must be given once, as 1 to 128 printable ASCII characters';
  return { faults: [{ path: KEY_HEADER, message }] };
}

/** What a request was: the same for the same method, path, query and body, in whatever order they name their fields. */
export function fingerprintOf(
  route: Pick<Route, 'method' | 'path'>,
  params: RawParams,
  search: string,
  body: unknown,
): string {
  const query = [...new URLSearchParams(search)].sort(([a], [b]) => compare(a, b));
  const request = [route.method, route.path, inOrder(params), query, inOrder(body)];
  return createHash('sha256').update(JSON.stringify(request)).digest('base64url');
}

/** So long a create waits for a service that does not say which keys it knows. */
const LOOK_UP_MS = 500;

/**
 * Refuses a call's key under which another request was made, with CONFLICT_IDEMPOTENCY_KEY_REUSED, whichever service made it; each knows its
 * own keys only (ADR 0023). One that cannot say is passed over: a create does not fail with services that it needs not.
 */
export async function requireUnusedKey(
  call: CallContext,
  { ordersKeys, scentKeys, webhookKeys }: Clients,
  log: Logger,
): Promise<void> {
  if (!call.idempotency) return;
  const { key, fingerprint } = call.idempotency;
  const used = await Promise.all(
    [ordersKeys, scentKeys, webhookKeys].map(async (keys) => {
      try {
        return (await keys.getIdempotencyKey({ key }, call, { deadlineMs: LOOK_UP_MS })).fingerprint;
      } catch (error) {
        log.warn({ err: error, requestId: call.requestId }, 'an idempotency key could not be looked up');
        return undefined;
      }
    }),
  );
  // Known for this request, it is its service that returns the first response again.
  if (!used.includes(fingerprint) && used.some((other) => other !== undefined))
    throw new AppError('CONFLICT_IDEMPOTENCY_KEY_REUSED');
}

/** Says on the response that it is an earlier one again. */
export function noteReplay({ response }: Exchange, call: CallContext): void {
  if (call.isReplayed && !response.headersSent) response.setHeader(REPLAYED_HEADER, 'true');
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

// The body has passed its schema, so it is no deeper than that.
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => compare(a, b));
  return entries.map(([name, field]) => [name, inOrder(field)]);
}
