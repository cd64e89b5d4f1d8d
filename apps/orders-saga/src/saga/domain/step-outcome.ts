import type { JsonValue } from '@reseller/errors';
import type { OrderChange } from '../../order/domain/order';
import type { EntryOutcome, JournalEntry } from './journal';

/** Whether the request that made the order drives it, or whoever carries it on later (spec §4.7). */
export type RunMode = 'request' | 'recovery';

/** Notes for the timeline. */
export type Details = Readonly<Record<string, JsonValue>>;

/** What came of a step. */
export type StepOutcome =
  /** It took effect. */
  | { readonly kind: 'done'; readonly details?: Details; readonly change?: OrderChange }
  /** It was refused and certainly took no effect; `error` is what the request answers if the order is withdrawn. */
  | {
      readonly kind: 'refused';
      readonly details?: Details;
      readonly change?: OrderChange;
      readonly error?: Error;
    }
  /** Not known yet, or the other side cannot be reached: someone tries again after `afterMs`. */
  | {
      readonly kind: 'suspended';
      readonly afterMs: number;
      readonly change?: OrderChange;
      readonly notes?: readonly JournalEntry[];
    }
  /**
   * It is over with `result`, having changed nothing outside, and another intent takes its place in the same
   * statement: an order never has two open ones. The saga goes on at once or, when given, after `afterMs`.
   */
  | {
      readonly kind: 'replaced';
      readonly result: EntryOutcome;
      readonly details?: Details;
      readonly step: string;
      readonly intentDetails?: Details;
      readonly change?: OrderChange;
      readonly afterMs?: number;
    }
  /** It cannot be known by asking: an operator decides. The step's result is Failed, or Unknown when it may have had its effect. */
  | {
      readonly kind: 'undecidable';
      readonly result?: 'Unknown';
      readonly details?: Details;
      readonly change?: OrderChange;
    };
