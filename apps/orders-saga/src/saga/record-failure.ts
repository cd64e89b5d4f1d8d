import { isDatabaseUnavailable } from '@reseller/database';
import type { Logger } from '@reseller/service-kit';
import { isLastingFailure, isToBeParked, reasonOf, retryGap, type ParkingLimits } from './domain/failure';
import type { JournalEntry } from './domain/journal';
import { parkAt, type Transition } from './domain/transition';
import {
  recordTransition,
  type DrivenSaga,
  type RecordTransitionDeps,
  type SagaOutcome,
} from './record-transition';
import type { SagaDefinition } from './saga-plan';
import type { RunMode } from './domain/step-outcome';

/** What recording failures works with. */
export interface RecordFailureDeps extends RecordTransitionDeps {
  readonly parking: ParkingLimits;
  readonly log: Logger;
}

// Of a step that was cut off and not refused: as long as a service that is away is left alone.
const AGAIN_MS = 5_000;

/**
 * Leaves a failed step for later, and gives its order to a person once it has failed for too long. The failures are counted
 * with the saga, so that neither a crash nor another instance begins the count anew. A failure of this service's own database
 * is thrown: nothing can be recorded now, and the lease lapses.
 */
export async function recordFailure(
  deps: RecordFailureDeps,
  definition: Pick<SagaDefinition<never>, 'type' | 'moves' | 'plan'>,
  saga: DrivenSaga,
  intent: JournalEntry,
  { mode, error }: { mode: RunMode; error: unknown },
): Promise<SagaOutcome> {
  if (isDatabaseUnavailable(error)) throw error;
  const { order, grant } = saga;
  const again: Transition = { to: order.status, entries: [], next: 'Suspend', wakeMs: AGAIN_MS };
  if (isCutOff(error) || !isLastingFailure(error)) {
    // What follows a service that was only away is not in a row with what came before (spec §4.7).
    if (!isCutOff(error)) await deps.sagas.forgetFailures(grant);
    return recordTransition(deps, definition, saga, again, mode);
  }
  const count = await deps.sagas.noteFailure(grant, `${intent.step}#${intent.attempt}`);
  if (!count) return { kind: 'fenced' };
  const about = { product: order.product, step: intent.step, ...count };
  deps.log.error({ err: error, ...about }, 'a step of an order failed');
  await deps.passCrashPoint('failure.note.after');
  if (!isToBeParked(count, deps.parking)) {
    const later = { ...again, wakeMs: retryGap(count, deps.parking) };
    return recordTransition(deps, definition, saga, later, mode);
  }
  const parked = await recordTransition(
    deps,
    definition,
    saga,
    parkAt(definition.moves, saga, intent.step, reasonOf(error)),
    mode,
  );
  await deps.passCrashPoint('order.park.after');
  return parked;
}

// The service stops, or the lease is gone: what the step then threw says nothing about it.
const isCutOff = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
