import { isDeepStrictEqual } from 'node:util';
import { halalas, sumOf } from '../clients/bodies';
import type { EsimOrder, TopupOrder } from '../clients/resources';
import type { PartnerBooks, PlatformBooks } from './books';
import { modelDelivers, modelEvents, modelStatus, modelWallet } from './model';
import type { Decision, ModelOrder } from './model';
import type { Body, Reference } from './plan';
import type { LogEntry, SendLog } from './send-log';

type AnyOrder = TopupOrder | EsimOrder;

/** What is compared: one partner's references, what its clients know, and the books. */
interface PartnerRecords {
  readonly deposit: number;
  readonly references: readonly Reference[];
  readonly log: SendLog;
  readonly books: PartnerBooks;
  readonly platform: PlatformBooks;
  /** By global id. */
  readonly decisions: ReadonlyMap<string, Decision>;
}

/** Compares the books with the model in both directions; returns every difference in words. */
export function checkPartner(records: PartnerRecords): string[] {
  const faults: string[] = [];
  const model = new Map<string, ModelOrder>();
  for (const reference of records.references) {
    const found = records.books.orders.filter((order) => isOf(reference, order));
    if (found.length > 1) faults.push(`${reference.id}: ${found.length} orders`);
    const order = found[0];
    const body = order && reference.bodies.find((one) => isMadeFrom(order, one));
    if (order && !body) faults.push(`${reference.id}: its order has none of the bodies that were sent`);
    if (order && body) {
      const known = { body, decision: records.decisions.get(order.orderGlobalId) };
      model.set(order.orderGlobalId, known);
      faults.push(...checkOrder(records, order, known).map((fault) => `${reference.id}: ${fault}`));
    }
    faults.push(
      ...checkResponses(records, reference, order, body).map((fault) => `${reference.id}: ${fault}`),
    );
  }
  if (model.size !== records.books.orders.length) faults.push('there are orders that nobody sent');
  // Repetitions share their fault.
  return [...new Set([...faults, ...checkMoney(records, model)])];
}

function checkOrder({ books, platform }: PartnerRecords, order: AnyOrder, model: ModelOrder): string[] {
  const id = order.orderGlobalId;
  const mine = (type: string, reference: string): number =>
    books.lines.filter(
      (l) => l.referenceId === id && l.transactionType === type && l.referenceType === reference,
    ).length;
  const status = modelStatus(model);
  const events = books.events.get(order.orderId) ?? [];
  return differences(
    {
      status: order.status,
      isDelivered: platform.delivered.has(id),
      debits: mine('Debit', 'Order'),
      refunds: mine('Credit', 'Refund'),
      events: events.filter((type) => type !== 'OrderProcessingStarted').join(),
      isEmittedOnce: events.filter((type) => type === 'OrderProcessingStarted').length <= 1,
    },
    {
      status,
      isDelivered: modelDelivers(model),
      debits: status === 'Completed' || status === 'Reversed' ? 1 : 0,
      refunds: status === 'Reversed' ? 1 : 0,
      events: modelEvents(model).join(),
      isEmittedOnce: true,
    },
  );
}

/** Every response that a client ever got must fit the one order that there is, or that there is none. */
function checkResponses(
  records: PartnerRecords,
  reference: Reference,
  order: AnyOrder | undefined,
  body: Body | undefined,
): string[] {
  return records.log
    .of(reference.id)
    .flatMap((entry) =>
      judge(records, entry, reference, order, body).map((fault) => `${describe(entry)}: ${fault}`),
    );
}

const FINAL = ['Completed', 'Failed', 'Cancelled', 'Reversed'];

function judge(
  records: PartnerRecords,
  { send, response, respondedAt }: LogEntry,
  reference: Reference,
  order: AnyOrder | undefined,
  body: Body | undefined,
): string[] {
  if (!response || response.status >= 500 || response.state === 'CONFLICT_ORDER_IN_PROGRESS') return [];
  if (response.status === 200) {
    if (!order) return ['acknowledged, and there is no such order'];
    if (send.body !== body) return ['acknowledged for another body than the order has'];
    if (response.payload.orderId !== order.orderId) return ['acknowledged as another order'];
    // What an operator changes later is not what was acknowledged.
    if (!FINAL.includes(response.payload.status) || records.decisions.has(order.orderGlobalId)) return [];
    const changed = changedFields(response.payload, order);
    return changed.length === 0 ? [] : [`the order is not what was acknowledged in ${changed.join()}`];
  }
  switch (response.state) {
    case 'CONFLICT_ORDER_INTERVENTION_REQUIRED':
      return response.details.orderId === order?.orderId && body?.vendor === 'unknown'
        ? []
        : ['an operator is needed for no reason'];
    case 'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE':
      // Two bodies may take turns while the first is refused for want of money.
      return reference.bodies.length > 1 &&
        (send.body !== body || mayBeShort(records, send.body, respondedAt))
        ? []
        : ['called a duplicate of itself'];
    case 'BUSINESS_INSUFFICIENT_BALANCE':
      return mayBeShort(records, send.body, respondedAt) ? [] : ['refused though the money was there'];
    default:
      return ['a response that no client may get'];
  }
}

/** Whether the wallet can have been short: by all orders under way or charged that were sent before the response. */
function mayBeShort(
  { deposit, log, books, references }: PartnerRecords,
  body: Body,
  respondedAt: number,
): boolean {
  const others = references.filter(({ bodies }) => !bodies.includes(body));
  const taken = others
    .filter(({ id }) => log.of(id).some(({ sentAt }) => sentAt < respondedAt))
    .filter((reference) => books.orders.some((order) => isOf(reference, order)))
    .reduce((sum, { bodies }) => sum + Math.max(...bodies.map(({ amount }) => amount)), 0);
  return deposit - taken < body.amount;
}

function checkMoney(
  { deposit, books, platform }: PartnerRecords,
  model: ReadonlyMap<string, ModelOrder>,
): string[] {
  const wallet = modelWallet(deposit, [...model.values()]);
  const of = (type: string, reference: string) =>
    books.lines.filter((line) => line.transactionType === type && line.referenceType === reference);
  const delivered = [...platform.delivered].filter((key) => model.has(key)).length;
  const actual = {
    balance: halalas(books.balance.currentBalance),
    available: halalas(books.balance.availableBalance),
    debits: sumOf(of('Debit', 'Order')),
    refunds: sumOf(of('Credit', 'Refund')),
    deposits: sumOf(of('Credit', 'Deposit')),
    lines: books.lines.length,
    delivered,
    walletIsItsEntries: books.wallet.posted === books.wallet.entries,
    heldIsItsReservations: books.wallet.held === books.wallet.active,
    activeSagas: books.activeSagas,
    wasOverdrawn: books.lines.some(({ balanceAfter }) => balanceAfter < 0),
    unbalanced: platform.unbalanced,
    orphans: platform.orphans.join(),
  };
  const orders = [...model.values()];
  const statuses = orders.map(modelStatus);
  const debited = statuses.filter((status) => status === 'Completed' || status === 'Reversed').length;
  return differences(actual, {
    ...wallet,
    deposits: deposit,
    lines: 1 + debited + statuses.filter((status) => status === 'Reversed').length,
    delivered: orders.filter(modelDelivers).length,
    walletIsItsEntries: true,
    heldIsItsReservations: true,
    activeSagas: 0,
    wasOverdrawn: false,
    unbalanced: 0,
    orphans: '',
  });
}

function differences<T extends object>(actual: T, expected: T): string[] {
  return (Object.keys(expected) as (keyof T)[])
    .filter((name) => actual[name] !== expected[name])
    .map((name) => `${String(name)} is ${String(actual[name])}, the model says ${String(expected[name])}`);
}

function changedFields(acknowledged: object, order: object): string[] {
  const [before, after] = [new Map(Object.entries(acknowledged)), new Map(Object.entries(order))];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.filter((name) => !isDeepStrictEqual(before.get(name), after.get(name)));
}

const isOf = ({ id, bodies }: Reference, order: AnyOrder): boolean =>
  order.externalReference === id && (bodies[0]!.product === 'Topup') === 'phoneNumber' in order;

const isMadeFrom = (order: AnyOrder, { json }: Body): boolean =>
  Object.entries(json).every(([name, value]) => order[name as keyof AnyOrder] === value);

function describe({ send, response }: LogEntry): string {
  const said = response ? `${response.status} ${response.state}` : 'no response';
  return `${send.body.product} ${send.body.vendor} ${send.body.amount / 100} returned ${said}`;
}
