import { insistOn } from '../clients/insist';
import type { OperatorClient } from '../clients/operator-client';
import type { EsimOrder, TopupOrder, VendorOrder } from '../clients/resources';
import type { ScentOrder } from '../clients/scents';
import { readBooks } from '../money-check';
import { countDeadLetters } from '../platform/dead-letters';
import { allInstances } from '../platform/instances';
import { reconcile } from '../reconcile';
import { untilQuiet } from '../scale/quiet';
import { checkEvents, eventsOf } from '../scale/verdict';
import { readScentBooks } from '../storm/books';
import { halalas, sumOf } from '../clients/bodies';
import { DEPOSIT, UNITS_OF_A_CART, type SentOrder, type World } from './world';

const QUIET_WITHIN_MS = 60_000;
const REPEATED_WITHIN_MS = 60_000;
const AT_ONCE = 8;

/** What is compared before and after: processes that were started again, and events that were given up. */
interface Standing {
  readonly pids: Readonly<Record<string, number>>;
  readonly deadLetters: number;
}

/** What stands now. */
export async function readStanding(): Promise<Standing> {
  const deadLetters = await countDeadLetters();
  return {
    pids: Object.fromEntries(allInstances().map(({ name, pid }) => [name, pid])),
    deadLetters: deadLetters.reduce((sum, { n }) => sum + n, 0),
  };
}

/** What a fault that is over has left behind that must not be there; empty when all is exact. */
export async function checkAftermath(
  world: World,
  operator: OperatorClient,
  before: Standing,
): Promise<string[]> {
  const faults = [
    ...(await repeatAll(world)),
    ...(await untilQuiet(QUIET_WITHIN_MS).then(
      () => [],
      (error: Error) => [error.message],
    )),
    ...(await checkVendorOrders(world)),
    ...(await checkScentOrders(world)),
    ...(await reconcile(operator)).faults,
  ];
  const after = await readStanding();
  const dead = after.deadLetters - before.deadLetters;
  if (dead > 0) faults.push(`${dead} events are dead letters`);
  for (const [name, pid] of Object.entries(after.pids))
    if (before.pids[name] !== pid) faults.push(`${name} was started again`);
  return faults;
}

/** Repeats every order that was sent: what was acknowledged is the same order still, what was not is one order now. */
async function repeatAll(world: World): Promise<string[]> {
  const faults: string[] = [];
  const waiting = [...world.sent];
  const until = performance.now() + REPEATED_WITHIN_MS;
  const work = async (): Promise<void> => {
    for (let order = waiting.shift(); order; order = waiting.shift()) {
      if (performance.now() > until) return void waiting.unshift(order);
      const { reference } = order;
      await repeatOne(world, order).then(
        (fault) => fault && faults.push(`${reference}: ${fault}`),
        (error: Error) => faults.push(`${reference}: ${error.message}`),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return waiting.length === 0
    ? faults
    : [...faults, `${waiting.length} orders were not even repeated in time`];
}

const FINAL = ['Completed', 'Failed', 'Cancelled'];

async function repeatOne(world: World, order: SentOrder): Promise<string | undefined> {
  const { acknowledged } = order;
  const now = await insistOn(() => world.repeat<VendorOrder | ScentOrder>(order));
  if (acknowledged === undefined) {
    order.acknowledged = now;
    return undefined;
  }
  if (now.orderGlobalId !== acknowledged.orderGlobalId) return 'acknowledged as another order';
  if (!FINAL.includes(acknowledged.status) || now.status === acknowledged.status) return undefined;
  return `acknowledged as ${acknowledged.status} and is ${now.status}`;
}

/** Orders, wallet, vendor and webhooks of the partner that sells top-ups and eSIMs, in both environments. */
async function checkVendorOrders(world: World): Promise<string[]> {
  const faults: string[] = [];
  for (const environment of ['live', 'sandbox'] as const) {
    const client = world.vendors[environment];
    const orders = [
      ...(await client.all<TopupOrder>('/orders/topup')),
      ...(await client.all<EsimOrder>('/orders/esim')),
    ];
    const books = await readBooks(client, environment);
    const hold = (isRight: boolean, what: string): void =>
      void (isRight || faults.push(`${environment}: ${what}`));
    for (const { externalReference, status } of orders)
      hold(status === 'Completed', `${externalReference} is ${status}`);
    hold(books.debits === sumOf(orders), `debits ${books.debits}, orders ${sumOf(orders)}`);
    hold(books.balance === halalas(DEPOSIT) - books.debits, `the balance is ${books.balance}`);
    hold(books.available === books.balance, `${books.balance - books.available} is held for nothing`);
    hold(books.brokenLines === 0, `${books.brokenLines} ledger lines do not follow from the one before`);
    hold(books.uncaptured.length === 0, `order and charge differ: ${books.uncaptured.join()}`);
    hold(books.undelivered.length === 0, `order and vendor differ: ${books.undelivered.join()}`);
    faults.push(
      ...checkReferences(world, environment, orders),
      ...checkEvents('webhook', eventsOf(world), orders),
    );
  }
  return faults;
}

/** Carts, orders, wallet, shelf and webhooks of the partner that sells scents. */
async function checkScentOrders(world: World): Promise<string[]> {
  const { scents, shelf, variantId, stockBefore } = world;
  const books = await readScentBooks(scents.id, 'live', scents.live);
  const { orders, lines, wallet } = books;
  const faults = checkReferences(world, 'scents', orders);
  const hold = (isRight: boolean, what: string): void => void (isRight || faults.push(`scents: ${what}`));
  for (const { externalReference, status } of orders)
    hold(status === 'Processing', `${externalReference} is ${status}`);
  const charged = orders.reduce((sum, order) => sum + halalas(order.totalAmountWithVat), 0);
  const charges = sumOf(lines.filter(({ referenceType }) => referenceType === 'Order'));
  hold(charges === charged, `charges ${charges}, orders ${charged}`);
  hold(wallet.posted === wallet.entries, `the wallet says ${wallet.posted}, its entries ${wallet.entries}`);
  hold(wallet.held === '0.00' || Number(wallet.held) === 0, `${wallet.held} is held for nothing`);
  hold(books.committedCarts === orders.length, `${books.committedCarts} carts for ${orders.length} orders`);
  hold(books.begunCheckouts === 0, `${books.begunCheckouts} checkouts have no end`);
  hold(books.frozenCarts === 0, `${books.frozenCarts} carts are held`);
  hold(books.unbalanced === 0, `${books.unbalanced} ledger transactions do not add up`);
  const { stockOnHand, stockReserved } = await shelf.read(variantId);
  const left = stockBefore - orders.length * UNITS_OF_A_CART;
  hold(stockOnHand === left, `stock is ${stockOnHand} instead of ${left}`);
  hold(stockReserved === 0, `${stockReserved} units are reserved`);
  // A scent order's webhook says that it is paid and being fulfilled.
  const emitted = world.receiver.received.filter(({ event }) => event.eventType === 'order.completed');
  for (const { orderGlobalId } of orders) {
    const ids = new Set(
      emitted
        .filter(({ event }) => event.data['orderGlobalId'] === orderGlobalId)
        .map(({ event }) => event.eventId),
    );
    hold(ids.size === 1, `${orderGlobalId} has ${ids.size} events`);
  }
  return faults;
}

/** Each reference that was sent is one order, and there are no others. */
function checkReferences(
  world: World,
  client: SentOrder['client'],
  orders: readonly { externalReference: string; orderGlobalId: string }[],
): string[] {
  const sent = world.sent.filter((one) => one.client === client);
  const faults = sent.flatMap(({ reference, acknowledged }) => {
    const ids = orders.filter((one) => one.externalReference === reference).map((one) => one.orderGlobalId);
    return ids.length === 1 && ids[0] === acknowledged?.orderGlobalId
      ? []
      : [`${reference} is ${ids.length} orders: ${ids.join()}`];
  });
  return orders.length === sent.length
    ? faults
    : [...faults, `${orders.length} orders of ${sent.length} sent`];
}
