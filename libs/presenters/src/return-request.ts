import { ReturnReason, ReturnRequestStatus, type ReturnRequest } from '@reseller/contracts';
import { findByName } from './order-names';
import { present, presentEnum, presentMoment, presentRequiredMoment } from './values';

/** The statuses of a return request. */
export const RETURN_REQUEST_STATUSES = ['Pending', 'Approved', 'Declined'] as const;

/** Why units come back. */
export const RETURN_REASONS = ['Damaged', 'WrongItem', 'NotAsDescribed', 'ChangedMind', 'Other'] as const;

type PublicStatus = (typeof RETURN_REQUEST_STATUSES)[number];
type PublicReason = (typeof RETURN_REASONS)[number];

const STATUS_NAMES: Partial<Record<ReturnRequestStatus, PublicStatus>> = {
  [ReturnRequestStatus.PENDING]: 'Pending',
  [ReturnRequestStatus.APPROVED]: 'Approved',
  [ReturnRequestStatus.DECLINED]: 'Declined',
};

const REASON_NAMES: Partial<Record<ReturnReason, PublicReason>> = {
  [ReturnReason.DAMAGED]: 'Damaged',
  [ReturnReason.WRONG_ITEM]: 'WrongItem',
  [ReturnReason.NOT_AS_DESCRIBED]: 'NotAsDescribed',
  [ReturnReason.CHANGED_MIND]: 'ChangedMind',
  [ReturnReason.OTHER]: 'Other',
};

/** The enum value of a filter; UNSPECIFIED, which is all, for none. */
export function returnStatusFilter(name: PublicStatus | undefined): ReturnRequestStatus {
  return findByName(STATUS_NAMES, name) ?? ReturnRequestStatus.UNSPECIFIED;
}

/** The enum value of a reasonCode. */
export function returnReasonOf(name: PublicReason): ReturnReason {
  return findByName(REASON_NAMES, name) ?? ReturnReason.UNSPECIFIED;
}

/** A return request as partners and operators read it. */
export function presentReturnRequest(message: ReturnRequest | undefined) {
  const request = present(message, 'return_request');
  return {
    id: request.returnRequestId,
    scentOrderId: request.scentOrderId,
    orderGlobalId: request.orderGlobalId,
    fulfillmentGroupId: request.fulfillmentGroupId,
    partnerId: request.partnerId,
    status: presentEnum(STATUS_NAMES, request.status),
    requestedAt: presentRequiredMoment(request.requestedAt, 'requested_at'),
    decidedAt: presentMoment(request.decidedAt),
    decidedByUserId: request.decidedByUserId ?? null,
    declineReason: request.declineReason ?? null,
    lines: request.lines.map(({ lineId, scentOrderLineId, quantity, reason }) => ({
      id: lineId,
      scentOrderLineId,
      quantity,
      reasonCode: presentEnum(REASON_NAMES, reason),
    })),
  };
}
