import type { OrderStatus } from '../../../../order/domain/order';
import type { GroupStatus } from '../../domain/scent-order';

/** What an order's status follows from. */
interface Fulfilment {
  readonly groups: readonly { readonly id: string; readonly status: GroupStatus }[];
  readonly lines: readonly {
    readonly groupId: string;
    readonly quantity: number;
    readonly returnedQuantity: number;
  }[];
}

/** Every move of a fulfillment group (spec §7.3); the database holds the same. */
export const GROUP_MOVES: Readonly<Record<GroupStatus, readonly GroupStatus[]>> = {
  Pending: ['Shipped', 'Cancelled'],
  Shipped: ['Delivered', 'Cancelled'],
  Delivered: [],
  Cancelled: [],
};

/** Whether a group can still be cancelled. */
export function isOpenGroup({ status }: { readonly status: GroupStatus }): boolean {
  return GROUP_MOVES[status].includes('Cancelled');
}

/**
 * The statuses that a paid order passes, in turn, from the one it has to the one its groups and returns ask for; none
 * when it stays (spec §7.3). An order whose groups are all final passes Completed even when a return came before.
 */
export function rollUp(status: OrderStatus, { groups, lines }: Fulfilment): OrderStatus[] {
  const delivered = groups.filter((group) => group.status === 'Delivered');
  if (groups.some(isOpenGroup)) {
    return status === 'Processing' && delivered.length > 0 ? ['PartiallyDelivered'] : [];
  }
  if (delivered.length === 0) return status === 'Cancelled' ? [] : ['Cancelled'];
  const isOpen = status === 'Processing' || status === 'PartiallyDelivered';
  const passed: OrderStatus[] = isOpen ? ['Completed'] : [];
  const returned = returnStatus(lines.filter(({ groupId }) => delivered.some(({ id }) => id === groupId)));
  if (returned && returned !== status) passed.push(returned);
  return passed;
}

function returnStatus(delivered: Fulfilment['lines']): OrderStatus | undefined {
  if (delivered.every(({ returnedQuantity }) => returnedQuantity === 0)) return undefined;
  const isAll = delivered.every(({ quantity, returnedQuantity }) => quantity === returnedQuantity);
  return isAll ? 'Returned' : 'PartiallyReturned';
}
