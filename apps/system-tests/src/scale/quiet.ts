import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { until } from '../crash/until';
import { readPlatformFile } from '../platform/platform-file';

const WITH_OUTBOX = ['identity', 'orders-saga', 'scent-commerce', 'finance'];

/** Resolves when no event waits, no saga runs and no webhook is due any more; says what keeps moving when it does not. */
export async function untilQuiet(limitMs = 60_000): Promise<void> {
  await untilOrdersQuiet(limitMs);
  await untilWebhooksQuiet(limitMs);
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
  const client = new pg.Client({ connectionString: readPlatformFile().databases[owner] ?? '' });
  await client.connect();
  try {
    const { rows } = await client.query<{ n: string }>(sql);
    return Number(rows[0]?.n);
  } finally {
    await client.end();
  }
}
