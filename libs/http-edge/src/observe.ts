import type { Logger } from 'pino';
import { Histogram, type Registry } from 'prom-client';
import type { ErrorCode } from '@reseller/errors';
import type { Exchange } from './exchange';

/** Which requests get a line in the log; all of them are counted in the metrics. */
export type AccessLog = 'all' | 'faults' | 'off';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Rate, errors and duration of every request by route pattern, and the access log. */
export class Observer {
  private readonly durations: Histogram<'method' | 'route' | 'status'>;
  private readonly series = new Map<string, { observe(seconds: number): void }>();

  constructor(
    metrics: Registry,
    private readonly log: Logger,
    private readonly accessLog: AccessLog,
  ) {
    this.durations = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Seconds from a request to its answer, by route pattern.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 12],
      registers: [metrics],
    });
  }

  /** Counts an answer under its route pattern, and logs it when the access log is on. */
  answered(exchange: Exchange, status: number): void {
    const { route, request, startedAt } = exchange;
    // Methods are the caller's to invent; a metric's labels are not.
    const method = METHODS.has(request.method) ? request.method : 'other';
    const elapsed = performance.now() - startedAt;
    const key = `${method} ${route} ${status}`;
    let series = this.series.get(key);
    if (!series) this.series.set(key, (series = this.durations.labels(method, route, String(status))));
    series.observe(elapsed / 1000);
    if (this.accessLog === 'all') {
      this.log.info(
        { requestId: exchange.requestId, method, route, status, ms: Math.round(elapsed) },
        'request',
      );
    }
  }

  /** Logs a fault in full; the caller sees only its code and the request id. */
  fault(exchange: Exchange, thrown: unknown, code: ErrorCode): void {
    if (this.accessLog === 'off' && code !== 'INTERNAL_ERROR') return;
    const { requestId, route, request } = exchange;
    const fields = { requestId, method: request.method, route, code };
    if (code === 'INTERNAL_ERROR') this.log.error({ ...fields, err: thrown }, 'request failed');
    // While a neighbour is away every request says the same: one short line each.
    else this.log.warn({ ...fields, reason: reasonOf(thrown) }, 'request failed');
  }
}

/** The innermost reason in one line. */
function reasonOf(thrown: unknown): string {
  let error = thrown;
  while (error instanceof Error && error.cause instanceof Error) error = error.cause;
  return error instanceof Error ? error.message : String(error);
}
