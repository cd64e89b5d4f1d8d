import { SpanKind } from '@opentelemetry/api';
import { inSpan } from '@reseller/telemetry';
import { Agent, DecoratorHandler, request as sendRequest, type Dispatcher } from 'undici';
import { CallFailure } from './call-failure';
import type { VendorHttpResponse } from './read-response';

/** How long a vendor is waited for; in milliseconds. */
export interface CallTimes {
  /** From the call to its whole response. */
  readonly timeoutMs: number;
  /** For connecting, TLS included. */
  readonly connectTimeoutMs: number;
}

/** One HTTP request. */
export interface HttpCall {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Whether it may still be sent, once a connection is free and it would leave; absent: it always may. */
  readonly isHeld?: () => boolean;
}

// A response of the contract is far smaller; a larger one is none.
const MOST_BYTES = 64 * 1024;

/** Sends requests to one vendor over kept connections; what brings no whole response is a CallFailure. */
export class HttpCaller {
  private readonly agent: Agent;

  constructor(
    private readonly vendor: string,
    private readonly times: CallTimes,
  ) {
    this.agent = new Agent({
      connect: { timeout: times.connectTimeoutMs },
      keepAliveTimeout: 30_000,
      connections: 64,
      maxResponseSize: MOST_BYTES,
    });
  }

  /** One request in a span; a vendor gets no trace context, and its address, which may hold a key, is in no span. */
  call(request: HttpCall): Promise<VendorHttpResponse> {
    const attributes = { 'http.request.method': request.method, 'reseller.vendor': this.vendor };
    return inSpan(`vendor ${this.vendor}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
      const reply = await this.send(request);
      span.setAttribute('http.response.status_code', reply.statusCode);
      return reply;
    });
  }

  private async send({ url, method, headers, body, signal, isHeld }: HttpCall): Promise<VendorHttpResponse> {
    const { timeoutMs } = this.times;
    let wasStarted = false;
    let isLapsed = false;
    const start = (): boolean => {
      isLapsed = isHeld?.() === false;
      wasStarted = !isLapsed;
      return wasStarted;
    };
    const dispatcher = this.agent.compose(
      (dispatch) => (options, handler) => dispatch(options, new AtStart(handler, start)),
    );
    try {
      const response = await sendRequest(url, {
        dispatcher,
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      return { method, statusCode: response.statusCode, text: await response.body.text() };
    } catch (error) {
      // Before it is started on a connection no byte of it leaves: no such host, nobody listening, no free connection.
      const facts = { notAccepted: !wasStarted, isFault: !signal.aborted && !isLapsed };
      const how = isLapsed ? 'was not called' : wasStarted ? 'did not respond' : 'could not be reached';
      throw new CallFailure(`vendor ${this.vendor} ${how}`, facts, { cause: error });
    }
  }

  close(): Promise<void> {
    return this.agent.close();
  }
}

/** Looks when a request is about to be written to its connection: undici does so after onRequestStart, if still wanted. */
class AtStart extends DecoratorHandler implements Dispatcher.DispatchHandler {
  constructor(
    private readonly handler: Dispatcher.DispatchHandler,
    private readonly start: () => boolean,
  ) {
    super(handler);
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.handler.onRequestStart?.(controller, context);
    if (!controller.aborted && !this.start())
      controller.abort(new Error('the lease ran out before it was sent'));
  }
}
