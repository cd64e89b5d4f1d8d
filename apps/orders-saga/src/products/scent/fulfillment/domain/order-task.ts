/** What an operator decides and money follows. */
export type TaskKind = 'cancel-group' | 'approve-return';

/** A decision that is recorded and to be carried out. */
export interface OrderTask {
  readonly id: string;
  readonly orderId: string;
  readonly kind: TaskKind;
  /** The fulfillment group's or the return request's id. */
  readonly subjectId: string;
  /** Who decided: an operator, or the partner in its sandbox. */
  readonly operator: string;
  readonly isByPartner: boolean;
  readonly journalAttempt: number;
  readonly state: 'Open' | 'Done';
  readonly attempts: number;
  /** The headers of the operator's request; null for one of an earlier version. */
  readonly origin: Readonly<Record<string, string>> | null;
  /** Until when its taker has it, as the database writes it, which differs from one taking to the next; null while nobody has it. */
  readonly leaseUntil: string | null;
}

/** Under whose name tasks are carried out, and how long a silent one keeps them, in milliseconds. */
export interface TaskLease {
  readonly owner: string;
  readonly ms: number;
}

/** What happens to a scent order after its saga, as the timeline names it: nothing of it is ever an open step. */
export type FulfillmentEntry =
  | 'operator.ship'
  | 'operator.deliver'
  | 'operator.cancel-group'
  | 'operator.approve-return'
  | 'operator.decline-return'
  | 'return.request';
