import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLog } from '@reseller/testing';
import { createHttpVendor } from '../src/clients/vendors/http/http-vendor';
import { createVendorMetrics } from '../src/clients/vendors/http/vendor-metrics';
import { DELIVERY_SHAPES } from '../src/products';
import type { LiveVendor } from '../src/clients/vendors/vendor-directory';

/** How a vendor treats one request; `…-taken` has delivered before things go wrong. */
export const BEHAVIOURS = [
  'well',
  'refuse',
  'pending',
  'drop',
  'drop-taken',
  'hang',
  'hang-taken',
  'error',
  'error-taken',
  'nonsense',
  'not-accepted',
] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

type Status = 'success' | 'refused' | 'pending';

/** A vendor over HTTP that does as it is told and keeps a journal; it delivers a key at most once, by contract. */
export class ScriptedVendor {
  /** What it does with the next submissions and inquiries; `well` when nothing is left. */
  readonly submits: Behaviour[] = [];
  readonly inquiries: Behaviour[] = [];
  /** Every request as it came: POST or GET and the key. */
  readonly requests: string[] = [];
  /** What it has on record; the truth that money is checked against. */
  readonly journal = new Map<string, Status>();
  private server: Server | undefined;
  private port = 0;

  constructor(readonly name: string) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get delivered(): string[] {
    return [...this.journal].filter(([, status]) => status === 'success').map(([key]) => key);
  }

  count(method: 'POST' | 'GET'): number {
    return this.requests.filter((request) => request.startsWith(method)).length;
  }

  /** Listens, on the same port as before. */
  async start(): Promise<this> {
    this.server = createServer((request, response) => void this.serve(request, response));
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
    return this;
  }

  /** From here on connections to it are refused. */
  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume();
    await once(request, 'end').catch(() => undefined);
    const isSubmission = request.method === 'POST';
    const key = isSubmission
      ? String(request.headers['idempotency-key'])
      : decodeURIComponent(request.url?.split('/').at(-1) ?? '');
    this.requests.push(`${request.method} ${key}`);
    const behaviour = (isSubmission ? this.submits : this.inquiries).shift() ?? 'well';
    const taken: Partial<Record<Behaviour, Status>> = { refuse: 'refused', pending: 'pending' };
    const takes = ['well', 'refuse', 'pending', 'drop-taken', 'hang-taken', 'error-taken'];
    const isTaken = isSubmission && takes.includes(behaviour) && !this.journal.has(key);
    if (isTaken) this.journal.set(key, taken[behaviour] ?? 'success');
    else if (!isSubmission && behaviour === 'well' && this.journal.get(key) === 'pending')
      this.journal.set(key, 'success');
    if (behaviour.startsWith('drop')) return void request.socket.destroy();
    if (behaviour.startsWith('hang')) return;
    this.respond(response, behaviour, isSubmission, key);
  }

  private respond(response: ServerResponse, behaviour: Behaviour, isSubmission: boolean, key: string): void {
    const send = (status: number, body: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const status = this.journal.get(key);
    if (behaviour === 'nonsense') return send(200, { status: 'perhaps' });
    if (behaviour.startsWith('error')) return send(500, { error: { code: 'INTERNAL_ERROR' } });
    // A vendor that has the key on record does not say that it took nothing.
    if (behaviour === 'not-accepted' && isSubmission && !status)
      return send(503, { error: { code: 'UNAVAILABLE', taken: false } });
    if (!status) return send(404, { error: { code: 'ORDER_NOT_FOUND' } });
    send(200, { status, vendorOrderId: `${this.name}-1`, reason: 'No.' });
  }
}

/** The real adapter for a scripted vendor; it waits long for a response, unless a test lets the vendor hang. */
export function adapterOf(
  vendor: ScriptedVendor,
  priority: number,
  { geoScopes = ['*'], faults = 1_000, openMs = 20, timeoutMs = 5_000 } = {},
): LiveVendor & { vendor: ReturnType<typeof createHttpVendor> } {
  const settings = {
    name: vendor.name,
    url: vendor.url,
    apiKey: 'key',
    times: { timeoutMs, connectTimeoutMs: timeoutMs },
    breaker: { faults, openMs },
    deliveryShapes: DELIVERY_SHAPES,
  };
  const observed = { metrics: createVendorMetrics(), log: silentLog };
  return { vendor: createHttpVendor(settings, observed), products: ['Topup', 'Esim'], geoScopes, priority };
}
