import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import { v4 as uuid } from 'uuid';
import { DeliveryRepository } from '../src/delivery/delivery.repository';
import { firstIdAt } from '../src/delivery/domain/day-ids';
import { plantDay } from './plant-day';
import { MIGRATIONS, subscribe } from './start-delivery';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NAIVELY = `
  SELECT count(*) FILTER (WHERE status = 'Delivered')::int AS delivered, count(*) FILTER (WHERE status = 'DeadLettered')::int AS "deadLettered", 0 AS pending
  FROM webhook_finished_deliveries AS d JOIN webhook_events AS e USING (event_id)
  WHERE d.id >= $2::uuid AND d.id < $3::uuid AND e.environment = $1`;

let database: TestDatabase;
let deliveries: DeliveryRepository;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  deliveries = new DeliveryRepository(database.servicePool);
});
afterAll(() => database.drop());

it('when deliveries of a time are counted, then whole days by their counts and the rest by themselves are all of them, also of a subscription that is gone (spec §18.7)', async () => {
  const kept = await subscribe(database, 'https://receiver.example/kept');
  for (const [daysAgo, count] of [
    [4, 3],
    [3, 5],
    [2, 7],
    [1, 11],
  ] as const)
    await plantDay(database, kept.id, kept.partnerId, daysAgo, count);
  await plantDay(database, uuid(), kept.partnerId, 3, 13);

  const now = Date.now();
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  const spans = [
    [midnight - 3 * DAY_MS, midnight - 2 * DAY_MS],
    [midnight - 5 * DAY_MS, midnight + DAY_MS],
    [now - 3 * DAY_MS - HOUR_MS, now - DAY_MS - HOUR_MS],
    [now - 3 * DAY_MS + HOUR_MS, now - DAY_MS + HOUR_MS],
    [now - 3 * DAY_MS - HOUR_MS, now - 3 * DAY_MS + HOUR_MS],
    [midnight - 3 * DAY_MS + HOUR_MS, midnight - 3 * DAY_MS + 2 * HOUR_MS],
    [0, now],
    [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')],
    [Date.parse('9999-12-31T10:00:00Z'), Date.parse('9999-12-31T11:00:00Z')],
  ] as const;
  for (const [from, to] of spans)
    for (const environment of ['sandbox', 'live'] as const) {
      const counted = await deliveries.count(environment, new Date(from), new Date(to));
      const { rows } = await database.pool.query(NAIVELY, [environment, firstIdAt(from), firstIdAt(to)]);
      expect({ from, to, environment, counted }).toEqual({ from, to, environment, counted: rows[0] });
    }
  const all = await deliveries.count('sandbox', new Date(midnight - 5 * DAY_MS), new Date(midnight));
  expect(all.delivered).toBe(39);
});
