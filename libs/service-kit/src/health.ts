import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import type { Logger } from './logger';

/** Named checks of what a service needs; one that rejects or takes over a second makes it not ready. */
export type ReadyChecks = Record<string, () => Promise<void>>;

/** What /readyz returns. */
interface ReadyReport {
  ready: boolean;
  checks: Record<string, 'ok' | 'failed' | 'timed out'>;
  /** Why a check fails, where it says so by a NotReadyError. */
  reasons?: Record<string, string>;
}

/** Thrown by a check whose message may be shown by /readyz; of any other error only the log learns. */
export class NotReadyError extends Error {}

const CHECK_LIMIT_MS = 1_000;

/** The state behind /healthz, /readyz and /metrics; the process is not ready before it serves and once it drains. */
export class Health {
  private checks: ReadyChecks = {};
  private serving = false;

  private readonly failing = new Set<string>();
  private readonly reasons = new Map<string, string>();

  constructor(
    readonly metrics: Registry,
    private readonly log: Pick<Logger, 'warn' | 'info'>,
  ) {}

  setChecks(checks: ReadyChecks): void {
    this.checks = checks;
  }

  setServing(serving: boolean): void {
    this.serving = serving;
  }

  /** Runs every ready check, each bounded by one second; says which fails, and why only to the log. */
  async check(): Promise<ReadyReport> {
    const results = await Promise.all(
      Object.entries(this.checks).map(
        async ([name, check]) => [name, await this.outcome(name, check)] as const,
      ),
    );
    const ready = this.serving && results.every(([, result]) => result === 'ok');
    const reasons = results.flatMap(([name]) => {
      const reason = this.reasons.get(name);
      return reason === undefined ? [] : [[name, reason] as const];
    });
    return {
      ready,
      checks: { serving: this.serving ? 'ok' : 'failed', ...Object.fromEntries(results) },
      ...(reasons.length > 0 && { reasons: Object.fromEntries(reasons) }),
    };
  }

  /** Handles a request to one of the three paths and returns whether it did; any other request is left alone. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const path = request.url?.split('?')[0];
    if (path === '/healthz') sendJson(response, 200, { status: 'ok' });
    else if (path === '/readyz')
      void this.check().then((report) => sendJson(response, report.ready ? 200 : 503, report));
    else if (path === '/metrics') this.sendMetrics(response);
    else return false;
    return true;
  }

  private async outcome(name: string, check: () => Promise<void>): Promise<'ok' | 'failed' | 'timed out'> {
    try {
      await withinLimit(check);
      this.reasons.delete(name);
      if (this.failing.delete(name)) this.log.info({ check: name }, 'ready check is well again');
      return 'ok';
    } catch (err) {
      // Once for each time it begins to fail: probes ask every few seconds.
      if (!this.failing.has(name)) this.log.warn({ check: name, err }, 'ready check fails');
      this.failing.add(name);
      if (err instanceof NotReadyError) this.reasons.set(name, err.message);
      else this.reasons.delete(name);
      return err instanceof CheckTimeout ? 'timed out' : 'failed';
    }
  }

  private sendMetrics(response: ServerResponse): void {
    this.metrics.metrics().then(
      (text) => response.writeHead(200, { 'content-type': this.metrics.contentType }).end(text),
      () => sendJson(response, 500, { status: 'metrics cannot be collected' }),
    );
  }
}

class CheckTimeout extends Error {}

const withinLimit = (check: () => Promise<void>): Promise<void> =>
  Promise.race([
    check(),
    pause(CHECK_LIMIT_MS, undefined, { ref: false }).then(() => {
      throw new CheckTimeout(`no response within ${CHECK_LIMIT_MS} ms`);
    }),
  ]);

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
