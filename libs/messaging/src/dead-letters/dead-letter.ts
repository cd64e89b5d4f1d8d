import type { InvalidEventReason } from '@reseller/errors';
import type { DomainEvent } from '../domain-event';

/** Why an event can become a dead letter. */
export const DEAD_LETTER_REASONS = ['Undecodable', 'RuleBroken', 'EndsProcess'] as const satisfies readonly (
  | InvalidEventReason
  | 'EndsProcess'
)[];

/** One of DEAD_LETTER_REASONS. */
export type DeadLetterReason = (typeof DEAD_LETTER_REASONS)[number];

/** What can become of a dead letter; only one that waits can be decided. */
export const DEAD_LETTER_STATES = ['Waiting', 'Redriven', 'Dismissed'] as const;

/** One of DEAD_LETTER_STATES. */
export type DeadLetterState = (typeof DEAD_LETTER_STATES)[number];

/** What was wrong with an event, once it failed for good. */
export interface DeadLetterFailure {
  group: string;
  reason: DeadLetterReason;
  /** One plain sentence. */
  message: string;
  /** The error's stack and causes. */
  detail: string;
  attempts: number;
}

/** A dead letter as it is stored. */
export interface DeadLetter extends DeadLetterFailure {
  id: string;
  event: DomainEvent;
  firstFailedAt: Date;
  lastFailedAt: Date;
  state: DeadLetterState;
  /** An operator, by name; undefined while it waits. */
  decidedBy: string | undefined;
  decidedAt: Date | undefined;
  notes: string | undefined;
}

/** Where a consumer keeps its dead letters. */
export interface DeadLetterStore {
  /** Stores the event durably, once for each group, whatever became of it before. */
  record(event: DomainEvent, failure: DeadLetterFailure): Promise<void>;
}
