import type { Span } from '@opentelemetry/api';
import type { Logger } from 'pino';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { ErrorCode } from '@reseller/errors';
import { endRequestSpan } from './request-span';

/** Which requests get a line in the log; all of them are counted in the metrics. */
type AccessLog = 'all' | 'faults' | 'off';

/** What is observed of a request and its response. */
interface ObservedExchange {
  readonly requestId: string;
  readonly startedAt: number;
  readonly request: { readonly method: string };
  readonly route: string;
  readonly span: Span | undefined;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Rate, errors and duration of every request by route pattern, and the access log. */
export class Observer {
  private readonly durations: Histogram<'method' | 'route' | 'status'>;
  private readonly errors: Counter<'method' | 'route' | 'code'>;
  private readonly refusedConnections: Counter<'reason'>;
  private readonly series = new Map<string, { observe(seconds: number): void }>();

  constructor(
    metrics: Registry,
    private readonly log: Logger,
    private readonly accessLog: AccessLog,
  ) {
    this.durations = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Seconds from a request to its response, by route pattern. Sum over instances.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 12],
      registers: [metrics],
    });
    this.errors = new Counter({
      name: 'http_request_errors_total',
      help: 'Requests that got an error, by route pattern and code of the catalogue. Sum over instances.',
      labelNames: ['method', 'route', 'code'],
      registers: [metrics],
    });
    this.refusedConnections = new Counter({
      name: 'http_connections_refused_total',
      help: 'Connections closed by a bound: too many in all, of one address, or requests pipelined on one. Sum over instances.',
      labelNames: ['reason'],
      registers: [metrics],
    });
  }

  /** Counts a connection that is closed because there are too many, of all or of one address, or too much is sent on it. */
  connectionRefused(reason: 'all' | 'address' | 'pipelining'): void {
    this.refusedConnections.inc({ reason });
  }

  /** Counts a response under its route pattern, and logs it when the access log is on. */
  responded(exchange: ObservedExchange, status: number): void {
    const { route, startedAt } = exchange;
    const method = methodOf(exchange);
    const elapsed = performance.now() - startedAt;
    const key = `${method} ${route} ${status}`;
    let series = this.series.get(key);
    if (!series) this.series.set(key, (series = this.durations.labels(method, route, String(status))));
    series.observe(elapsed / 1000);
    endRequestSpan(exchange.span, method, route, status);
    if (this.accessLog === 'all') {
      this.log.info(
        { requestId: exchange.requestId, method, route, status, ms: Math.round(elapsed) },
        'request',
      );
    }
  }

  /** Counts an error under its code; the response itself is counted as any other. */
  refused(exchange: ObservedExchange, code: ErrorCode): void {
    this.errors.inc({ method: methodOf(exchange), route: exchange.route, code });
  }

  /** Logs a fault in full; the caller sees only its code and the request id. */
  fault(exchange: ObservedExchange, thrown: unknown, code: ErrorCode): void {
    if (this.accessLog === 'off' && code !== 'INTERNAL_ERROR') return;
    const { requestId, route, request } = exchange;
    const fields = { requestId, method: request.method, route, code };
    if (code === 'INTERNAL_ERROR') this.log.error({ ...fields, err: thrown }, 'request failed');
    // While a service is away every request fails alike: one short line each.
    else this.log.warn({ ...fields, reason: reasonOf(thrown) }, 'request failed');
  }
}

/** Methods are the caller's to invent; a metric's labels are not. */
function methodOf({ request }: ObservedExchange): string {
  return METHODS.has(request.method) ? request.method : 'other';
}

/** The innermost reason in one line. */
function reasonOf(thrown: unknown): string {
  let error = thrown;
  while (error instanceof Error && error.cause instanceof Error) error = error.cause;
  return error instanceof Error ? error.message : String(error);
}
