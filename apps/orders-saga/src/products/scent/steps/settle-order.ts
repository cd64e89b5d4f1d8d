import type { Settlements } from '../../../clients/finance/settlements';
import { callWithRetries } from '../../../saga/call-with-retries';
import { decidedBy } from '../../../saga/domain/journal';
import type { StepOutcome } from '../../../saga/domain/step-outcome';
import type { SagaRun } from '../../../saga/saga-step';
import { isContradiction } from '../../steps/release-funds';
import { justCheckedOut } from '../domain/scent-order';
import type { ScentOrderRepository } from '../scent-order.repository';

/** What settling an order works with. */
interface SettleOrderDeps {
  readonly settlements: Settlements;
  readonly scents: ScentOrderRepository;
}

/** Charges the wallet and credits the commission, line by line, in one movement; it moves the order's tax point. */
export async function settleOrder(
  { settlements, scents }: SettleOrderDeps,
  run: SagaRun,
): Promise<StepOutcome> {
  const details = justCheckedOut(run.order) ?? (await scents.find(run.order.id));
  if (!details) throw new Error(`order ${run.order.globalId} has no lines to settle`);
  const settle = (): Promise<Date> =>
    settlements.settle(run.order, details.lines, run.call, decidedBy(run.journal));
  const result = await callWithRetries(run, settle, isContradiction);
  if (result.kind === 'suspended') return result;
  if (result.kind === 'done') {
    return { kind: 'done', change: { details: { taxPoint: result.value.toISOString() } } };
  }
  return { kind: 'undecidable', details: { reason: 'The reservation had ended before the charge.' } };
}
