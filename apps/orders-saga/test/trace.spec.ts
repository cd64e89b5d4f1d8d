import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace';
import { FakeFinance } from '@reseller/contract-testing';
import { createTestDatabase, eventually, silentLog, type TestDatabase } from '@reseller/testing';
import { inSpan, startTracing, withLogFields, type Tracing } from '@reseller/telemetry';
import { PRODUCTS } from './products';
import { bundleOrders, spawnOrders, type OrdersProcess } from './spawn-orders';
import { callOf, MIGRATIONS, startOrders, type RunningOrders } from './start-orders';

const exporter = new InMemorySpanExporter();
let tracing: Tracing;
let database: TestDatabase;
let bundle: Awaited<ReturnType<typeof bundleOrders>>;
let finance: FakeFinance;
let survivor: RunningOrders;
let doomed: OrdersProcess;

beforeAll(async () => {
  const resource = { 'service.name': 'test' };
  tracing = await startTracing({ endpoint: '', exporter, scheduleDelayMs: 20, resource, log: silentLog });
  database = await createTestDatabase({ migrations: MIGRATIONS });
  bundle = await bundleOrders();
});
beforeEach(async () => {
  finance = await new FakeFinance('1000.00').start();
  survivor = await startOrders(database, finance);
});
afterEach(async () => {
  await doomed?.stop();
  await survivor.stop();
  await finance.stop();
});
afterAll(async () => {
  await bundle.remove();
  await database.drop();
  await tracing.stop();
});

interface TracedEvent {
  readonly headers: Readonly<Record<string, string>>;
}

const eventsOf = async (traceId: string): Promise<TracedEvent[]> =>
  (
    await database.pool.query<TracedEvent>(
      "SELECT headers FROM outbox WHERE headers ->> 'traceparent' LIKE $1",
      [`00-${traceId}-%`],
    )
  ).rows;

describe('the trace of an order whose process was killed', () => {
  it.each(PRODUCTS)(
    'when another process carries $name on, then its steps and its event are in the trace and under the id of the request',
    async (product) => {
      doomed = await spawnOrders(bundle.file, {
        DATABASE_URL: database.serviceUrl,
        EVENT_BUS_URL: database.url,
        FINANCE_ADDRESS: finance.address,
        SCENT_COMMERCE_ADDRESS: '127.0.0.1:1',
        RECOVERY_INTERVAL_MS: '60000',
        CRASH_POINT: 'funds.reserve.after',
        // It traces, though nobody takes its spans.
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      });
      const call = { ...callOf(), requestId: randomUUID() };
      const attempt = product.attempt();
      let hasEnded = false;
      void doomed.ended.then(() => (hasEnded = true));
      const traceId = await inSpan('request', { isRoot: true }, async (span) => {
        do {
          // Sent again until its time is up, since that is safe: nobody listens there any more. On a busy machine its time may be up first.
          const bounded = { ...call, deadlineAt: Date.now() + 5_000 };
          await expect(attempt.create(doomed, bounded)).rejects.toMatchObject({
            code: 'SERVICE_UNAVAILABLE',
          });
        } while (!hasEnded);
        return span.spanContext().traceId;
      });
      expect(await doomed.ended).toBe('SIGKILL');
      await database.pool.query(
        'UPDATE sagas SET lease_until = now(), wake_at = now() WHERE lease_until IS NOT NULL',
      );
      const resumed = await eventually(() => {
        const spans = spansOf(traceId);
        expect(spans.map(({ name }) => name)).toEqual(
          expect.arrayContaining([
            'saga resume',
            'saga funds.reserve',
            'saga vendor.submit',
            'saga funds.capture',
          ]),
        );
        return spans;
      });
      const resume = resumed.find(({ name }) => name === 'saga resume');
      const steps = resumed.filter(({ name }) => /^saga (funds|vendor)\./.test(name));
      expect(new Set(steps.map(({ parentSpanContext }) => parentSpanContext?.spanId))).toEqual(
        new Set([resume?.spanContext().spanId]),
      );
      const events = await eventsOf(traceId);
      expect(events.length).toBeGreaterThan(0);
      expect(events.map(({ headers }) => headers['request-id'])).toEqual(events.map(() => call.requestId));
    },
  );

  it('when several orders are made at once, then each event has the trace of its own order', async () => {
    const [product] = PRODUCTS;
    const made = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const call = { ...callOf(), requestId: randomUUID() };
        return inSpan('request', { isRoot: true }, async (span) => {
          await withLogFields({ requestId: call.requestId }, () => product!.attempt().create(survivor, call));
          return { traceId: span.spanContext().traceId, requestId: call.requestId };
        });
      }),
    );
    for (const { traceId, requestId } of made) {
      const events = await eventsOf(traceId);
      expect(events.map(({ headers }) => headers['request-id'])).toEqual([requestId]);
    }
  });
});

function spansOf(traceId: string): ReadableSpan[] {
  return exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);
}
