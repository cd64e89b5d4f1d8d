import { afterEach, beforeEach, expect } from '@jest/globals';
import { silentLog } from '@reseller/testing';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import {
  VendorNotAcceptedError,
  VendorUnreachableError,
  type VendorOrder,
} from '../src/clients/vendors/domain/vendor';
import { createHttpVendor } from '../src/clients/vendors/http/http-vendor';
import { createVendorMetrics } from '../src/clients/vendors/http/vendor-metrics';
import { ACTIVATION_SHAPES } from '../src/products/esim/domain/activation';

type HttpVendor = ReturnType<typeof createHttpVendor>;

/** What a vendor's server does with a request. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A vendor that orders-saga calls, and its server, for each test anew. */
export interface HttpVendorStage {
  vendor: HttpVendor;
  metrics: Registry;
  /** What its server does from now on. */
  behave: Behaviour;
  /** Whether orders are still the caller's. */
  hasLease: boolean;
  /** What its server was sent. */
  readonly seen: {
    method?: string;
    url?: string;
    headers: IncomingMessage['headers'];
    body: string;
  }[];
  readonly url: () => string;
  /** Another client; no response is given up, however busy the machine is, but where a test has one never come. */
  make(url: string, breaker?: { faults: number; openMs: number }, timeoutMs?: number): HttpVendor;
  submit(signal?: AbortSignal): ReturnType<HttpVendor['submit']>;
  /** Has the server respond with this from now on. */
  say(status: number, body: unknown): void;
}

/** An order of a top-up. */
export const TOPUP: VendorOrder = {
  product: 'Topup',
  orderGlobalId: 'TU-1',
  geoScopeGlobalId: 'GEO-SA',
  item: { phoneNumber: '+966500000001' },
  amount: '10.00',
  currency: 'SAR',
};
const PATIENT_MS = 60_000;

/** Starts a vendor's server before each test and closes it after. */
export function useHttpVendor(): HttpVendorStage {
  let server: Server;
  const stage: HttpVendorStage = {
    seen: [],
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    make(url, breaker = { faults: 3, openMs: PATIENT_MS }, timeoutMs = PATIENT_MS) {
      stage.metrics = new Registry();
      const times = { timeoutMs, connectTimeoutMs: timeoutMs / 2 };
      const settings = {
        name: 'acme',
        url,
        apiKey: 'key-1',
        times,
        breaker,
        deliveryShapes: ACTIVATION_SHAPES,
      };
      return createHttpVendor(settings, { metrics: createVendorMetrics(stage.metrics), log: silentLog });
    },
    submit: (signal = new AbortController().signal) =>
      stage.vendor.submit(TOPUP, { idempotencyKey: 'TU-1', signal, isHeld: () => stage.hasLease }),
    say(status, body) {
      stage.behave = (_, response) =>
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(typeof body === 'string' ? body : JSON.stringify(body));
    },
    // The rest is there before each test.
  } as Partial<HttpVendorStage> as HttpVendorStage;
  beforeEach(async () => {
    stage.seen.length = 0;
    stage.hasLease = true;
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        stage.seen.push({ method: request.method, url: request.url, headers: request.headers, body });
        stage.behave(request, response, body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stage.vendor = stage.make(stage.url());
  });
  afterEach(async () => {
    await stage.vendor.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return stage;
}

/** Holds that nobody can tell what a call did: the vendor may have taken the order. */
export async function uncertain(call: Promise<unknown>): Promise<void> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(VendorUnreachableError);
  expect(error).not.toBeInstanceOf(VendorNotAcceptedError);
}
