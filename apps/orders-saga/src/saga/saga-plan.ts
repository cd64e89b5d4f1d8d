import type { ProductType } from '@reseller/contracts';
import type { Moves } from '../order/domain/moves';
import type { NextMoves } from './domain/next-move';
import type { StepAction } from './saga-step';

/** What to do at a recorded step, and where to go from there. */
export interface PlannedStep<Deps> extends NextMoves {
  readonly act: StepAction<Deps>;
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
