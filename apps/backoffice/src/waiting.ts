import { ApprovalStatus, DeadLetterReason, DeadLetterState } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import type { RpcClientsOfServices } from './clients';

const WAITING = { state: DeadLetterState.WAITING, reason: DeadLetterReason.UNSPECIFIED, offset: 0, limit: 0 };

/** Movements that wait for a second operator, of both services that keep them; all are of live (spec §18.3). */
export async function countApprovals(
  { financeApprovals, ordersApprovals }: RpcClientsOfServices,
  call: CallContext,
): Promise<number> {
  const pending = { status: ApprovalStatus.PENDING, offset: 0, limit: 0 };
  const lists = [financeApprovals, ordersApprovals].map((service) => service.listApprovals(pending, call));
  return (await Promise.all(lists)).reduce((sum, { totalCount }) => sum + totalCount, 0);
}

/** Events that nobody has decided about, of every service that consumes some; they are of no environment. */
export async function countDeadLetters(clients: RpcClientsOfServices, call: CallContext): Promise<number> {
  const services = [clients.financeDeadLetters, clients.scentDeadLetters, clients.notifierDeadLetters];
  const counts = await Promise.all(services.map((service) => service.listDeadLetters(WAITING, call)));
  return counts.reduce((sum, { totalCount }) => sum + totalCount, 0);
}
