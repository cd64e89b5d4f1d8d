import type { Order, OrderChange, OrderStatus } from '../order/domain/order';
import type { JournalEntry, StepName } from './domain/journal';
import type { Details, StepAction } from './saga-run';

/** Where a saga goes once a step is done or refused. */
export type NextMove =
  /** On to another step; the order may change its status on the way. */
  | {
      readonly kind: 'go';
      readonly step: StepName;
      readonly status?: OrderStatus;
      /** What the journal notes with the intent. */
      readonly details?: (order: Order) => Details;
    }
  /** The saga is over. */
  | {
      readonly kind: 'end';
      readonly status: (order: Order) => OrderStatus;
      readonly change?: (order: Order, journal: readonly JournalEntry[]) => OrderChange;
    }
  /** The order never was: it is taken back and its reference is free again. */
  | {
      readonly kind: 'withdraw';
      /** Why, from the record, where the step that withdraws is not the one that was refused. */
      readonly reason?: (journal: readonly JournalEntry[]) => Error;
    };

/** What to do at a recorded step, and where to go from there. */
export interface PlannedStep {
  readonly act: StepAction;
  readonly done: NextMove;
  /** Absent for steps that no one can refuse; a refusal then goes to an operator. */
  readonly refused?: NextMove;
}

/** A product's saga as data: the recorded step is the state, this table says what follows. */
export interface SagaPlan {
  readonly first: StepName;
  readonly steps: Readonly<Partial<Record<StepName, PlannedStep>>>;
}
