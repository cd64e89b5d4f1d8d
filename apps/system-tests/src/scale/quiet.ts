import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../until';
import { rowsOf } from '../platform/rows-of';

const WITH_OUTBOX = ['identity', 'orders-saga', 'scent-commerce', 'finance'];

/** Resolves when no event waits, no saga runs and no webhook is due any more; says what keeps moving when it does not. */
export async function untilQuiet(limitMs = 60_000): Promise<void> {
  await untilOrdersQuiet(limitMs);
  await untilEventsHandled(limitMs);
  await untilWebhooksQuiet(limitMs);
}

/** Resolves when every group has handled what was published; a group that met a fault rests before it goes on. */
async function untilEventsHandled(limitMs: number): Promise<void> {
  const [bus] = await rowsOf<{ isThere: boolean }>(
    'event-bus',
    `SELECT to_regclass('event_bus.group_progress') IS NOT NULL AS "isThere"`,
  );
  // On Kafka the broker keeps the offsets.
  if (!bus?.isThere) return;
  const waiting = `SELECT count(*)::int AS n FROM event_bus.group_progress
    WHERE committed_offset < next_offset`;
  await until(
    'every event is handled',
    async () => (await rowsOf<{ n: number }>('event-bus', waiting))[0]?.n === 0,
    limitMs,
  );
}

/** The same, whatever webhooks are due. */
export async function untilOrdersQuiet(limitMs = 60_000): Promise<void> {
  for (const owner of WITH_OUTBOX) {
    await until(
      `the outbox of ${owner} is empty`,
      async () => (await count(owner, 'SELECT count(*) AS n FROM outbox WHERE published_at IS NULL')) === 0,
      limitMs,
    );
  }
  const open = "SELECT count(*) AS n FROM sagas WHERE state = 'Active'";
  await until('no saga runs', async () => (await count('orders-saga', open)) === 0, limitMs);
}

async function untilWebhooksQuiet(limitMs: number): Promise<void> {
  const due = 'SELECT count(*) AS n FROM webhook_pending_deliveries';
  let last = -1;
  let same = 0;
  // A second in a row: an event may still be on its way from the bus.
  await until(
    'no webhook is due',
    async () => {
      await pause(100);
      const now = await count('notifier', due);
      const events = await count('notifier', 'SELECT count(*) AS n FROM webhook_events');
      same = now === 0 && events === last ? same + 1 : 0;
      last = events;
      return same >= 10;
    },
    limitMs,
  );
}

async function count(owner: string, sql: string): Promise<number> {
  const [row] = await rowsOf<{ n: string }>(owner, sql);
  return Number(row?.n);
}
