import type { ProductType } from '@reseller/contracts';
import type { Moves } from '../order/domain/moves';
import type { NextMoves } from './domain/next-move';
import type { Order } from '../order/domain/order';
import { openStep, type JournalEntry } from './domain/journal';
import type { StepAction } from './saga-step';

/** What an order waits for, whose slowness is to hold up no other's. */
export type Lane = (order: Pick<Order, 'vendorName'>) => string;

/** What to do at a recorded step, and where to go from there. */
interface PlannedStep<Deps> extends NextMoves {
  readonly act: StepAction<Deps>;
  /** Where an order waits that is suspended here. */
  readonly lane: Lane;
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

/** The lane of an order that stands where its journal says; undefined when nothing of it is open. */
export function laneOf(
  { steps }: SagaPlan<never>,
  order: Pick<Order, 'vendorName'>,
  journal: readonly JournalEntry[],
): string | undefined {
  return steps[openStep(journal)?.step ?? '']?.lane(order);
}
