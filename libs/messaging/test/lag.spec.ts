import { describe, expect, it } from '@jest/globals';
import { observeBacklogs } from '@reseller/database';
import { createTestDatabase, eventually, silentLog } from '@reseller/testing';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Registry } from 'prom-client';
import { appendToOutbox } from '../src/outbox';
import { outboxBacklog } from '../src/outbox-backlog';
import { createOutboxRelay } from '../src/outbox-relay';
import { createPostgresEventBus } from '../src/postgres/postgres-event-bus';

const TOPIC = 'reseller.test.lag.v1';
const sql = readFileSync(path.join(__dirname, '../sql/messaging.sql'), 'utf8');

describe('the metrics of the way from outbox to handler', () => {
  it('when a consumer, and then the bus, holds up, then the lag of each shows, and goes back to nothing', async () => {
    const [service, busDatabase] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await service.pool.query(sql);
    const metrics = new Registry();
    const valueOf = async (name: string): Promise<number | undefined> =>
      (await metrics.getSingleMetric(name)?.get())?.values[0]?.value;
    const options = { connectionString: busDatabase.url, log: silentLog, metrics, lagEveryMs: 200 };
    const bus = createPostgresEventBus(options);
    let isBusAway = false;
    const publish: typeof bus.publish = (events) =>
      isBusAway ? Promise.reject(new Error('the bus is away')) : bus.publish(events);
    observeBacklogs({ pool: service.pool, metrics, log: silentLog }, [{ ...outboxBacklog(), keepMs: 0 }]);
    const relay = createOutboxRelay({
      connectionString: service.url,
      bus: { publish },
      log: silentLog,
      metrics,
    });
    const append = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1)
        await appendToOutbox(service.pool, {
          topic: TOPIC,
          type: 'Fact',
          aggregateId: `a-${n}`,
          payload: Buffer.of(),
        });
    };

    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    bus.subscribe({ group: 'g', topics: [TOPIC], handler: () => held });
    await append(30);
    await eventually(async () => expect(await valueOf('event_bus_group_lag_events')).toBe(30));
    await eventually(async () => expect(await valueOf('event_bus_group_lag_seconds')).toBeGreaterThan(0.2));
    release();
    await eventually(async () => expect(await valueOf('event_bus_group_lag_events')).toBe(0));
    await eventually(async () => expect(await valueOf('event_bus_group_lag_seconds')).toBe(0));
    expect(await valueOf('event_bus_dead_letters_total')).toBe(0);
    await eventually(async () => expect(await valueOf('outbox_oldest_unpublished_seconds')).toBe(0));

    isBusAway = true;
    await append(5);
    await eventually(async () =>
      expect(await valueOf('outbox_oldest_unpublished_seconds')).toBeGreaterThan(0.2),
    );
    await eventually(async () => expect(await valueOf('outbox_failures_total')).toBeGreaterThan(0));
    await eventually(async () => expect(await valueOf('outbox_unpublished_events')).toBe(5));
    isBusAway = false;
    await eventually(async () => expect(await valueOf('outbox_oldest_unpublished_seconds')).toBe(0));
    await eventually(async () => expect(await valueOf('event_bus_handled_total')).toBeGreaterThan(0));

    await relay.stop();
    await bus.close();
    await Promise.all([service.drop(), busDatabase.drop()]);
  });
});
