import type { CostSubject } from '../bench/cost/cost-subject';
import { say } from '../bench/measure';
import { OperatorClient, type TestPartner } from '../clients/operator-client';
import { until } from '../until';
import { rowsOf } from '../platform/rows-of';
import { seedHistory } from '../seed/seed-history';
import { withSuperuser } from '../seed/with-superuser';
import type { GrowthOptions } from './growth-options';
import type { Seller } from './reads';

/**
 * Gives a platform partners with so many orders, unless it has them from a run before; returns the one that has half of them, the others
 * share the rest alike.
 */
export async function makeHistory(
  subject: CostSubject,
  orders: number,
  { partners: count, days }: GrowthOptions,
): Promise<Seller & { readonly isNew: boolean }> {
  process.env.PLATFORM_JSON = subject.platform.file;
  const operator = new OperatorClient(subject.platform.description);
  const half = count === 1 ? orders : Math.ceil(orders / 2);
  const gapMs = Math.ceil((days * 86_400_000) / half);
  const found = await sellerOf(operator, half);
  if (found) return { partner: found, gapMs, isNew: false };
  const [largest, ...others] = await makeSellers(operator, count);
  if (!largest) throw new Error('there is no partner');
  const each = Math.floor((orders - half) / Math.max(1, others.length));
  let said = 0;
  say(`making ${orders} orders with their money and deliveries …`);
  const seconds = await seedHistory({
    databases: subject.platform.description.databases,
    environment: 'live',
    partners: [[largest, half], ...others.map((one) => [one, each] as const)],
    days,
    isWhole: true,
    onProgress: (made) => {
      if (made - said < orders / 10) return;
      said = made;
      say(`  ${made}`);
    },
  });
  await untilAddedUp();
  // As autovacuum does in its own time where orders come one by one.
  for (const database of Object.values(subject.platform.description.databases))
    await withSuperuser(database, (client) => client.query('VACUUM (ANALYZE)'));
  const { diskBytes } = await subject.footprint();
  say(
    `  in ${seconds.toFixed(0)} s, ${(orders / seconds).toFixed(0)} a second; tables and indexes hold ${(diskBytes / 1e9).toFixed(1)} GB`,
  );
  return { partner: largest, gapMs, isNew: true };
}

/** Partners with an empty live wallet, and two webhooks each. */
async function makeSellers(operator: OperatorClient, count: number): Promise<TestPartner[]> {
  const sellers: TestPartner[] = [];
  while (sellers.length < count) {
    const partner = await operator.newPartner({ deposit: 0 });
    for (const place of [1, 2])
      await partner.live.call('/webhooks', {
        body: { url: `https://receiver.example/${place}`, eventTypes: ['order.completed', 'order.failed'] },
      });
    sellers.push(partner);
  }
  return sellers;
}

/** The partner of a kept platform with at least so many live orders of the past. */
async function sellerOf(operator: OperatorClient, orders: number): Promise<TestPartner | undefined> {
  const [known] = await rowsOf<{ id: string; globalId: string }>(
    'orders-saga',
    `SELECT partner_id AS id, partner_global_id AS "globalId" FROM orders
     WHERE environment = 'live' GROUP BY 1, 2 HAVING count(*) >= $1 ORDER BY count(*) DESC LIMIT 1`,
    [orders],
  );
  if (!known) return undefined;
  say(`on the history of a run before, of ${known.globalId} among others`);
  const credentials = {
    sandbox: await operator.createCredential(known.id, 'sandbox'),
    live: await operator.createCredential(known.id, 'live'),
  };
  return operator.existingPartner({ ...known, credentials });
}

/** What jobs add up some seconds after orders have come: totals of lists, and the amounts of the hours that the overviews read. */
const untilAddedUp = (): Promise<unknown> =>
  until(
    'orders are in the totals, and the hours of the last days are added up',
    async () => {
      const [row] = await rowsOf<{ n: number }>('orders-saga', NOT_ADDED_UP);
      return row?.n === 0;
    },
    600_000,
  );

const NOT_ADDED_UP = `
  SELECT (SELECT count(*) FROM order_total_changes)::int + (
    SELECT count(*) FROM order_totals AS t
    WHERE partner_id = '00000000-0000-0000-0000-000000000000' AND level = 0 AND starts_at BETWEEN now() - interval '31 days' AND now() - interval '3 hours'
      AND NOT EXISTS (SELECT FROM hour_amounts WHERE environment = t.environment AND hour = t.starts_at))::int AS n`;
