import {
  ApprovalStatus,
  DeadLetterReason,
  DeadLetterState,
  DifferenceState,
  Environment,
  OrderStatus,
  ProductType,
  ReturnRequestStatus,
} from '@reseller/contracts';
import { READ_DEADLINE_MS } from '@reseller/http-edge';
import type { CallContext } from '@reseller/rpc';
import { v7 as newId } from 'uuid';
import type { RpcClientsOfServices } from '../clients';
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

/** Only how many there are. */
const NONE = { offset: 0, limit: 0 };

/**
 * What shows that something has changed: totals that services have at hand, and the newest of a list. How many wait is never enough: one
 * that came and was decided between two looks would leave it as it was, and a page that read it meanwhile would go on showing it.
 */
export function fingerprintsOf(clients: RpcClientsOfServices): Fingerprints {
  return {
    orders: () =>
      Promise.all(ENVIRONMENTS.flatMap((one) => STATUSES.map((status) => ordersOf(clients, one, status)))),
    returnRequests: () =>
      Promise.all(
        [ReturnRequestStatus.PENDING, ReturnRequestStatus.UNSPECIFIED].map(async (status) => {
          const request = { page: FIRST, status, oldestFirst: false };
          const { returnRequests, page } = await clients.fulfillment.listAllReturnRequests(
            request,
            newCall(),
          );
          return [page?.totalCount, returnRequests[0]?.returnRequestId];
        }),
      ),
    approvals: () =>
      totalsOf(
        [clients.financeApprovals, clients.ordersApprovals],
        [ApprovalStatus.PENDING, ApprovalStatus.UNSPECIFIED],
        (service, status) => service.listApprovals({ status, ...NONE }, newCall()),
      ),
    deadLetters: () =>
      totalsOf(
        [clients.financeDeadLetters, clients.scentDeadLetters, clients.notifierDeadLetters],
        [DeadLetterState.WAITING, DeadLetterState.UNSPECIFIED],
        (service, state) =>
          service.listDeadLetters({ state, reason: DeadLetterReason.UNSPECIFIED, ...NONE }, newCall()),
      ),
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
    differences: () =>
      totalsOf(
        [clients.financeReconciler, clients.ordersReconciler, clients.scentReconciler],
        [DifferenceState.OPEN, DifferenceState.ACCEPTED, DifferenceState.UNSPECIFIED],
        (service, state) => service.listDifferences({ state, ...NONE }, newCall()),
      ),
  };
}

/** How many each service has of each kind; apart, for a sum would hide one more here and one less there. */
const totalsOf = <Service, Kind>(
  services: readonly Service[],
  kinds: readonly Kind[],
  list: (service: Service, kind: Kind) => Promise<{ totalCount: number }>,
): Promise<number[]> =>
  Promise.all(
    services.flatMap((service) => kinds.map(async (kind) => (await list(service, kind)).totalCount)),
  );

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
    ...{ fromAt: undefined, toAt: undefined, oldestFirst: false },
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
