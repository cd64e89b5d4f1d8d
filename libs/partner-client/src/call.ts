import { ResellerConnectionError, ResellerError, type CommonDetails, type ErrorState } from './errors.ts';
import type { CallInfo, Hooks } from './hooks.ts';
import type { CallOptions } from './operation.ts';
import { waitBeforeRetry, type Attempt } from './retry.ts';
import type { Reply, Route, Send } from './send.ts';
import { sleep, unlessAborted, within } from './time.ts';

/** How long calls may take, and how often they are sent. */
export interface Limits {
  timeoutMs: number;
  attemptTimeoutMs: number;
  maxAttempts: number;
}

/** Who a call is made as. */
export interface Bearer {
  token: () => Promise<string>;
  /** Called when the API did not take the token; the next one is new. */
  refused: (token: string) => void;
}

/** One call: what it sends each time, and as whom. */
export interface Call {
  info: CallInfo;
  route: Route;
  send: Send;
  options: CallOptions;
  bearer: Bearer | undefined;
}

interface Envelope {
  state: string;
  payload: unknown;
  details?: CommonDetails;
}

/** An attempt that ended: with a reply, or with why there was none. */
interface Ended extends Attempt {
  reply?: Reply;
  error?: unknown;
  token: string | undefined;
}

/** Text that no other call has. */
export function newId(): string {
  // Node.js 18 has no global crypto, and an id need not be a secret.
  const { crypto } = globalThis as { crypto?: { randomUUID?: () => string } };
  if (crypto?.randomUUID) return crypto.randomUUID();
  const random = () => Math.random().toString(36).slice(2).padEnd(12, '0');
  return `${Date.now().toString(36)}-${random()}${random()}`;
}

const envelopeOf = ({ content }: Reply): Envelope | undefined =>
  typeof content === 'object' && content !== null && typeof (content as Envelope).state === 'string'
    ? (content as Envelope)
    : undefined;

const reasonOf = (error: unknown): string =>
  error instanceof Error
    ? error.cause instanceof Error
      ? reasonOf(error.cause)
      : error.message
    : String(error);

async function attempt(
  { info, send, options, bearer }: Call,
  attempts: number,
  key: string | undefined,
  ms: number,
): Promise<Ended> {
  let token: string | undefined;
  const sendAs = async (signal: AbortSignal): Promise<Reply> => {
    // Others may wait for the same token, so that this call's end is not the token's.
    token = bearer && (await unlessAborted(bearer.token(), signal));
    const headers = {
      ...info.headers,
      'X-Request-Id': info.requestId,
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(key && { 'Idempotency-Key': key }),
      ...(options.sandboxFault && attempts === 1 && { 'X-Sandbox-Fault': options.sandboxFault }),
    };
    return send(headers, signal);
  };
  try {
    const reply = await within(ms, options.signal, sendAs);
    const { status } = reply;
    const seconds = Number(reply.headers.get('Retry-After') ?? NaN);
    return {
      token,
      reply,
      status,
      state: envelopeOf(reply)?.state,
      retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
    };
  } catch (error) {
    if (options.signal?.aborted) throw options.signal.reason;
    // createToken has reported and repeated this already.
    if (error instanceof ResellerError || error instanceof ResellerConnectionError) throw error;
    return { token, error };
  }
}

/** The payload, or the error that says why there is none. */
function resultOf({ info, route }: Call, key: string | undefined, attempts: number, ended: Ended): unknown {
  const { reply, error, retryAfterSeconds } = ended;
  const call = { operation: info.operation, requestId: info.requestId, attempts, idempotencyKey: key };
  if (!reply) throw new ResellerConnectionError(reasonOf(error), call, error);
  const { status, content } = reply;
  const ok = status >= 200 && status < 300;
  if (ok && route.file) return content;
  const envelope = envelopeOf(reply);
  if (ok && envelope) return envelope.payload;
  if (!envelope?.details)
    throw new ResellerConnectionError(
      `a response with status ${status} that is not the API's: is the address right?`,
      call,
    );
  throw new ResellerError(envelope.state as ErrorState, status, envelope.details, retryAfterSeconds, call);
}

/** Makes a call, and makes it again where the API's rules have that be safe. */
export async function makeCall(call: Call, limits: Limits, hooks: Hooks): Promise<unknown> {
  const { info, route, options, bearer } = call;
  const repeat = route.repeat ?? 'always';
  const key = repeat === 'with-key' ? (options.idempotencyKey ?? newId()) : undefined;
  const endsAt = Date.now() + (options.timeoutMs ?? limits.timeoutMs);
  const attemptTimeoutMs = options.attemptTimeoutMs ?? limits.attemptTimeoutMs;
  let renewed = false;
  for (let attempts = 1; ; attempts += 1) {
    const began = Date.now();
    const ended = await attempt(call, attempts, key, Math.max(1, Math.min(attemptTimeoutMs, endsAt - began)));
    let retryInMs = waitBeforeRetry(ended, repeat, attempts);
    if (ended.token && ended.state === 'UNAUTHORIZED_INVALID_TOKEN' && !renewed) {
      renewed = true;
      bearer?.refused(ended.token);
      retryInMs = 0;
    }
    const now = Date.now();
    if (retryInMs !== undefined && (attempts >= limits.maxAttempts || now + retryInMs >= endsAt))
      retryInMs = undefined;
    const { status, state, error } = ended;
    hooks.onAttempt?.({
      ...info,
      attempt: attempts,
      durationMs: now - began,
      status,
      state,
      error,
      retryInMs,
    });
    if (retryInMs === undefined) return resultOf(call, key, attempts, ended);
    await sleep(retryInMs, options.signal);
  }
}
