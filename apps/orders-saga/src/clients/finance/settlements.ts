import type { OperatorDecision, SettlementServiceService } from '@reseller/contracts';
import { environmentOf, type CallContext, type RpcClient } from '@reseller/rpc';
import type { Order } from '../../order/domain/order';
import type { ScentLine } from '../../products/scent/domain/scent-order';
import { notesOf } from './funds';

/**
 * The money of scent orders by lines; everything is idempotent by the order or its operation key. `decidedBy` is the operator's
 * decision that it follows from, if any. Throws what finance throws.
 */
export interface Settlements {
  /** Captures the charge and credits the commission; returns the tax point. */
  settle(
    order: Order,
    lines: readonly ScentLine[],
    call: CallContext,
    decidedBy?: OperatorDecision,
  ): Promise<Date>;
  /** Refunds units and claws their commission back; returns what was refunded, goods with VAT. */
  refundUnits(order: Order, refund: UnitsRefund, call: CallContext): Promise<string>;
}

/** Units that are given back, under a key of their own. */
export interface UnitsRefund {
  readonly operationKey: string;
  readonly lines: readonly { readonly lineId: string; readonly quantity: number }[];
  readonly decidedBy: OperatorDecision | undefined;
}

/** Finance by gRPC; each call gets a response or SERVICE_UNAVAILABLE within `deadlineMs`. */
export function createSettlements(
  client: RpcClient<typeof SettlementServiceService>,
  deadlineMs: number,
): Settlements {
  const within = { deadlineMs };
  return {
    async settle(order, lines, call, decidedBy) {
      const request = {
        ...keyOf(order),
        notes: notesOf(order),
        decidedBy,
        lines: lines.map((line) => ({
          lineId: line.id,
          quantity: line.quantity,
          goodsAmount: line.lineTotal,
          goodsVatAmount: line.goodsVat,
          commissionAmount: line.commission,
          commissionVatAmount: line.commissionVat,
        })),
      };
      const { settledAt } = await client.settleOrder(request, call, within);
      if (!settledAt) throw new Error('a settlement was returned without its time');
      return settledAt;
    },
    async refundUnits(order, { operationKey, lines, decidedBy }, call) {
      const named = { ...keyOf(order), operationKey, lines: [...lines], notes: notesOf(order) };
      const request = { ...named, decidedBy };
      return (await client.refundUnits(request, call, within)).refundedAmount;
    },
  };
}

function keyOf({ globalId, partnerId, environment }: Order) {
  return { reservationKey: globalId, partnerId, environment: environmentOf(environment) };
}
