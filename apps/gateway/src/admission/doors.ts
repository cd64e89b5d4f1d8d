import { queueDelay, type CallContext } from '@reseller/rpc';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Route } from '../routes/route';
import { Admission, type AdmissionOptions, type Arrival } from './admission';

/** The classes of work; each has a door of its own, so that a flood of one leaves the others alone. */
const WORK_CLASSES = ['orders', 'changes', 'reads'] as const;
/** One of them. */
export type WorkClass = (typeof WORK_CLASSES)[number];

/** Settings of the doors, from the environment. */
interface DoorSettings {
  readonly maxConcurrent: number;
  readonly maxWaiting: number;
  readonly targetMs: number;
}

/** Where a class begins, and below which it never goes; both are cut at `maxConcurrent`. */
const BOUNDS: Record<WorkClass, { min: number; initial: number }> = {
  orders: { min: 24, initial: 128 },
  changes: { min: 24, initial: 128 },
  reads: { min: 32, initial: 256 },
};

/** The doors of the gateway, one for each class of work (docs/adr/0019). */
export class Doors {
  private readonly admissions: Readonly<Record<WorkClass, Admission>>;

  constructor(settings: DoorSettings, metrics: Registry) {
    const admissionOf = (work: WorkClass): Admission => new Admission(optionsOf(work, settings));
    this.admissions = {
      orders: admissionOf('orders'),
      changes: admissionOf('changes'),
      reads: admissionOf('reads'),
    };
    observe(this.admissions, metrics);
  }

  /** The seconds after which a request may come again when there is no room for it, before it was looked at (spec §14.2). */
  look(work: WorkClass, patienceMs: number, keyOf: () => string): number | undefined {
    queueDelay.watch();
    return this.admissions[work].look(patienceMs, keyOf);
  }

  /** Lets a request in, at once (undefined) or in its turn; throws or rejects with SERVICE_UNAVAILABLE (spec §14.2). */
  enter(work: WorkClass, arrival: Arrival): Promise<void> | undefined {
    return this.admissions[work].enter(arrival);
  }

  /** Says that a request has ended, with the call that its work went by. */
  leave(work: WorkClass, call: Pick<CallContext, 'queuedMs'> | undefined): void {
    this.admissions[work].leave(Math.max(call?.queuedMs ?? 0, queueDelay.loopMs));
  }
}

/** The class of a route's work. */
export function workOf({ method, work }: Pick<Route, 'method' | 'work'>): WorkClass {
  return work ?? (method === 'GET' ? 'reads' : 'changes');
}

function optionsOf(work: WorkClass, { maxConcurrent, maxWaiting, targetMs }: DoorSettings): AdmissionOptions {
  const { min, initial } = BOUNDS[work];
  return {
    min: Math.min(min, maxConcurrent),
    initial: Math.min(initial, maxConcurrent),
    max: maxConcurrent,
    maxWaiting,
    targetMs,
  };
}

const CLASS = ['class'];

function observe(admissions: Readonly<Record<WorkClass, Admission>>, metrics: Registry): void {
  const gauge = (
    registry: Registry,
    name: string,
    help: string,
    labelNames: readonly string[],
    read: (admission: Admission) => number,
  ): void => {
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      collect() {
        for (const work of WORK_CLASSES) this.set({ class: work }, read(admissions[work]));
      },
    });
  };
  gauge(
    metrics,
    'gateway_admission_limit',
    'How many requests of a class of work may be under way at once, as it is now. Sum over instances.',
    CLASS,
    ({ limit }) => limit,
  );
  gauge(
    metrics,
    'gateway_admission_under_way',
    'Requests of a class of work that are under way. Sum over instances.',
    CLASS,
    ({ underWay }) => underWay,
  );
  gauge(
    metrics,
    'gateway_admission_waiting',
    'Requests of a class of work that wait to be let in. Sum over instances.',
    CLASS,
    ({ waiting }) => waiting,
  );
  new Counter({
    name: 'gateway_admission_refused_total',
    help: 'Requests refused at the door with SERVICE_UNAVAILABLE, for they could not be done in time. Sum over instances.',
    labelNames: CLASS,
    registers: [metrics],
    collect() {
      this.reset();
      for (const work of WORK_CLASSES) this.inc({ class: work }, admissions[work].refused);
    },
  });
}
