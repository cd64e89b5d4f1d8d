import { ApprovalStatus, DeadLetterReason, DeadLetterState } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { BESIDE, type Absences } from './absences';
import type { App, RpcClientsOfServices } from './clients';

/** The services that have something that waits. */
export type WaitingAt = Exclude<App, 'identity'>;

const PENDING = { status: ApprovalStatus.PENDING, offset: 0, limit: 0 };
const WAITING = { state: DeadLetterState.WAITING, reason: DeadLetterReason.UNSPECIFIED, offset: 0, limit: 0 };

/** Movements that wait for a second operator, of both services that keep them; all are of live (spec §18.3). */
export const countApprovals = (
  { financeApprovals, ordersApprovals }: RpcClientsOfServices,
  call: CallContext,
  absences: Absences<WaitingAt>,
): Promise<number | null> =>
  sumOf(
    absences.unlessAway('finance', financeApprovals.listApprovals(PENDING, call, BESIDE)),
    absences.unlessAway('orders-saga', ordersApprovals.listApprovals(PENDING, call, BESIDE)),
  );

/** Events that nobody has decided about, of every service that consumes some; they are of no environment. */
export const countDeadLetters = (
  { financeDeadLetters, scentDeadLetters, notifierDeadLetters }: RpcClientsOfServices,
  call: CallContext,
  absences: Absences<WaitingAt>,
): Promise<number | null> =>
  sumOf(
    absences.unlessAway('finance', financeDeadLetters.listDeadLetters(WAITING, call, BESIDE)),
    absences.unlessAway('scent-commerce', scentDeadLetters.listDeadLetters(WAITING, call, BESIDE)),
    absences.unlessAway('notifier', notifierDeadLetters.listDeadLetters(WAITING, call, BESIDE)),
  );

/** Null where one of them could not be read: a part would pass for the whole. */
async function sumOf(
  ...lists: Promise<{ readonly totalCount: number } | undefined>[]
): Promise<number | null> {
  return (await Promise.all(lists)).reduce<number | null>(
    (sum, list) => (sum === null || !list ? null : sum + list.totalCount),
    0,
  );
}
