import { newEsim, newTopup } from '../clients/bodies';
import type { ApiResponse } from '../clients/response';
import { newScentOrder } from '../clients/scents';
import type { Part } from './between';
import { UNITS_OF_A_CART, type World } from './world';

/** Deadlines of spec §1.10. */
const READ_MS = 2_000;
const CHANGE_MS = 12_000;

/** Something that partners do again and again while a part is unwell. */
export interface BrownOutRoute {
  readonly name: string;
  /** Within which its response comes, whatever is unwell (spec §1.10). */
  readonly deadlineMs: number;
  /** Whose responses it cannot do without; whatever befalls other services, it succeeds. */
  readonly needs: readonly Service[];
  /** Whether it writes to the databases of those it needs. */
  readonly writes: boolean;
  readonly everyMs: number;
  /** Whether there is something to send it about. */
  canSend?(world: World): boolean;
  send(world: World): Promise<ApiResponse<unknown>>;
}

type Service = Exclude<Part, `database:${string}`>;

const read = (name: string, needs: readonly Service[], send: BrownOutRoute['send']): BrownOutRoute => ({
  name,
  deadlineMs: READ_MS,
  needs,
  writes: false,
  everyMs: 1_000,
  send,
});

const change = (
  name: string,
  needs: readonly Service[],
  send: BrownOutRoute['send'],
  everyMs = 1_000,
): BrownOutRoute => ({ name, deadlineMs: CHANGE_MS, needs, writes: true, everyMs, send });

/** What partners do. A vendor that is unwell costs no order: its response is Processing, and it is polled (spec §4.6). */
export const ROUTES: readonly BrownOutRoute[] = [
  { ...read('token', ['identity'], (world) => world.exchange()), writes: true },
  read('balance', ['finance'], (world) => world.call('live', '/wallet/balance')),
  read('transactions', ['finance'], (world) => world.call('live', '/wallet/transactions')),
  read('orders', ['orders-saga'], (world) => world.call('live', '/orders?pageSize=5')),
  read('geo scopes', ['orders-saga'], (world) => world.call('live', '/geo-scopes')),
  read('variants', ['scent-commerce'], (world) => world.call('scents', '/scent/variants?pageSize=5')),
  read('cart', ['scent-commerce'], (world) => world.call('scents', '/scent/cart?customerRef=reader')),
  read('webhooks', ['notifier'], (world) => world.call('live', '/webhooks')),
  change('top-up, live', ['orders-saga', 'finance'], topup('live'), 500),
  change('top-up, sandbox', ['orders-saga', 'finance'], topup('sandbox')),
  change('eSIM', ['orders-saga', 'finance'], orderEsim, 2_000),
  change('cart item', ['scent-commerce'], addItem),
  {
    ...change('scent order', ['orders-saga', 'scent-commerce', 'finance'], checkOut),
    canSend: ({ filled }) => filled.length > 0,
  },
  change('webhook', ['notifier'], updateWebhook),
];

function topup(client: 'live' | 'sandbox') {
  return (world: World): Promise<ApiResponse<unknown>> => {
    const body = newTopup({ externalReference: world.nextReference() });
    return world.place({ client, reference: body.externalReference, path: '/orders/topup', body });
  };
}

function orderEsim(world: World): Promise<ApiResponse<unknown>> {
  const body = newEsim({ externalReference: world.nextReference() });
  return world.place({ client: 'live', reference: body.externalReference, path: '/orders/esim', body });
}

/** Each to a cart of its own, so that it can be checked out later. */
async function addItem(world: World): Promise<ApiResponse<unknown>> {
  const customerRef = `of ${world.nextReference()}`;
  const response = await world.call(
    'scents',
    `/scent/cart/items?customerRef=${encodeURIComponent(customerRef)}`,
    {
      body: { variantId: world.variantId, quantity: UNITS_OF_A_CART },
    },
  );
  if (response.status === 200) world.filled.push(customerRef);
  return response;
}

/** Checks out a cart that was filled before. */
function checkOut(world: World): Promise<ApiResponse<unknown>> {
  const body = newScentOrder({
    externalReference: world.nextReference(),
    customerRef: world.filled.shift()!,
  });
  return world.place({ client: 'scents', reference: body.externalReference, path: '/orders/scent', body });
}

function updateWebhook(world: World): Promise<ApiResponse<unknown>> {
  return world.call('live', `/webhooks/${world.subscriptionId}`, {
    method: 'PUT',
    body: { eventTypes: ['order.completed', 'order.failed', 'order.cancelled'] },
  });
}
