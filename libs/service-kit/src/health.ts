import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';

/** Named checks of what a service needs; one that rejects or takes over a second makes it not ready. */
export type ReadyChecks = Record<string, () => Promise<void>>;

/** What /readyz answers. */
export interface ReadyReport {
  ready: boolean;
  checks: Record<string, 'ok' | 'failed' | 'timed out'>;
}

const CHECK_LIMIT_MS = 1_000;

/** The state behind /healthz, /readyz and /metrics; the process is not ready before it serves and once it drains. */
export class Health {
  private checks: ReadyChecks = {};
  private serving = false;

  constructor(readonly metrics: Registry) {}

  setChecks(checks: ReadyChecks): void {
    this.checks = checks;
  }

  setServing(serving: boolean): void {
    this.serving = serving;
  }

  /** Runs every ready check, each bounded by one second; says which fails and never why. */
  async check(): Promise<ReadyReport> {
    const results = await Promise.all(
      Object.entries(this.checks).map(async ([name, check]) => [name, await outcome(check)] as const),
    );
    const ready = this.serving && results.every(([, result]) => result === 'ok');
    return { ready, checks: { serving: this.serving ? 'ok' : 'failed', ...Object.fromEntries(results) } };
  }

  /** Answers a request to one of the three paths and says whether it did; any other request is left alone. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const path = request.url?.split('?')[0];
    if (path === '/healthz') sendJson(response, 200, { status: 'ok' });
    else if (path === '/readyz')
      void this.check().then((report) => sendJson(response, report.ready ? 200 : 503, report));
    else if (path === '/metrics') this.sendMetrics(response);
    else return false;
    return true;
  }

  private sendMetrics(response: ServerResponse): void {
    this.metrics.metrics().then(
      (text) => response.writeHead(200, { 'content-type': this.metrics.contentType }).end(text),
      () => sendJson(response, 500, { status: 'metrics cannot be collected' }),
    );
  }
}

async function outcome(check: () => Promise<void>): Promise<'ok' | 'failed' | 'timed out'> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<'timed out'>((resolve) => {
    timer = setTimeout(() => resolve('timed out'), CHECK_LIMIT_MS);
  });
  const run = async (): Promise<'ok' | 'failed'> => {
    try {
      await check();
      return 'ok';
    } catch {
      return 'failed';
    }
  };
  return Promise.race([run(), limit]).finally(() => clearTimeout(timer));
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
