import type { Funds } from '../../clients/finance/funds';
import type { SagaStep } from '../../saga/saga-run';
import { isContradiction } from './reserve-funds';
import { untilAnswered } from '../../saga/until-answered';

/** Takes the reserved amount; undone by refunding all of it. */
export function captureFunds(funds: Funds): Required<SagaStep> {
  return {
    async do(run) {
      const capture = (): Promise<void> => funds.capture(run.order, run.call);
      const answer = await untilAnswered(run, capture, isContradiction);
      if (answer.kind === 'later') return answer;
      if (answer.kind === 'done') return { kind: 'done' };
      return {
        kind: 'undecidable',
        details: { reason: 'The vendor delivered, but the reservation had ended.' },
        change: { statusDescription: 'Delivered by the vendor; its charge needs a manual check.' },
      };
    },

    async undo(run) {
      const refund = (): Promise<void> => funds.refund(run.order, run.call);
      const answer = await untilAnswered(run, refund, isContradiction);
      if (answer.kind === 'later') return answer;
      if (answer.kind === 'done') return { kind: 'done' };
      return { kind: 'undecidable', details: { reason: 'There was nothing left to refund.' } };
    },
  };
}
