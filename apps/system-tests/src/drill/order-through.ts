import { say } from '../bench/measure';
import { OperatorClient, type TestPartner } from '../clients/operator-client';
import { Shelf } from '../clients/scents';
import { startReceiver, type WebhookReceiver } from '../clients/webhook-receiver';
import { readPlatformFile } from '../platform/platform-file';
import { rowsOf } from '../platform/rows-of';
import type { StartedPlatform } from '../platform/start-platform';
import { reconcile } from '../reconcile';
import { checkBooks, checkSpending, compareWithVendor, quietOrders, sendAllAgain } from '../restore/compare';
import { Load, stockUp, type Placed } from '../restore/load';
import { untilQuiet } from '../scale/quiet';

const DEPOSIT = 1_000_000;

/** What the platform promises its callers: a response to each call within this, whatever is away behind it. */
export const RESPONSE_MS = 20_000;

/** What is not as it must be after a drill, and what came later than promised. */
export interface DrillFaults {
  readonly faults: readonly string[];
  readonly late: readonly string[];
}

/** On which platform, by how many clients, with what rest between two orders of one, and what follows the load. */
interface OrderDrill {
  readonly platform: StartedPlatform;
  readonly clients: number;
  readonly restMs?: number | undefined;
  /** Whether acknowledged orders may be lost. */
  readonly mayLose?: boolean;
  /** Resolves when every event is handled, where the bus is not in the platform's own database. */
  readonly untilHandled?: () => Promise<void>;
}

/**
 * Has partners order while `strike` does its work and returns what came late. Then every reference is sent again, and
 * responses, books, the vendor's journal and webhooks are compared with what the clients know.
 */
export async function orderThrough(
  drill: OrderDrill,
  strike: (load: Load) => Promise<string[]>,
): Promise<DrillFaults> {
  const { platform, clients, restMs, mayLose = false, untilHandled } = drill;
  const operator = new OperatorClient(platform.description);
  const receiver = await startReceiver();
  try {
    const partners = [
      await operator.newPartner({ deposit: DEPOSIT }),
      await operator.newPartner({ deposit: DEPOSIT }),
    ];
    for (const { live } of partners)
      await live.call('/webhooks', { body: { url: receiver.url, eventTypes: ['order.completed'] } });
    const { pids } = readPlatformFile(platform.file);
    const load = new Load(partners, await stockUp(new Shelf(operator)), clients, restMs);
    const late = await strike(load).finally(() => load.stop());
    const { pids: now } = readPlatformFile(platform.file);
    const ended = Object.keys(pids).filter((process) => now[process] !== pids[process]);
    const faults = [
      ...ended.map((process) => `${process} did not live through it`),
      ...(await examine(operator, partners, load.placed, mayLose)),
    ];
    await untilHandled?.();
    return { faults: [...faults, ...(await checkWebhooks(partners, receiver, mayLose))], late };
  } finally {
    await receiver.stop();
  }
}

/** Compares every response, the books and the vendor's journal with what the clients know. */
async function examine(
  operator: OperatorClient,
  partners: readonly TestPartner[],
  placed: readonly Placed[],
  mayLose: boolean,
): Promise<string[]> {
  const faults: string[] = [];
  const present = new Set(
    (await Promise.all(partners.map(quietOrders))).flatMap((orders) => [...orders.keys()]),
  );
  const acknowledged = placed.filter(({ response }) => response !== undefined);
  const lost = acknowledged.filter(({ response }) => !present.has(response?.orderId ?? ''));
  const net = lost.reduce((sum, { response }) => sum + (response?.net ?? 0), 0);
  say(
    `  lost: ${lost.length} of ${acknowledged.length} acknowledged orders, ${(net / 100).toFixed(2)} SAR of charges`,
  );
  if (!mayLose) faults.push(...lost.map(({ reference }) => `${reference} was acknowledged and is lost`));

  const { again, refused } = await sendAllAgain(partners, placed);
  for (const [reference, state] of refused) faults.push(`${reference} is refused: ${state}`);
  for (const { reference, response } of acknowledged) {
    const now = again.get(reference);
    if (!now || !response || !present.has(response.orderId)) continue;
    if (now.orderId !== response.orderId || now.net !== response.net)
      faults.push(`${reference} has another response`);
  }
  const found = await Promise.all(partners.map(quietOrders));
  for (const [at, partner] of partners.entries()) {
    const orders = found[at] ?? new Map<string, never>();
    const sent = placed.filter((one) => one.partner === at);
    const spending = { deposit: DEPOSIT, orders: orders.size, sent, again };
    const books = [...(await checkBooks(partner, orders)), ...(await checkSpending(partner, spending))];
    faults.push(...books.map((fault) => `partner ${at}: ${fault}`));
  }
  const vendor = await compareWithVendor(found.flatMap((orders) => [...orders.values()]));
  faults.push(
    ...vendor.faults,
    ...vendor.orphans.map((key) => `the vendor delivered ${key}, which is no order`),
  );
  const [twice] = await rowsOf<{ n: number }>(
    'vendor-simulator',
    'SELECT count(*)::int AS n FROM vendor_journal WHERE deliveries > 1',
  );
  if (twice?.n) faults.push(`the vendor delivered ${twice.n} orders twice`);
  const { compared, faults: differences } = await reconcile(operator);
  say(`  sent again: ${again.size} with a response; reconciler: ${compared} compared`);
  return [...faults, ...differences];
}

/** Completed orders that no webhook was received of, once none is due any more. */
async function checkWebhooks(
  partners: readonly TestPartner[],
  { received }: Pick<WebhookReceiver, 'received'>,
  mayLose: boolean,
): Promise<string[]> {
  await untilQuiet();
  // A change is one event; an order that was Processing first has two (spec §10.3).
  const changes = new Set(
    received.map(({ event: { data } }) => `${data['orderGlobalId']} is ${data['status']}`),
  );
  const orders = (await Promise.all(partners.map(({ live }) => live.allOrders()))).flat();
  const completed = orders.filter(({ status }) => status === 'Completed');
  const ids = new Set(received.map(({ event }) => event.eventId));
  say(
    `  webhooks: ${ids.size} received, ${received.length - ids.size} of them again; ${completed.length} orders are Completed`,
  );
  // A change that was lost after its webhook is made and announced anew.
  const isAnnouncedAnew = ids.size > changes.size && !mayLose;
  return [
    ...(isAnnouncedAnew ? ['one change of an order was announced under several event ids'] : []),
    ...completed
      .filter(({ orderGlobalId }) => !changes.has(`${orderGlobalId} is Completed`))
      .map(({ orderGlobalId }) => `${orderGlobalId} is Completed and no webhook says so`),
  ];
}

/** How long after, in words. */
export const after = (from: number, to: number): string => `${((to - from) / 1_000).toFixed(1)} s`;
