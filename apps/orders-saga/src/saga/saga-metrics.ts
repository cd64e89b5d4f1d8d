import { Histogram, type Registry } from 'prom-client';
import type { Order, OrderStatus } from '../order/domain/order';

/** Tells the metrics how long orders take. */
export interface SagaMetrics {
  /** A saga ended by itself, without an operator. */
  ended(before: OrderStatus, order: Order): void;
}

/** Makes the measure of orders in a registry; without one nothing is measured. */
export function sagaMetrics(registry?: Registry): SagaMetrics {
  if (!registry) return { ended: () => undefined };
  const durations = new Histogram({
    name: 'order_completion_seconds',
    help: 'Seconds from an order’s submission to the status its saga ended with (a scent order that is paid: Processing); what operators decided is left out. Sum over instances.',
    labelNames: ['product', 'environment', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200, 28_800, 86_400],
    registers: [registry],
  });
  return {
    ended(before, { product, environment, status, submittedAt, completedAt }) {
      // One that is parked as Pending has not ended.
      if (before === status || (before !== 'Pending' && before !== 'Processing')) return;
      const endedAt = completedAt?.getTime() ?? Date.now();
      const seconds = Math.max(0, endedAt - submittedAt.getTime()) / 1_000;
      durations.observe({ product, environment, outcome: status }, seconds);
    },
  };
}
