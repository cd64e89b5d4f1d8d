import { AppError } from '@reseller/errors';
import type { Order } from '../order/domain/order';
import { productOf } from '../products';
import { lastDecision, openDecision, resultIn, type JournalEntry } from '../saga/domain/journal';
import type { DecisionKind } from './domain/decision';
import { needsSecondOperator, requireApproval } from './require-approval';
import { loadOrder, takeDecision, type DecideOrderDeps, type Decision } from './take-decision';

const LOOK_AGAIN_MS = 100;

/**
 * Takes an operator's decision and returns the order once its effect is complete. The same decision again waits for one
 * that is under way; once it is carried out, no move is left to make, and it is CONFLICT_ORDER_STATE like any other
 * that the product does not have (spec §4.4). Taking the lease fences whoever drives the order, so that a decision and a
 * saga never both have their way. With finance away: SERVICE_UNAVAILABLE, and the effect follows by itself; only a
 * cancelled order is returned as such, for it was cancelled at once. One that cannot be carried out is CONFLICT_ORDER_STATE, and
 * may be taken again. A reversal of more than one operator may decide is CONFLICT_APPROVAL_REQUIRED (spec §18.3).
 */
export async function decideOrder(deps: DecideOrderDeps, decision: Decision): Promise<Order> {
  const { kind } = decision;
  const until = performance.now() + deps.decisionWaitMs;
  let state = await loadOrder(deps, decision);
  const product = productOf(state.order.product);
  const rule = product.decisions[kind];
  if (kind === 'cancel' && product.cancelOrder && !rule?.from.includes(state.order.status)) {
    await product.cancelOrder(deps, state.order, decision);
    return (await deps.orders.findById(state.order.id)) ?? state.order;
  }
  if (!rule) throw new AppError('CONFLICT_ORDER_STATE');

  let awaited: JournalEntry | undefined;
  for (let wasFaster = false; ; state = await loadOrder(deps, decision)) {
    const { order, journal } = state;
    // Of two at once the later one waits for what the first has begun, or is returned what it came to.
    const open = openDecision(journal);
    if (open && open.details?.['decision'] === kind) awaited ??= open;
    if (!awaited && wasFaster && isDone(journal, kind)) return order;
    if (!awaited && needsSecondOperator(deps, order, kind)) {
      await requireApproval(deps, rule, state, decision);
      continue;
    }
    if (!awaited) {
      awaited = await takeDecision(deps, product, rule, state, decision);
      wasFaster = !awaited;
      continue;
    }
    const result = resultIn(journal, awaited);
    if (result?.outcome === 'Done') return order;
    if (result) throw notCarriedOut(order, result);
    const leftMs = until - performance.now();
    if (leftMs <= 0 && order.status === rule.to) return order;
    if (leftMs <= 0) throw new AppError('SERVICE_UNAVAILABLE');
    await deps.running.waitForEnd(order.id, Math.min(leftMs, LOOK_AGAIN_MS));
  }
}

const isDone = (journal: readonly JournalEntry[], kind: DecisionKind): boolean => {
  const last = lastDecision(journal);
  return last?.details?.['decision'] === kind && resultIn(journal, last)?.outcome === 'Done';
};

function notCarriedOut(order: Order, { details }: JournalEntry): AppError {
  const reason = typeof details?.['reason'] === 'string' ? ` ${details['reason']}` : '';
  return new AppError('CONFLICT_ORDER_STATE', {
    message: `The decision could not be carried out.${reason} The order needs another one.`,
    status: order.status,
  });
}
