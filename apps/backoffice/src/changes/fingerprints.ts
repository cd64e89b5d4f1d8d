import { Environment, OrderStatus, ProductType, ReturnRequestStatus } from '@reseller/contracts';
import { READ_DEADLINE_MS } from '@reseller/http-edge';
import type { CallContext } from '@reseller/rpc';
import { v7 as newId } from 'uuid';
import type { RpcClientsOfServices } from '../clients';
import { countApprovals, countDeadLetters } from '../waiting';
import type { Fingerprints } from './change-watch';

const FIRST = { page: 1, pageSize: 1 };
const ENVIRONMENTS = [Environment.LIVE, Environment.SANDBOX];
/** A move changes how many there are of one of these; the first is any. */
const STATUSES = [
  OrderStatus.UNSPECIFIED,
  OrderStatus.PROCESSING,
  OrderStatus.COMPLETED,
  OrderStatus.INTERVENTION_REQUIRED,
];

/** What shows that something has changed: totals that services have at hand, and the newest of a list. */
export function fingerprintsOf(clients: RpcClientsOfServices): Fingerprints {
  return {
    orders: () =>
      Promise.all(ENVIRONMENTS.flatMap((one) => STATUSES.map((status) => ordersOf(clients, one, status)))),
    returnRequests: async () => {
      const request = { page: FIRST, status: ReturnRequestStatus.PENDING };
      const { returnRequests, page } = await clients.fulfillment.listAllReturnRequests(request, newCall());
      return [page?.totalCount, returnRequests[0]?.returnRequestId];
    },
    approvals: () => countApprovals(clients, newCall()),
    deadLetters: () => countDeadLetters(clients, newCall()),
    webhookDeliveries: () =>
      Promise.all(
        ENVIRONMENTS.map((environment) =>
          clients.deliveries.countWebhookDeliveries({ environment, ...lastDays() }, newCall()),
        ),
      ),
    partners: async () => {
      const { partners, page } = await clients.partners.listPartners(
        { page: FIRST, parentPartnerId: undefined },
        newCall(),
      );
      return [page?.totalCount, partners[0]];
    },
    differences: async () => {
      const open = { check: undefined, isOpen: true, offset: 0, limit: 0 };
      const reconcilers = [clients.financeReconciler, clients.ordersReconciler, clients.scentReconciler];
      const lists = await Promise.all(reconcilers.map((one) => one.listDifferences(open, newCall())));
      return lists.map(({ totalCount }) => totalCount);
    },
  };
}

async function ordersOf(
  { orders }: RpcClientsOfServices,
  environment: Environment,
  status: OrderStatus,
): Promise<unknown> {
  const request = {
    ...{ page: FIRST, environment, status, productType: ProductType.UNSPECIFIED, parked: false },
    ...{
      partnerId: undefined,
      externalReference: undefined,
      orderGlobalId: undefined,
      phoneNumber: undefined,
    },
    ...{ fromAt: undefined, toAt: undefined },
  };
  const list = await orders.listAllOrders(request, newCall());
  return [list.page?.totalCount, list.orders[0]?.orderId];
}

/**
 * Today and yesterday, in UTC: a span that does not grow with the process, and whose begin, which would move the counts, moves once a day.
 * With the usual settings a delivery has ended some hours after it was made.
 */
function lastDays(): { fromAt: Date; toAt: Date } {
  const toAt = new Date();
  const fromAt = new Date(Date.UTC(toAt.getUTCFullYear(), toAt.getUTCMonth(), toAt.getUTCDate() - 1));
  return { fromAt, toAt };
}

/** Made by nobody's request. */
const newCall = (): CallContext => ({ requestId: newId(), deadlineAt: Date.now() + READ_DEADLINE_MS });
