import { AppError, type ErrorCode } from '@reseller/errors';
import type { Span } from '@opentelemetry/api';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EdgeConfig } from './edge-config';
import type { Observer } from './observe';
import { errorEnvelope } from './error-envelope';
import { toErrorResponse } from './errors';
import { OverloadError } from './overload-error';
import { requestIdOf } from './request-id';
import {
  API_SECURITY_HEADERS,
  headerList,
  JSON_HEADERS,
  type HeaderList,
  type Headers,
} from './security-headers';
import type { StreamedPayload } from './streamed-payload';
import { turnedAway } from './turned-away';
import { cutOffWhenUnread } from './unread-response';

/** Counted, never sent: the status that proxies log when a caller hangs up. */
const CALLER_LEFT = 499;

/** A request as a server gets it, which always has these two. */
export type ReceivedRequest = IncomingMessage & { readonly method: string; readonly url: string };

/** One request and its response, from arrival to the last byte handed over; every response of an edge leaves through it. */
export class Exchange {
  readonly requestId: string;
  readonly startedAt = performance.now();
  /** The route pattern under which the request is counted. */
  route = 'none';
  /** Called when the response was handed over, with the code of an error; not for a caller that left before one. */
  settled: ((code: ErrorCode | undefined) => void) | undefined;
  private code: ErrorCode | undefined;
  /** Of a request to a route; pages and files have none. */
  span: Span | undefined;

  constructor(
    readonly request: ReceivedRequest,
    readonly response: ServerResponse,
    private readonly observer: Observer,
    private readonly unreadTimeoutMs: number,
    private readonly addressOf: (request: IncomingMessage) => string | undefined,
  ) {
    this.requestId = requestIdOf(request.headers['x-request-id']);
  }

  /** The caller's address: the socket's, or what the trusted proxies forward. */
  get address(): string | undefined {
    return this.addressOf(this.request);
  }

  /** Lets go of the token of a request that waits, once it is checked: thousands may wait, and it is most of what they brought. */
  forgetToken(): void {
    const { headers, rawHeaders } = this.request;
    if (headers.authorization === undefined) return;
    const at = rawHeaders.indexOf(headers.authorization);
    if (at >= 0) rawHeaders[at] = '';
    headers.authorization = '';
  }

  /** Returns a success in its envelope (spec §1.1). */
  succeed(status: number, state: string, payload: unknown): void {
    this.send(status, JSON.stringify({ state, payload }), JSON_HEADERS);
  }

  /**
   * Returns a success whose payload is made while it is written, no faster than the caller reads. A fault on the way breaks
   * the connection off, so that half a response is never taken for a whole one.
   */
  async stream(status: number, state: string, payload: StreamedPayload): Promise<void> {
    const { request, response } = this;
    const { contentType, fileName } = payload;
    const headers = contentType
      ? [...headerList(API_SECURITY_HEADERS), 'Content-Type', contentType]
      : [...JSON_HEADERS];
    if (fileName) headers.push('Content-Disposition', `inline; filename="${fileName}"`);
    response.writeHead(status, [...headers, 'X-Request-Id', this.requestId]);
    try {
      if (request.method === 'HEAD') await payload.discard();
      else {
        if (!contentType) response.write(`{"state":${JSON.stringify(state)},"payload":`);
        for await (const part of payload.parts()) {
          if (!response.write(part)) await drained(response, this.unreadTimeoutMs);
          if (response.destroyed) break;
        }
        if (!contentType && !response.destroyed) response.write('}');
      }
      response.end();
      cutOffWhenUnread(response, this.unreadTimeoutMs);
      this.observer.responded(this, response.destroyed ? CALLER_LEFT : status);
    } catch (error) {
      const hasLeft = response.destroyed;
      const { code, status: failed } = toErrorResponse(error, this.requestId);
      if (!hasLeft) {
        this.observer.refused(this, code);
        this.observer.fault(this, error, code);
      }
      response.destroy();
      this.observer.responded(this, hasLeft ? CALLER_LEFT : failed);
    }
  }

  /** Responds with whatever was thrown in the error envelope, and logs what the caller does not see. */
  fail(thrown: unknown, extraHeaders: Headers = {}): void {
    const refusal = toErrorResponse(thrown, this.requestId);
    if (this.response.destroyed && refusal.code !== 'INTERNAL_ERROR') {
      // The caller left, and its read was given up for that reason: no fault of ours, and nobody to respond to.
      this.observer.responded(this, CALLER_LEFT);
      return;
    }
    this.code = refusal.code;
    this.observer.refused(this, refusal.code);
    this.span?.setAttribute('reseller.code', refusal.code);
    if (refusal.status >= 500 && !(thrown instanceof OverloadError))
      this.observer.fault(this, thrown, refusal.code);
    this.send(refusal.status, errorEnvelope(refusal), [
      ...JSON_HEADERS,
      ...headerList(refusal.headers),
      ...headerList(extraHeaders),
    ]);
  }

  /** Refuses for want of room: counted, and nothing else is made of it or kept (spec §14.2). */
  turnAway(retryAfterSeconds: number): void {
    const { status, headers, body } = turnedAway(retryAfterSeconds);
    this.code = 'SERVICE_UNAVAILABLE';
    this.observer.refused(this, this.code);
    this.send(status, body[0] + this.requestId + body[1], headers);
  }

  /** Says that what the caller has is what it would get; no body, so no length either. */
  unchanged(headers: HeaderList): void {
    this.response.writeHead(304, [...headers, 'X-Request-Id', this.requestId]).end();
    this.observer.responded(this, 304);
  }

  /** Writes a response in one piece; the body is left out for HEAD. */
  send(status: number, body: string | Buffer, headers: HeaderList): void {
    const { request, response } = this;
    if (response.headersSent) return;
    const length = String(Buffer.byteLength(body));
    response.writeHead(status, [...headers, 'X-Request-Id', this.requestId, 'Content-Length', length]);
    response.end(request.method === 'HEAD' ? undefined : body);
    cutOffWhenUnread(response, this.unreadTimeoutMs);
    this.observer.responded(this, status);
    this.settled?.(this.code);
  }
}

/** Resolves when the caller has read on or is gone; one that reads nothing is cut off. */
function drained(response: ServerResponse, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const stalled = setTimeout(() => response.destroy(), timeoutMs);
    const goOn = (): void => {
      clearTimeout(stalled);
      response.off('drain', goOn).off('close', goOn);
      resolve();
    };
    response.once('drain', goOn).once('close', goOn);
    if (response.destroyed) goOn();
  });
}

/** Returns SERVICE_UNAVAILABLE to a request that is still under way when its service ends (spec §1.10). */
export function cutOffBy(
  observer: Observer,
  { UNREAD_RESPONSE_TIMEOUT_MS }: EdgeConfig,
): (response: ServerResponse) => void {
  return (response) =>
    new Exchange(
      response.req as ReceivedRequest,
      response,
      observer,
      UNREAD_RESPONSE_TIMEOUT_MS,
      ({ socket }) => socket.remoteAddress,
    ).fail(new AppError('SERVICE_UNAVAILABLE'));
}

/** Aborted when the caller leaves before its response, so that a read nobody waits for can be dropped. */
export function callerLeft({ response }: Exchange): AbortSignal {
  const controller = new AbortController();
  // It closes once, and `once` would keep three objects more for each request that waits.
  response.on('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
