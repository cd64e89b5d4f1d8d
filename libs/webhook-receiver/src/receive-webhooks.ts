import type { IncomingMessage, ServerResponse } from 'node:http';
import { MemoryDeduper, type Deduper } from './deduper';
import type { WebhookEvent } from './events';
import { readBody } from './read-body';
import { WebhookVerificationError } from './verification-error';
import { verifyWebhook } from './verify-webhook';

/** What is known of a delivery beside its event; not covered by the signature. */
export interface WebhookContext {
  /** Fired by test-fire: example data that no order stands behind. */
  isTest: boolean;
}

/** How webhooks are received. */
export interface ReceiveOptions {
  /** The secret, a list of them, or what returns them now; read at every request. */
  secret:
    | string
    | readonly string[]
    | (() => Promise<string | readonly string[]> | string | readonly string[]);
  /** Called once for each event; when it rejects, the response is 500 and the platform sends the event again. */
  handle: (event: WebhookEvent, context: WebhookContext) => Promise<void> | void;
  /** Remembers what was handled; a MemoryDeduper by default. */
  deduper?: Deduper;
  /** The largest body taken; 256 KiB by default. */
  maxBytes?: number;
  toleranceSeconds?: number;
  /** Notified of every request that was refused or failed; nothing is logged otherwise. */
  onError?: (error: unknown) => void;
}

/**
 * A handler for Express, or for node:http by itself, that reads the raw body, verifies it and responds: 204 handled (or
 * known already), 400 not verified, 405 not a POST, 413 too large, 500 the handler failed and the event may come again.
 */
export function receiveWebhooks(
  options: ReceiveOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const deduper = options.deduper ?? new MemoryDeduper();
  return async (request, response) => {
    const { status, error, headers } = await outcomeOf(request, { ...options, deduper });
    if (error !== undefined) options.onError?.(error);
    if (response.destroyed || response.headersSent) return;
    const reason = error instanceof WebhookVerificationError ? { error: error.reason } : undefined;
    const text = reason ? JSON.stringify(reason) : '';
    if (reason) response.setHeader('Content-Type', 'application/json');
    response.writeHead(status, headers).end(text);
  };
}

interface Outcome {
  status: number;
  error?: unknown;
  headers?: Record<string, string>;
}

async function outcomeOf(
  request: IncomingMessage,
  options: ReceiveOptions & { deduper: Deduper },
): Promise<Outcome> {
  if (request.method !== 'POST')
    return { status: 405, error: new Error(`a ${request.method} is no webhook`), headers: { Allow: 'POST' } };
  try {
    const maxBytes = options.maxBytes ?? 262_144;
    const rawBody = await readBody(request, maxBytes);
    if (rawBody === 'too-large') {
      const error = new Error(`a body of more than ${maxBytes} bytes is no webhook`);
      // What was not read would be taken for the next request.
      return { status: 413, error, headers: { Connection: 'close' } };
    }
    await handleVerified(request, rawBody, options);
    return { status: 204 };
  } catch (error) {
    return { status: error instanceof WebhookVerificationError ? 400 : 500, error };
  }
}

async function handleVerified(
  request: IncomingMessage,
  rawBody: Buffer,
  { secret, toleranceSeconds, deduper, handle }: ReceiveOptions & { deduper: Deduper },
): Promise<void> {
  const event = verifyWebhook({
    secret: typeof secret === 'function' ? await secret() : secret,
    // As they came in: the joined ones no longer tell a header that came twice.
    headers: request.headersDistinct,
    rawBody,
    ...(toleranceSeconds !== undefined && { toleranceSeconds }),
  });
  const context = { isTest: request.headers['x-service-test'] === 'true' };
  await deduper.once(event.eventId, async () => handle(event, context));
}
