import type { Order, OrderStatus } from './order';

/** A status that an order took. */
export interface StatusChange {
  readonly occurredAt: Date;
  readonly status: OrderStatus;
}

/**
 * Every status of an order from its submission on, oldest first (spec §17.1). Of what the log does not have, since it is older or
 * was changed by the version before, the first end is known by completedAt.
 */
export function historyOf(
  { status, submittedAt, completedAt }: Pick<Order, 'status' | 'submittedAt' | 'completedAt'>,
  logged: readonly StatusChange[],
): StatusChange[] {
  const first: StatusChange = { occurredAt: submittedAt, status: 'Pending' };
  const last = logged.at(-1)?.status ?? 'Pending';
  const isMissing = completedAt !== null && last !== status && logged.every((entry) => !isEnd(entry.status));
  const end = isMissing
    ? [{ occurredAt: completedAt, status: isEnd(status) ? status : 'Completed' } as const]
    : [];
  return [first, ...logged, ...end];
}

const isEnd = (status: OrderStatus): boolean => ['Completed', 'Failed', 'Cancelled'].includes(status);
