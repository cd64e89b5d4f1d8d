import type { TestDatabase } from '@reseller/testing';
import { addDays, firstIdOf } from '../src/delivery/domain/day-ids';

/** Deliveries that were made so many days ago with their events, as they lie in the database today, each day in its partitions. */
export async function plantDay(
  { pool }: TestDatabase,
  subscriptionId: string,
  partnerId: string,
  daysAgo: number,
  count = 1,
): Promise<void> {
  const day = addDays(new Date().toISOString().slice(0, 10), -daysAgo);
  for (const table of ['webhook_events', 'webhook_finished_deliveries'])
    await pool.query(
      `CREATE TABLE IF NOT EXISTS ${table}_${day.replaceAll('-', '')} PARTITION OF ${table}
       FOR VALUES FROM ('${firstIdOf(day)}') TO ('${firstIdOf(addDays(day, 1))}')`,
    );
  const id = `uuidv7(-interval '${daysAgo} days')`;
  await pool.query(
    `WITH e AS (
       INSERT INTO webhook_events (event_id, partner_id, environment, event_type, occurred_at, order_global_id, body, created_at)
       SELECT ${id}, $1, 'sandbox', 'order.completed', now(), 'TOP-' || n, convert_to('{"a":"ö, \\"b\\""}', 'UTF8'),
         now() - interval '${daysAgo} days' FROM generate_series(1, $3) AS n RETURNING event_id
     ), d AS (
       INSERT INTO webhook_finished_deliveries (id, event_id, subscription_id, event_type, status, attempts)
       SELECT ${id}, event_id, $2, 'order.completed', 'Delivered', '[{"attemptNumber": 1}]' FROM e RETURNING id
     )
     INSERT INTO webhook_delivery_counts SELECT $2, '${day}', 'order.completed', 'Delivered', count(*) FROM d
     ON CONFLICT DO NOTHING`,
    [partnerId, subscriptionId, count],
  );
}
