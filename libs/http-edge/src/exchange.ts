import type { Request, Response } from 'express';
import type { Observer } from './observe';
import { errorEnvelope, toErrorAnswer } from './errors';
import { requestIdOf } from './request-id';
import { API_SECURITY_HEADERS, type Headers } from './security-headers';

/** Counted, never sent: the status that proxies log when a caller hangs up. */
const CALLER_LEFT = 499;

/** One request and its answer, from arrival to the last byte handed over; every answer of an edge leaves through it. */
export class Exchange {
  readonly requestId: string;
  readonly startedAt = performance.now();
  /** The route pattern under which the request is counted. */
  route = 'none';

  constructor(
    readonly request: Request,
    readonly response: Response,
    private readonly observer: Observer,
  ) {
    this.requestId = requestIdOf(request.headers['x-request-id']);
  }

  /** Answers a success in its envelope (decisions §1.1). */
  succeed(status: number, state: string, payload: unknown): void {
    this.send(
      status,
      JSON.stringify({ state, payload }),
      'application/json; charset=utf-8',
      API_SECURITY_HEADERS,
    );
  }

  /** Answers whatever was thrown in the error envelope, and logs what the caller is not told. */
  fail(thrown: unknown, extraHeaders: Headers = {}): void {
    const answer = toErrorAnswer(thrown, this.requestId);
    if (this.response.destroyed && answer.code !== 'INTERNAL_ERROR') {
      // The caller left, and its read was given up for that reason: no fault of ours, and nobody to answer.
      this.observer.answered(this, CALLER_LEFT);
      return;
    }
    if (answer.status >= 500) this.observer.fault(this, thrown, answer.code);
    this.send(answer.status, errorEnvelope(answer), 'application/json; charset=utf-8', {
      ...API_SECURITY_HEADERS,
      ...answer.headers,
      ...extraHeaders,
    });
  }

  /** Writes an answer in one piece; the body is left out for HEAD. */
  send(status: number, body: string, contentType: string, headers: Headers): void {
    const { request, response } = this;
    if (response.headersSent) return;
    response.writeHead(status, {
      ...headers,
      'X-Request-Id': this.requestId,
      'Content-Type': contentType,
      'Content-Length': Buffer.byteLength(body),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
    this.observer.answered(this, status);
  }
}

/** Aborted when the caller leaves before it was answered, so that a read nobody waits for can be dropped. */
export function callerLeft({ response }: Exchange): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
