import { Counter, type Registry } from 'prom-client';
import type { LimitRefusal, Refusal } from './domain/wallet-operation';

const LIMITS: Readonly<Record<LimitRefusal, string>> = {
  order_limit: 'order',
  spending_limit: 'day',
  recipient_limit: 'recipient',
};

/** Counts the refusals by limits on spending (spec §17.5); others are passed over. */
export function countLimitRefusals(registry: Registry): (refusal: Refusal) => void {
  const refusals = new Counter({
    name: 'finance_limit_refusals_total',
    help: 'Reservations that a limit on spending refused, by which: order (its amount), day (what was spent), recipient (orders of a phone number). Sum over instances.',
    labelNames: ['limit'],
    registers: [registry],
  });
  for (const limit of Object.values(LIMITS)) refusals.inc({ limit }, 0);
  return (refusal) => {
    if (isLimit(refusal)) refusals.inc({ limit: LIMITS[refusal] });
  };
}

const isLimit = (refusal: Refusal): refusal is LimitRefusal => refusal in LIMITS;
