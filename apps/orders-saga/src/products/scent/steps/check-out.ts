import { AppError } from '@reseller/errors';
import { isShopRefusal, type Checkouts } from '../../../clients/scent-commerce/checkouts';
import { refusalDetails } from '../../../saga/domain/refusal';
import type { StepAction } from '../../../saga/saga-run';
import { isContradiction } from '../../steps/reserve-funds';
import { untilAnswered } from '../../../saga/until-answered';

/**
 * The scent shop's part of an order: freezes, prices and reserves the cart; undone by giving all of it back, which is
 * safe when it never began; and, once paid, made final.
 */
export function checkOut(checkouts: Checkouts): Record<'do' | 'undo' | 'commit', StepAction> {
  return {
    async do(run) {
      const answer = await untilAnswered(run, () => checkouts.begin(run.order, run.call), isShopRefusal);
      if (answer.kind === 'later') return answer;
      if (answer.kind === 'done') return { kind: 'done', change: { checkout: answer.value } };
      if (run.isResumed || answer.wasUnanswered) {
        // An earlier try may still be on its way: cancelling first makes the shop refuse it when it arrives.
        const cancel = (): Promise<void> => checkouts.cancel(run.order, run.call);
        const cancelled = await untilAnswered(run, cancel, () => false);
        if (cancelled.kind === 'later') return cancelled;
      }
      // The key was cancelled before: by the lines above, in a run that ended before the order was withdrawn.
      const error = isContradiction(answer.error) ? new AppError('SERVICE_UNAVAILABLE') : answer.error;
      return { kind: 'refused', error, details: refusalDetails(error) };
    },

    async undo(run) {
      const cancel = (): Promise<void> => checkouts.cancel(run.order, run.call);
      const answer = await untilAnswered(run, cancel, isContradiction);
      if (answer.kind === 'later') return answer;
      if (answer.kind === 'done') return { kind: 'done' };
      return { kind: 'undecidable', details: { reason: 'The checkout was committed.' } };
    },

    async commit(run) {
      const commit = (): Promise<void> => checkouts.commit(run.order, run.call);
      const answer = await untilAnswered(run, commit, isContradiction);
      if (answer.kind === 'later') return answer;
      if (answer.kind === 'done') return { kind: 'done' };
      return {
        kind: 'undecidable',
        details: { reason: 'The order is paid, but its checkout was cancelled.' },
      };
    },
  };
}
