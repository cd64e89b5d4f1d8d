import { isAppError } from '@reseller/errors';
import { Histogram, type Registry } from 'prom-client';
import { DIFFERENCE_KINDS, type Reconciliation } from './domain/reconciliation';

/** Runs a reconciliation and notes what came of it, and after how long. */
export type Observe = (work: () => Promise<Reconciliation>) => Promise<Reconciliation>;

/** Notes reconciliations of partners in a registry; without one nothing is noted. */
export function observeReconciliations(registry?: Registry): Observe {
  if (!registry) return (work) => work();
  const seconds = new Histogram({
    name: 'partner_reconciliation_duration_seconds',
    help: "Comparisons of a partner's record with our orders, from the first of the file, by result: Same, Different, or the code it was refused with. Sum over instances.",
    labelNames: ['result'],
    buckets: [0.1, 0.5, 1, 2.5, 5, 10, 20, 30],
    registers: [registry],
  });
  return async (work) => {
    const end = seconds.startTimer();
    try {
      const made = await work();
      const hasDifference = DIFFERENCE_KINDS.some((kind) => made.differences[kind] > 0);
      end({ result: hasDifference ? 'Different' : 'Same' });
      return made;
    } catch (error) {
      end({ result: isAppError(error) ? error.code : 'INTERNAL_ERROR' });
      throw error;
    }
  };
}
