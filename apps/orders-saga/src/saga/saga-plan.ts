import type { ProductType } from '@reseller/contracts';
import type { Order, OrderChange, OrderStatus } from '../order/domain/order';
import type { Moves } from '../order/domain/moves';
import type { JournalEntry } from './domain/journal';
import type { Details, StepAction } from './saga-step';

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
export interface PlannedStep<Deps> {
  readonly act: StepAction<Deps>;
  readonly done: NextMove;
  /** Absent for steps that no one can refuse; a refusal then goes to an operator. */
  readonly refused?: NextMove;
}

/** A saga as data: the recorded step is the state, this table says what follows. */
export interface SagaPlan<Deps> {
  readonly first: string;
  readonly steps: Readonly<Record<string, PlannedStep<Deps>>>;
}

/** All that the engine has to know of the orders of one product. */
export interface SagaDefinition<Deps> {
  /** The product's name in the contracts, for events. */
  readonly type: ProductType;
  readonly moves: Moves;
  readonly plan: SagaPlan<Deps>;
}
