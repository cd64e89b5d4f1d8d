import { SpanKind, SpanStatusCode, type Attributes, type Span } from '@opentelemetry/api';
import { inSpan, isTracing } from '@reseller/telemetry';
import type { Dispatcher } from 'undici';
import type { TargetCheck } from '../address/check-target';
import { resultOfResponse, type AttemptResult, type ErrorSummary } from './domain/attempt';
import { isOutOfDescriptors, isOwnScarcity } from './own-scarcity';
import { ReceiverConnections, type Connection, type CheckedTarget } from './receiver-connections';
import { signBody } from './signature';

/** Checks a url and finds its addresses, at most 3 seconds long; never rejects. */
export type CheckTarget = (url: string) => Promise<TargetCheck>;

/** One request to be made. */
export interface WebhookRequest {
  url: string;
  /** The HMAC key, exactly as its partner was shown it. */
  secret: string;
  eventId: string;
  eventType: string;
  /** The exact bytes to sign and send. */
  body: Uint8Array;
  /** From 1. */
  attemptNumber: number;
  isTest: boolean;
  /** When it says that it was signed; now unless a diagnosis says otherwise. */
  signedAt?: Date;
}

/** What is read of a response's body, in bytes, and how long it may take once its headers are complete. */
const MAX_BODY_BYTES = 16_384;
const BODY_GRACE_MS = 1_000;
const USER_AGENT = 'Partner-Reseller-Webhooks/1.0';

/** Sends signed webhooks to checked addresses, following no redirect. */
export class WebhookSender {
  private readonly connections: ReceiverConnections;

  constructor(private readonly options: { checkTarget: CheckTarget; timeoutMs: number }) {
    this.connections = new ReceiverConnections({ connectTimeoutMs: options.timeoutMs });
  }

  /**
   * Makes one attempt of at most `timeoutMs`, look-up and connection included; never rejects. A complete block of headers
   * is the response: the body is read to 16 KiB, not kept, and cut off when it goes on.
   */
  send(request: WebhookRequest): Promise<AttemptResult> {
    if (!isTracing()) return this.exchange(request);
    const span = { kind: SpanKind.CLIENT, attributes: attributesOf(request) };
    return inSpan('webhook attempt', span, async (own) => noted(own, await this.exchange(request)));
  }

  private exchange(request: WebhookRequest): Promise<AttemptResult> {
    const startedAt = performance.now();
    return new Promise((resolve) => {
      const exchange = new Exchange(startedAt, this.options.timeoutMs, resolve);
      this.options
        .checkTarget(request.url)
        .then((check) => {
          if (check.outcome === 'allowed') this.dispatch(check, request, exchange);
          else if (check.outcome === 'rejected') exchange.end('Destination rejected');
          else exchange.fail(isOutOfDescriptors());
        })
        // Also what cannot be signed: an attempt that fails must not end the process.
        .catch(() => exchange.end('Connection failed'));
    });
  }

  close(): Promise<void> {
    return this.connections.close();
  }

  private dispatch(target: CheckedTarget, request: WebhookRequest, exchange: Exchange): void {
    // The time went by during the look-up.
    if (exchange.isOver) return;
    const options = {
      path: target.path,
      method: 'POST' as const,
      headers: headersOf(request),
      body: request.body,
    };
    exchange.useConnection(this.connections.take(target), options);
  }
}

// Of the address only its host: receivers like to keep a token in the path.
function attributesOf({ url, eventId, eventType, attemptNumber, isTest }: WebhookRequest): Attributes {
  return {
    'http.request.method': 'POST',
    'http.request.resend_count': attemptNumber - 1,
    'server.address': URL.parse(url)?.hostname ?? '',
    'reseller.event_id': eventId,
    'reseller.event_type': eventType,
    'reseller.is_test': isTest,
  };
}

function noted(span: Span, result: AttemptResult): AttemptResult {
  if (result.responseStatus !== null) span.setAttribute('http.response.status_code', result.responseStatus);
  if (result.errorSummary !== null) {
    span.setAttribute('error.type', result.errorSummary);
    span.setStatus({ code: SpanStatusCode.ERROR, message: result.errorSummary });
  }
  return result;
}

// Its headers are the specification's, and no trace context: our traces end where partners' systems begin.
function headersOf({ secret, eventId, eventType, body, isTest, signedAt }: WebhookRequest): string[] {
  const timestamp = String(Math.floor((signedAt?.getTime() ?? Date.now()) / 1_000));
  const headers = [
    'Content-Type',
    'application/json',
    'User-Agent',
    USER_AGENT,
    'X-Service-Signature',
    signBody(secret, timestamp, body),
    'X-Service-Timestamp',
    timestamp,
    'X-Service-Event-Id',
    eventId,
    'X-Service-Event-Type',
    eventType,
  ];
  if (isTest) headers.push('X-Service-Test', 'true');
  return headers;
}

/** One request from the look-up to the end of its response. undici calls its on… methods. */
class Exchange implements Dispatcher.DispatchHandler {
  isOver = false;
  private outcome: AttemptResult | undefined;
  private timer: NodeJS.Timeout;
  private connection: Connection | undefined;
  private received = 0;
  private isOwnFault = false;

  constructor(
    private readonly startedAt: number,
    timeoutMs: number,
    private readonly resolve: (result: AttemptResult) => void,
  ) {
    this.timer = setTimeout(() => this.end('Timeout'), timeoutMs);
  }

  useConnection(connection: Connection, options: Dispatcher.DispatchOptions): void {
    this.connection = connection;
    connection.client.dispatch(options, this);
  }

  /** Ends it without a connection. */
  fail(isOwnFault: boolean): void {
    this.isOwnFault = isOwnFault;
    this.end('Connection failed');
  }

  /** Ends it, for this reason unless there is a response: one whose headers are complete stands. */
  end(errorSummary: ErrorSummary, isComplete = false): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    this.connection?.release(isComplete);
    const failed = { responseStatus: null, durationMs: this.elapsedMs(), errorSummary };
    this.resolve(this.outcome ?? (this.isOwnFault ? { ...failed, isOwnFault: true } : failed));
  }

  // undici asks for it; the connection is cut by closing it.
  onConnect(): void {}

  onHeaders(statusCode: number): boolean {
    if (this.isOver || statusCode < 200) return true;
    this.outcome = resultOfResponse(statusCode, this.elapsedMs());
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end('Timeout'), BODY_GRACE_MS);
    return true;
  }

  onData(chunk: Buffer): boolean {
    this.received += chunk.length;
    if (this.received > MAX_BODY_BYTES) this.end('Delivery failed');
    return true;
  }

  onComplete(): void {
    this.end('Connection failed', true);
  }

  onError(error: Error): void {
    this.fail(isOwnScarcity(error));
  }

  private elapsedMs(): number {
    return Math.round(performance.now() - this.startedAt);
  }
}
