import { isAppError } from '@reseller/errors';
import { Counter, type Registry } from 'prom-client';
import type { TaskKind } from './domain/order-task';

/** Counts a try at what an operator decided; undefined is a success. */
export type CountTry = (kind: TaskKind, failure: unknown) => void;

/** Makes the counter of tries in a registry; without one nothing is counted. */
export function countTries(registry?: Registry): CountTry {
  if (!registry) return () => undefined;
  const tries = new Counter({
    name: 'order_task_tries_total',
    help: 'Tries at carrying out what operators decided, by what came of them: OK, or the code it was refused with. Sum over instances.',
    labelNames: ['kind', 'code'],
    registers: [registry],
  });
  return (kind, failure) => {
    const code = failure === undefined ? 'OK' : isAppError(failure) ? failure.code : 'INTERNAL_ERROR';
    tries.inc({ kind, code });
  };
}
