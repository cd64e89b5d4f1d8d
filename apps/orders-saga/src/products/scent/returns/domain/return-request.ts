import { v5 as uuidOfName } from 'uuid';
import type { OrderEnvironment } from '../../../../order/domain/order';

/** Why units come back (specification, Returns). */
export type ReturnReasonName = 'Damaged' | 'WrongItem' | 'NotAsDescribed' | 'ChangedMind' | 'Other';

/** Where a request stands; a decision is final. */
export type ReturnStatusName = 'Pending' | 'Approved' | 'Declined';

/** Every move of a return request (spec §8.2); the database holds the same. */
export const RETURN_MOVES: Readonly<Record<ReturnStatusName, readonly ReturnStatusName[]>> = {
  Pending: ['Approved', 'Declined'],
  Approved: [],
  Declined: [],
};

/** Units of one line that a partner wants to give back. */
export interface RequestedUnits {
  readonly orderLineId: string;
  readonly quantity: number;
  readonly reason: ReturnReasonName;
}

/** A return request as it stands. */
export interface ReturnRequest {
  readonly id: string;
  readonly orderId: string;
  readonly orderGlobalId: string;
  readonly partnerId: string;
  readonly environment: OrderEnvironment;
  readonly groupId: string;
  readonly status: ReturnStatusName;
  readonly requestedAt: Date;
  readonly decidedAt: Date | null;
  readonly decidedByUserId: string | null;
  readonly declineReason: string | null;
  /** As requested. */
  readonly lines: readonly (RequestedUnits & { readonly id: string })[];
}

/** A decision of an operator's, or of the partner's own in its sandbox. */
export interface ReturnDecision {
  readonly status: 'Approved' | 'Declined';
  /** Null where the partner decided itself. */
  readonly decidedByUserId: string | null;
  /** Of a declined one. */
  readonly declineReason?: string;
}

const OPERATORS = '6f1d5a0e-6a3b-5c1e-9a54-0c8f8f1d7b21';

/** The user id that stands for an operator, for ever the same for the same name. */
export function operatorUserId(operator: string): string {
  return uuidOfName(operator, OPERATORS);
}
