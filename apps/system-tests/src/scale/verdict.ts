import type { EsimOrder } from '../clients/resources';
import { readBooks } from '../money-check';
import { scentOrdersOf } from '../clients/scents';
import type { WebhookEvent } from '../clients/webhook-receiver';
import type { SteadyLoad } from './steady-load';

/** What the steady load's clients, receiver and books say that must not be; empty when all is well. */
export async function checkSteadyLoad(load: SteadyLoad): Promise<string[]> {
  const { vendorClient, scentClient, acknowledged } = load;
  const books = await readBooks(vendorClient, 'sandbox');
  const faults = [
    ...books.openOrders.map((id) => `${id} is open`),
    ...books.uncaptured.map((id) => `${id}: order and charges disagree`),
    ...books.undelivered.map((id) => `${id}: order and vendor disagree`),
    ...(books.brokenLines > 0 ? [`${books.brokenLines} ledger lines do not follow from the one before`] : []),
    ...(books.available !== books.balance ? ['money is held for nothing'] : []),
  ];
  const orders = [
    ...(await vendorClient.orders()),
    ...(await vendorClient.all<EsimOrder>('/orders/esim')),
    ...(await scentOrdersOf(scentClient)),
  ];
  const byReference = new Map<string, string[]>();
  for (const { externalReference, orderGlobalId } of orders)
    byReference.set(externalReference, [...(byReference.get(externalReference) ?? []), orderGlobalId]);
  for (const [reference, ids] of byReference)
    if (ids.length > 1) faults.push(`${reference} has ${ids.length} orders`);
  for (const [reference, id] of acknowledged)
    if (byReference.get(reference)?.[0] !== id) faults.push(`${reference} was acknowledged and is not there`);
  const sent = eventsOf(load);
  for (const feed of load.feeds) faults.push(...(await feed.check()));
  const fed = load.feeds.flatMap((feed) => feed.read);
  const inFeed = new Set(fed.map(({ eventId }) => eventId));
  faults.push(...checkEvents('webhook', sent, orders), ...checkEvents('event of the feed', fed, orders));
  for (const { eventId } of sent)
    if (!inFeed.has(eventId)) faults.push(`${eventId} was sent and is not in the feed`);
  return faults;
}

/** The events that a receiver got, those that came again as well. */
export const eventsOf = ({ receiver }: Pick<SteadyLoad, 'receiver'>): readonly WebhookEvent[] =>
  (receiver?.received ?? []).map(({ event }) => event);

const EVENT_OF_STATUS: Readonly<Record<string, string>> = {
  Completed: 'order.completed',
  Failed: 'order.failed',
};

/** Each change of an order is one event, whatever died meanwhile, and every order's end was published. */
export function checkEvents(
  medium: string,
  events: readonly Pick<WebhookEvent, 'eventId' | 'eventType' | 'data'>[],
  orders: readonly { orderGlobalId: string; status: string }[],
): string[] {
  const ids = new Map<string, Set<string>>();
  for (const { eventId, eventType, data } of events) {
    if (!Object.values(EVENT_OF_STATUS).includes(eventType)) continue;
    const change = `${data['orderGlobalId']} ${eventType} ${data['status']}`;
    ids.set(change, (ids.get(change) ?? new Set()).add(eventId));
  }
  const doubled = [...ids].filter(([, of]) => of.size > 1).map(([change]) => `${change} is two events`);
  const missing = orders
    .filter(({ orderGlobalId, status }) => {
      const eventType = EVENT_OF_STATUS[status];
      return eventType && !ids.has(`${orderGlobalId} ${eventType} ${status}`);
    })
    .map(({ orderGlobalId, status }) => `${orderGlobalId} is ${status} and no ${medium} said so`);
  return [...doubled, ...missing];
}

/** How many webhooks came more than once: the same event to the same subscription again. */
export function countRepeated(load: Pick<SteadyLoad, 'receiver'>): number {
  const ids = eventsOf(load).map(({ eventId }) => eventId);
  return ids.length - new Set(ids).size;
}
