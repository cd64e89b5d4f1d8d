import { AppError, isAppError } from '@reseller/errors';
import { isFundsRefusal, type Funds } from '../../clients/finance/funds';
import type { SagaStep } from '../../saga/saga-run';
import { refusalDetails } from '../../saga/domain/refusal';
import { untilAnswered } from '../../saga/until-answered';

/** Sets the order's amount aside; undone by freeing it, which is safe when it never was set aside. */
export function reserveFunds(funds: Funds): Required<SagaStep> {
  return {
    async do(run) {
      const reserve = (): Promise<void> => funds.reserve(run.order, run.call);
      const answer = await untilAnswered(run, reserve, isRefusedForGood);
      if (answer.kind === 'later') return answer;
      if (answer.kind === 'done') return { kind: 'done' };
      if (run.isResumed || answer.wasUnanswered) {
        // An earlier try may still be on its way: releasing first makes finance refuse it when it arrives.
        const release = (): Promise<void> => funds.release(run.order, run.call);
        const released = await untilAnswered(run, release, () => false);
        if (released.kind === 'later') return released;
      }
      const error = toAnswer(answer.error);
      return { kind: 'refused', error, details: refusalDetails(error) };
    },

    async undo(run) {
      const release = (): Promise<void> => funds.release(run.order, run.call);
      const answer = await untilAnswered(run, release, isContradiction);
      if (answer.kind === 'later') return answer;
      if (answer.kind === 'done') return { kind: 'done' };
      return { kind: 'undecidable', details: { reason: 'The reservation was captured.' } };
    },
  };
}

/** Finance says that the reservation ended otherwise than this order has it on record. */
export function isContradiction(error: unknown): boolean {
  return isAppError(error) && error.code === 'CONFLICT_ORDER_STATE';
}

// The key was released before: by the lines above, in a run that ended before the order was withdrawn.
function isRefusedForGood(error: unknown): boolean {
  return isFundsRefusal(error) || isContradiction(error);
}

function toAnswer(error: Error): Error {
  return isFundsRefusal(error) ? error : new AppError('SERVICE_UNAVAILABLE', {}, { cause: error });
}
