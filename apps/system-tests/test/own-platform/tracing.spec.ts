import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectSuccess, type ApiResponse } from '../../src/clients/response';
import { newEsim, newTopup } from '../../src/clients/bodies';
import { OperatorClient, type TestPartner } from '../../src/clients/operator-client';
import type { EsimOrder, Page, TopupOrder, WebhookWithSecret } from '../../src/clients/resources';
import { addToCart, newScentOrder, type ScentOrder } from '../../src/clients/scents';
import { startReceiver, type WebhookReceiver } from '../../src/clients/webhook-receiver';
import { startPlatform, type StartedPlatform } from '../../src/platform/start-platform';
import { findLeaks, findShapeless, readLogLines, type LogEntry } from '../../src/telemetry/log-files';
import { faultsOfTree, startCollector, type OtlpCollector } from '../../src/telemetry/otlp-collector';
import { readUsedSecrets } from '../../src/telemetry/used-secrets';
import { eventually } from '@reseller/testing';

let collector: OtlpCollector;
let platform: StartedPlatform;
let receiver: WebhookReceiver;
let operator: OperatorClient;
let partner: TestPartner;

beforeAll(async () => {
  [collector, receiver] = await Promise.all([startCollector(), startReceiver()]);
  platform = await startPlatform({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    ACCESS_LOG: 'all',
    LOG_LEVEL: 'debug',
    WEBHOOK_RETRY_BASE_MS: '300',
  });
  process.env.REMEMBER_SECRETS_OF = platform.file;
  operator = new OperatorClient(platform.description);
  partner = await operator.newPartner({ deposit: 5_000 });
  const eventTypes = ['order.completed', 'order.fulfilment-updated'];
  const made = await partner.live.call<WebhookWithSecret>('/webhooks', {
    body: { url: receiver.url, eventTypes },
  });
  expect(made.status).toBe(201);
});
afterAll(async () => {
  delete process.env.REMEMBER_SECRETS_OF;
  await Promise.all([receiver?.stop(), collector?.stop(), platform?.stop()]);
});

/** One call under a request id of its own, with a trace of the caller's beside it. */
async function traced<T>(call: (headers: Record<string, string>) => Promise<ApiResponse<T>>) {
  const requestId = `trace-${randomUUID()}`;
  const theirs = randomUUID().replaceAll('-', '');
  const traceparent = `00-${theirs}-00f067aa0ba902b7-00`;
  const payload = expectSuccess(await call({ 'x-request-id': requestId, traceparent }));
  return { requestId, theirs, payload };
}

/** The names of a request's trace, once it is one whole tree that ends in a webhook attempt. */
async function namesOf(requestId: string): Promise<string[]> {
  return eventually(() => {
    const spans = collector.traceOf(requestId);
    const names = spans.map(({ service, name }) => `${service}: ${name}`);
    expect(names).toContain('notifier: webhook attempt');
    expect(faultsOfTree(spans)).toEqual([]);
    return Promise.resolve(names);
  }, PATIENCE);
}

const PATIENCE = { intervalMs: 50 };

const PUBLISHED_SPANS = [
  'orders-saga: publish reseller.orders.order.v1',
  'notifier: process reseller.orders.order.v1',
  'notifier: webhook attempt',
];

describe('one trace from the gateway to the webhook', () => {
  test('when a top-up is placed, then all that is done for it is one tree, linked to the caller’s', async () => {
    const { requestId, theirs } = await traced<TopupOrder>((headers) =>
      partner.live.call('/orders/topup', { body: newTopup(), headers }),
    );
    expect(await namesOf(requestId)).toEqual(
      expect.arrayContaining([
        'gateway: POST /api/v1/orders/topup',
        'gateway: reseller.orders.v1.TopupOrderService/CreateTopupOrder',
        'orders-saga: reseller.orders.v1.TopupOrderService/CreateTopupOrder',
        'orders-saga: saga funds.reserve',
        'orders-saga: reseller.finance.v1.FundsService/ReserveFunds',
        'finance: reseller.finance.v1.FundsService/ReserveFunds',
        'orders-saga: saga vendor.submit',
        'orders-saga: vendor local-vendor',
        'orders-saga: saga funds.capture',
        ...PUBLISHED_SPANS,
      ]),
    );
    const [first] = collector.traceOf(requestId).filter(({ parentSpanId }) => parentSpanId === '');
    // Not sampled by the caller, and yet kept: that is ours to say.
    expect(first?.links).toEqual([theirs]);
    expect(first?.traceId).not.toBe(theirs);
  });

  test('when an eSIM is ordered, then all that is done for it is one tree', async () => {
    const { requestId } = await traced<EsimOrder>((headers) =>
      partner.live.call('/orders/esim', { body: newEsim(), headers }),
    );
    const names = await namesOf(requestId);
    expect(names).toEqual(expect.arrayContaining(['gateway: POST /api/v1/orders/esim', ...PUBLISHED_SPANS]));
  });

  test('when a scent order is placed and one of its groups shipped, then each is one tree', async () => {
    const { items } = expectSuccess(
      await partner.live.call<Page<{ id: string }>>('/scent/variants?availability=Available&pageSize=1'),
    );
    await addToCart(partner.live, items[0]?.id ?? '', 1);
    const placed = await traced<ScentOrder>((headers) =>
      partner.live.call('/orders/scent', { body: newScentOrder(), headers }),
    );
    expect(await namesOf(placed.requestId)).toEqual(
      expect.arrayContaining([
        'gateway: POST /api/v1/orders/scent',
        'scent-commerce: reseller.scent.v1.CheckoutService/BeginCheckout',
        'orders-saga: saga funds.settle',
        ...PUBLISHED_SPANS,
      ]),
    );
    const group = placed.payload.fulfillmentGroups[0]?.id;
    const shipped = await traced((headers) =>
      operator.call(`/fulfillment-groups/${group}/ship`, { body: {}, headers }),
    );
    expect(await namesOf(shipped.requestId)).toEqual(
      expect.arrayContaining(['backoffice: POST /ops/v1/fulfillment-groups/{id}/ship', ...PUBLISHED_SPANS]),
    );
  });

  test('when a receiver fails at first, then the attempts that follow are in the same trace', async () => {
    receiver.response = { status: 500 };
    const { requestId } = await traced<TopupOrder>((headers) =>
      partner.live.call('/orders/topup', { body: newTopup(), headers }),
    );
    await namesOf(requestId);
    receiver.response = { status: 204 };
    const statuses = await eventually(() => {
      const spans = collector.traceOf(requestId);
      const attempts = spans.filter(({ name }) => name === 'webhook attempt');
      const responses = attempts.map(({ attributes }) => attributes['http.response.status_code']);
      expect(responses).toContain('204');
      expect(faultsOfTree(spans)).toEqual([]);
      return responses;
    }, PATIENCE);
    expect(statuses.slice(0, -1)).toEqual(statuses.slice(1).map(() => '500'));
    expect(statuses.length).toBeGreaterThan(1);
  });
});

describe('the logs of a run that says all it can', () => {
  test('when an order is followed by the partner’s request id, then gateway, orders-saga, finance and notifier tell of it', async () => {
    const { requestId } = await traced<TopupOrder>((headers) =>
      partner.live.call('/orders/topup', { body: newTopup(), headers }),
    );
    await namesOf(requestId);
    const lines = readLogLines(path.join(path.dirname(platform.file), 'logs'));
    const entries = lines
      .filter(({ text }) => text.includes(requestId))
      .map(({ text }) => JSON.parse(text) as LogEntry);
    const services = new Set(
      entries.filter((entry) => entry['requestId'] === requestId).map(({ service }) => service),
    );
    expect([...services]).toEqual(expect.arrayContaining(['gateway', 'orders-saga', 'finance', 'notifier']));
    expect(entries.filter(({ traceId }) => traceId === undefined)).toEqual([]);
    expect(findShapeless(lines).slice(0, 10)).toEqual([]);
  });

  test('when every secret that the run used is looked for, then none is in any log or span', () => {
    const secrets = readUsedSecrets(platform.file);
    const lines = readLogLines(path.join(path.dirname(platform.file), 'logs'));
    expect(lines.some(({ text }) => text.includes('"level":20'))).toBe(true);
    const spans = collector.spans.map((span) => ({ file: 'spans', text: JSON.stringify(span) }));
    expect(findLeaks([...lines, ...spans], secrets).slice(0, 10)).toEqual([]);
  });
});
