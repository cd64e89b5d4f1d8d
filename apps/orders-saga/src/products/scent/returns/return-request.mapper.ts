import {
  ReturnReason,
  ReturnRequestStatus,
  type ReturnRequest as ReturnRequestMessage,
} from '@reseller/contracts';
import { environmentOf } from '@reseller/rpc';
import type { ReturnReasonName, ReturnRequest, ReturnStatusName } from './domain/return-request';

const STATUS: Record<ReturnStatusName, ReturnRequestStatus> = {
  Pending: ReturnRequestStatus.PENDING,
  Approved: ReturnRequestStatus.APPROVED,
  Declined: ReturnRequestStatus.DECLINED,
};

const REASON: Record<ReturnReasonName, ReturnReason> = {
  Damaged: ReturnReason.DAMAGED,
  WrongItem: ReturnReason.WRONG_ITEM,
  NotAsDescribed: ReturnReason.NOT_AS_DESCRIBED,
  ChangedMind: ReturnReason.CHANGED_MIND,
  Other: ReturnReason.OTHER,
};

const nameOf = <Name extends string, Value>(names: Record<Name, Value>, value: Value): Name | undefined =>
  (Object.keys(names) as Name[]).find((name) => names[name] === value);

/** The status's name in this service; undefined when unspecified. */
export function fromReturnStatus(status: ReturnRequestStatus): ReturnStatusName | undefined {
  return nameOf(STATUS, status);
}

/** The reason's name in this service; undefined when unspecified. */
export function fromReason(reason: ReturnReason): ReturnReasonName | undefined {
  return nameOf(REASON, reason);
}

/** A return request with every field a partner may see. */
export function toReturnRequest(request: ReturnRequest): ReturnRequestMessage {
  return {
    returnRequestId: request.id,
    scentOrderId: request.orderId,
    orderGlobalId: request.orderGlobalId,
    fulfillmentGroupId: request.groupId,
    partnerId: request.partnerId,
    environment: environmentOf(request.environment),
    status: STATUS[request.status],
    requestedAt: request.requestedAt,
    decidedAt: request.decidedAt ?? undefined,
    decidedByUserId: request.decidedByUserId ?? undefined,
    declineReason: request.declineReason ?? undefined,
    lines: request.lines.map(({ id, orderLineId, quantity, reason }) => ({
      lineId: id,
      scentOrderLineId: orderLineId,
      quantity,
      reason: REASON[reason],
    })),
  };
}
