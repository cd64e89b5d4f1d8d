import type { VendorBehaviour } from '../crash/cells';
import type { Body } from './plan';

/** What an operator made of an order. */
export type Decision = 'Completed' | 'Failed' | 'Reversed';

/** One order as the model holds it. */
export interface ModelOrder {
  readonly body: Body;
  readonly decision: Decision | undefined;
}

/** A wallet as the model holds it, in minor units. */
interface ModelWallet {
  readonly balance: number;
  readonly available: number;
  readonly debits: number;
  readonly refunds: number;
}

const ENDINGS: Readonly<Record<VendorBehaviour, 'Completed' | 'Failed' | 'InterventionRequired'>> = {
  success: 'Completed',
  fail: 'Failed',
  outage: 'Completed',
  pending: 'Completed',
  pendingfail: 'Failed',
  unknown: 'InterventionRequired',
  dropped: 'Completed',
  slow: 'Completed',
};

/** What an order must be once nothing moves any more: no crash and no repetition has a say in it. */
export function modelStatus({ body, decision }: ModelOrder): string {
  return decision ?? ENDINGS[body.vendor];
}

/** Whether the vendor must have delivered it: exactly what its behaviour says, whatever operators do later. */
export function modelDelivers({ body }: ModelOrder): boolean {
  return ENDINGS[body.vendor] === 'Completed';
}

/** The events an order must have published, in order, beside that it was being processed. */
export function modelEvents(order: ModelOrder): string[] {
  const status = modelStatus(order);
  if (status === 'InterventionRequired') return [];
  return status === 'Reversed' ? ['OrderCompleted', 'OrderReversed'] : [`Order${status}`];
}

/** The wallet after these orders, one after the other: charged when Completed, set aside while undecided. */
export function modelWallet(deposit: number, orders: readonly ModelOrder[]): ModelWallet {
  let [balance, held, debits, refunds] = [deposit, 0, 0, 0];
  for (const order of orders) {
    const status = modelStatus(order);
    if (status === 'InterventionRequired') held += order.body.amount;
    if (status !== 'Completed' && status !== 'Reversed') continue;
    balance -= order.body.amount;
    debits += order.body.amount;
    if (status !== 'Reversed') continue;
    balance += order.body.amount;
    refunds += order.body.amount;
  }
  return { balance, available: balance - held, debits, refunds };
}
