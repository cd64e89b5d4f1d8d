import type { ScentOrderRepository } from '../scent-order.repository';
import type { Settlements } from '../../../clients/finance/settlements';
import type { StepAction } from '../../../saga/saga-run';
import { isContradiction } from '../../steps/reserve-funds';
import { untilAnswered } from '../../../saga/until-answered';

/** Charges the wallet and credits the commission, line by line, in one movement; it moves the order's tax point. */
export function settleOrder(settlements: Settlements, scents: ScentOrderRepository): StepAction {
  return async (run) => {
    const details = await scents.read(run.order);
    if (!details) throw new Error(`order ${run.order.globalId} has no lines to settle`);
    const settle = (): Promise<Date> => settlements.settle(run.order, details.lines, run.call);
    const answer = await untilAnswered(run, settle, isContradiction);
    if (answer.kind === 'later') return answer;
    if (answer.kind === 'done') return { kind: 'done', change: { taxPoint: answer.value.toISOString() } };
    return { kind: 'undecidable', details: { reason: 'The reservation had ended before the charge.' } };
  };
}
