import type { CallContext } from '@reseller/rpc';
import type { Logger } from '@reseller/service-kit';
import type { Order } from '../order/domain/order';
import type { JournalEntry } from './domain/journal';
import type { RunMode, StepOutcome } from './domain/step-outcome';
import type { Lease } from './lease-manager';

/** What a step is given; `order` and `journal` are as last recorded. */
export interface SagaRun {
  readonly order: Order;
  readonly journal: readonly JournalEntry[];
  readonly lease: Lease;
  readonly mode: RunMode;
  /** True when the open step was found on record: it may have taken effect already. */
  readonly isResumed: boolean;
  /** How often the saga was taken over. */
  readonly attempts: number;
  /** Milliseconds since a time of the order's, by the database's clock; 0 in the request that made the order. */
  readonly msSince: (time: Date) => number;
  /** Aborts when this run's time is up or its lease is lost. */
  readonly signal: AbortSignal;
  /** For calls to other services; in a request they end in time for its response. */
  readonly call: CallContext;
  readonly log: Logger;
}

/** Tries a step, or carries on from a try whose result is not on record; `Deps` is what the plan's steps work with. */
export type StepAction<Deps> = (deps: Deps, run: SagaRun) => Promise<StepOutcome>;
