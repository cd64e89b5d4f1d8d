import type pg from 'pg';
import { INSERT_DELIVERIES, MAKE_PARTITIONS } from './delivery-history.sql';
import { parametersOf, type HistoryPiece } from './history.sql';
import { INSERT_MONEY } from './money-history.sql';
import { INSERT_ORDERS } from './order-history.sql';
import { withSuperuser } from './with-superuser';
import type { EnvironmentName } from '../platform/platform-file';

/** A partner whose orders of the past are made. */
interface HistoryPartner {
  readonly id: string;
  readonly globalId: string;
}

/** Which history of which partners. */
interface HistorySeed {
  /** Of the platform, by service. */
  readonly databases: Readonly<Record<string, string>>;
  readonly environment: EnvironmentName;
  /** With how many orders for each. */
  readonly partners: readonly (readonly [partner: HistoryPartner, orders: number])[];
  /** Over how many days up to the last midnight the orders are spread. */
  readonly days: number;
  /**
   * With their money, events and deliveries, which the reconciler agrees with: into wallets without lines. Otherwise no ledger
   * knows of them, and the reconciler lists them.
   */
  readonly isWhole?: boolean;
  /** Hears how many orders there are so far. */
  readonly onProgress?: (made: number) => void;
}

const BATCH = 50_000;
/** As long as notifier keeps deliveries. */
const DELIVERY_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Adds settled orders to partners' histories, straight into the tables: on a platform whose data may be thrown away. Needs a
 * superuser of the databases, as the local platform's is. Resolves with the seconds it took.
 */
export async function seedHistory(seed: HistorySeed): Promise<number> {
  const startedAt = performance.now();
  const { databases, partners, onProgress, isWhole = false } = seed;
  const until = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);
  const deliveredFrom = new Date(until.getTime() - DELIVERY_DAYS * DAY_MS);
  const run = (Date.now() % 1_000_000_000).toString(36);
  const waiting = [...partners];
  let made = 0;
  const work = async (orders: pg.Client, finance: pg.Client, notifier: pg.Client): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [partner, total] = next;
      for (const piece of piecesOf({ ...seed, partnerId: partner.id, run, total, until })) {
        const parameters = parametersOf(piece);
        await Promise.all([
          orders.query(INSERT_ORDERS, [...parameters, partner.globalId]),
          isWhole && finance.query(INSERT_MONEY, parameters),
          isWhole && notifier.query(INSERT_DELIVERIES, [...parameters, deliveredFrom]),
        ]);
        made += piece.last - piece.first + 1;
        onProgress?.(made);
      }
    }
  };
  await withSuperuser(databases['notifier'], async (notifier) => {
    if (!isWhole) return;
    await notifier.query(MAKE_PARTITIONS, [deliveredFrom]);
    for (const [{ id }] of partners) await notifier.query(MAKE_FEED, [id, seed.environment]);
  });
  // Two at once, as this machine has cores: pieces of one wallet follow each other.
  const seeded = (): Promise<unknown> =>
    Promise.all(
      [1, 2].map(() =>
        withSuperuser(databases['orders-saga'], (orders) =>
          withSuperuser(databases['finance'], (finance) =>
            withSuperuser(databases['notifier'], (notifier) => work(orders, finance, notifier)),
          ),
        ),
      ),
    );
  await withSuperuser(databases['orders-saga'], (client) => withoutRoomToGrow(client, seeded));
  await settle(databases, isWhole);
  return (performance.now() - startedAt) / 1000;
}

/** Pages have room for sagas to grow on their way; those that come at their last size fill them as if they had. */
async function withoutRoomToGrow(client: pg.Client, work: () => Promise<unknown>): Promise<void> {
  const { rows } = await client.query<{ room: string }>(
    `SELECT substring(option FROM 12) AS room FROM pg_class, unnest(reloptions) AS option
     WHERE oid = 'sagas'::regclass AND option LIKE 'fillfactor=%'`,
  );
  const [{ room } = { room: '100' }] = rows;
  await client.query('ALTER TABLE sagas SET (fillfactor = 100)');
  try {
    await work();
  } finally {
    await client.query(`ALTER TABLE sagas SET (fillfactor = ${room})`);
  }
}

const MAKE_FEED = `INSERT INTO webhook_feeds (partner_id, environment) VALUES ($1, $2) ON CONFLICT DO NOTHING`;

function* piecesOf(
  history: Omit<HistoryPiece, 'first' | 'last'> & { readonly total: number },
): Generator<HistoryPiece> {
  for (let first = 1; first <= history.total; first += BATCH)
    yield { ...history, first, last: Math.min(first + BATCH - 1, history.total) };
}

/** What autovacuum does in its own time where orders come one by one. */
async function settle(databases: Readonly<Record<string, string>>, isWhole: boolean): Promise<void> {
  const tables: Readonly<Record<string, string>> = {
    'orders-saga': 'orders, sagas, esim_orders, outbox_aggregate',
    ...(isWhole && {
      finance: 'reservations, ledger_transactions, ledger_entries, wallets',
      notifier: 'webhook_events, webhook_feed_events, webhook_finished_deliveries, webhook_delivery_counts',
    }),
  };
  await Promise.all(
    Object.entries(tables).map(([service, names]) =>
      withSuperuser(databases[service], (client) => client.query(`VACUUM (ANALYZE) ${names}`)),
    ),
  );
}
