import type { Order, OrderChange, OrderStatus } from '../../order/domain/order';
import type { JournalEntry } from './journal';
import type { Details } from './step-outcome';

/** Where a saga goes once a step is done or refused. */
export type NextMove =
  /** On to another step; the order may change its status on the way. */
  | {
      readonly kind: 'go';
      readonly step: string;
      readonly status?: OrderStatus;
      /** What the journal notes with the intent. */
      readonly details?: (order: Order) => Details;
    }
  /** The saga is over. */
  | {
      readonly kind: 'finish';
      readonly status: (order: Order, journal: readonly JournalEntry[]) => OrderStatus;
      readonly change?: (order: Order, journal: readonly JournalEntry[]) => OrderChange;
    }
  /** The order never was: it is taken back and its reference is free again. */
  | {
      readonly kind: 'withdraw';
      /** Why, from the record, where the step that withdraws is not the one that was refused. */
      readonly reason?: (journal: readonly JournalEntry[]) => Error;
      /** Where it goes instead once it is past Pending: what a person was given is not taken back any more. */
      readonly onceSeen?: Exclude<NextMove, { kind: 'withdraw' }>;
    };

/** Where a saga goes from one step. */
export interface NextMoves {
  readonly done: NextMove;
  /** Absent for steps that no one can refuse; a refusal then goes to an operator. */
  readonly refused?: NextMove;
}
