import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Logger } from '@reseller/service-kit';
import { Counter, type Registry } from 'prom-client';
import { z } from 'zod';
import { isSignedBy } from './signature';

/** What the listener for vendors' callbacks works with. */
interface CallbackDeps {
  /** The callback secret of each vendor that has one. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Has the vendor's order polled now, if it waits for a poll of this vendor. */
  readonly wake: (vendor: string, orderGlobalId: string) => Promise<void>;
  readonly log: Logger;
  readonly metrics?: Registry | undefined;
  readonly now?: () => number;
}

type Reply = readonly [status: number, code: string];

const PATH = /^\/v1\/vendors\/([^/?]+)\/callbacks$/;
const MOST_BYTES = 16 * 1024;
const bodyShape = z.object({ idempotencyKey: z.string().min(1).max(128) });

/**
 * Takes signed callbacks of vendors (docs/vendors/http-contract.md). A callback is a hint and nothing more: all it does
 * is bring the order's next inquiry forward, so whoever could forge one would learn and change nothing.
 */
export function createCallbackServer(deps: CallbackDeps): Server {
  const count = countCallbacks(deps);
  const limits = { headersTimeout: 5_000, requestTimeout: 10_000, maxHeaderSize: 8 * 1024 };
  return createServer({ ...limits, connectionsCheckingInterval: 2_000 }, (request, response) => {
    void reply(deps, request)
      .catch((err: unknown): Reply => {
        // One that broke off has nobody left to respond to.
        if (request.complete) deps.log.error({ err }, 'a vendor’s callback could not be taken');
        return [503, 'UNAVAILABLE'];
      })
      .then(([status, code]) => {
        count(request, status);
        const body = status === 202 ? { accepted: true } : { error: { code } };
        const headers = { 'content-type': 'application/json', ...(status === 405 && { allow: 'POST' }) };
        // What is left of a body that nobody reads would be taken for the next request.
        if (!request.complete) response.shouldKeepAlive = false;
        response.writeHead(status, headers).end(JSON.stringify(body));
        request.resume();
      });
  });
}

/** By vendor, as far as it is one of ours: a path is the caller's to invent, a metric's labels are not. */
function countCallbacks({
  secrets,
  metrics,
}: CallbackDeps): (request: IncomingMessage, status: number) => void {
  if (!metrics) return () => undefined;
  const callbacks = new Counter({
    name: 'vendor_callbacks_total',
    help: 'Callbacks of vendors by the status they were answered with. Sum over instances.',
    labelNames: ['vendor', 'status'],
    registers: [metrics],
  });
  return ({ url }, status) => {
    const name = decode(PATH.exec(url ?? '')?.[1] ?? '');
    callbacks.inc({ vendor: secrets.has(name) ? name : 'unknown', status: String(status) });
  };
}

async function reply(deps: CallbackDeps, request: IncomingMessage): Promise<Reply> {
  const [, vendor = ''] = PATH.exec(request.url ?? '') ?? [];
  if (!vendor) return [404, 'ROUTE_NOT_FOUND'];
  if (request.method !== 'POST') return [405, 'METHOD_NOT_ALLOWED'];
  const body = await readBytes(request);
  if (!body) return [413, 'PAYLOAD_TOO_LARGE'];
  const name = decode(vendor);
  const secret = deps.secrets.get(name);
  const signature = String(request.headers['vendor-signature'] ?? '');
  // A vendor without a secret cannot be told from a wrong signature.
  const now = (deps.now ?? Date.now)();
  if (!isSignedBy(secret ?? '', signature, body, now) || !secret) return [401, 'UNAUTHORIZED'];
  const parsed = bodyShape.safeParse(parseJson(body));
  if (!parsed.success) return [400, 'INVALID_REQUEST'];
  await deps.wake(name, parsed.data.idempotencyKey);
  return [202, 'ACCEPTED'];
}

async function readBytes(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
