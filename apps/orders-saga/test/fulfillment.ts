import {
  FulfillmentGroupChanged,
  FulfillmentGroupStatus,
  OrderReturned,
  OrderStatus,
  ReturnReason,
  ReturnRequestChanged,
  ReturnRequestStatus,
  type ReturnRequest,
  type ScentOrder,
} from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import type { TestDatabase } from '@reseller/testing';
import { createScent, operator, scent, type Clients } from './start-orders';

/** A paid order with what tests do to it: group 0 has two units of one line, group 1 a single unit. */
export class PaidOrder {
  private constructor(
    readonly clients: Clients,
    readonly call: CallContext,
    readonly made: ScentOrder,
  ) {}

  static async place(clients: Clients, call: CallContext): Promise<PaidOrder> {
    return new PaidOrder(clients, call, await createScent(clients, scent(), call));
  }

  /** The same order, seen through another process. */
  through(clients: Clients): PaidOrder {
    return new PaidOrder(clients, this.call, this.made);
  }

  /** In the order of the lines, which the response's groups need not have. */
  groupId(index: number): string {
    return this.made.lines[index]!.fulfillmentGroupId;
  }

  ship = async (index: number): Promise<ScentOrder> =>
    (await this.clients.fulfillment.shipFulfillmentGroup(this.group(index), operator)).order!;
  deliver = async (index: number): Promise<ScentOrder> =>
    (await this.clients.fulfillment.deliverFulfillmentGroup(this.group(index), operator)).order!;
  cancel = async (index: number): Promise<ScentOrder> =>
    (await this.clients.fulfillment.cancelFulfillmentGroup(this.group(index), operator)).order!;

  async handOver(...indexes: number[]): Promise<void> {
    for (const index of indexes) {
      await this.ship(index);
      await this.deliver(index);
    }
  }

  async requestReturn(index: number, quantity: number): Promise<ReturnRequest> {
    const line = {
      scentOrderLineId: this.made.lines[index]!.lineId,
      quantity,
      reason: ReturnReason.DAMAGED,
    };
    const request = {
      scentOrderId: this.made.orderId,
      fulfillmentGroupId: this.groupId(index),
      lines: [line],
    };
    return (await this.clients.returns.createReturnRequest(request, this.call)).returnRequest!;
  }

  approve = async (returnRequestId: string): Promise<ReturnRequest> =>
    (await this.clients.fulfillment.approveReturnRequest({ returnRequestId }, operator)).returnRequest!;
  decline = async (returnRequestId: string): Promise<ReturnRequest> =>
    (await this.clients.fulfillment.declineReturnRequest({ returnRequestId, reason: 'worn' }, operator))
      .returnRequest!;

  async read(): Promise<ScentOrder> {
    return (await this.clients.scents.getScentOrder({ orderId: this.made.orderId }, this.call)).order!;
  }

  /** Its status, its groups' in the order of the lines, and what came back of each line. */
  async state(): Promise<[order: string, groups: string[], returned: number[]]> {
    const order = await this.read();
    const groups = order.lines.map(({ fulfillmentGroupId: id }) => {
      const group = order.fulfillmentGroups.find((one) => one.fulfillmentGroupId === id);
      return nameOf(FulfillmentGroupStatus, group?.status);
    });
    return [
      nameOf(OrderStatus, order.status),
      groups,
      order.lines.map(({ returnedQuantity }) => returnedQuantity),
    ];
  }

  private group(index: number): { fulfillmentGroupId: string } {
    return { fulfillmentGroupId: this.groupId(index) };
  }
}

const nameOf = (names: object, value: unknown): string =>
  Object.entries(names).find(([, one]) => one === value)?.[0] ?? '?';

interface Snapshot {
  status: OrderStatus;
  amount: string;
}

/** What an order's events say after it was paid: type, the order's status, and what the type adds. */
export async function storyOf({ pool }: TestDatabase, orderId: string): Promise<string[]> {
  const { rows } = await pool.query<{ type: string; payload: Buffer }>(
    `SELECT type, payload FROM outbox WHERE aggregate_id = $1 AND type NOT LIKE '%ProcessingStarted' ORDER BY aggregate_seq`,
    [orderId],
  );
  return rows.map(({ type, payload }) => {
    const name = type.replace('reseller.orders.v1.', '');
    const statusOf = (order: Snapshot | undefined): string => nameOf(OrderStatus, order?.status);
    if (name === 'FulfillmentGroupChanged') {
      const event = FulfillmentGroupChanged.decode(payload);
      const rollup = `${event.deliveredGroups}/${event.totalGroups}`;
      return `${name} ${statusOf(event.order)} ${nameOf(FulfillmentGroupStatus, event.status)} ${rollup}`;
    }
    if (name === 'ReturnRequestChanged') {
      const event = ReturnRequestChanged.decode(payload);
      return `${name} ${statusOf(event.order)} ${nameOf(ReturnRequestStatus, event.returnRequest?.status)}`;
    }
    // Every other event is an order's snapshot and nothing else.
    const { order } = OrderReturned.decode(payload);
    return `${name} ${statusOf(order)} ${order?.amount}`;
  });
}
