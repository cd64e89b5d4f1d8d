import { chooseFrom } from '../drill/run-each';
import type { Random } from '../storm/random';

/** What can stand still: a process, or PostgreSQL backends of a service that have a transaction open. */
export type Target = { readonly process: string } | { readonly backendsOf: string };

/** All of them by name. */
export const TARGETS: Readonly<Record<string, Target>> = {
  gateway: { process: 'gateway' },
  identity: { process: 'identity' },
  'orders-saga': { process: 'orders-saga' },
  finance: { process: 'finance' },
  'scent-commerce': { process: 'scent-commerce' },
  notifier: { process: 'notifier' },
  'vendor-simulator': { process: 'vendor-simulator' },
  'database:orders-saga': { backendsOf: 'orders-saga' },
  'database:finance': { backendsOf: 'finance' },
  'database:scent-commerce': { backendsOf: 'scent-commerce' },
  'database:notifier': { backendsOf: 'notifier' },
};

/** One standstill: one or two at once, for so long. */
export interface Standstill {
  readonly targets: readonly string[];
  readonly forMs: number;
  /** How long all ran before it. */
  readonly afterMs: number;
}

// Short of a lease, past a lease, past a deadline, past a lease of a webhook, past all of them.
const SECONDS = [5, 8, 12, 17, 25, 40, 70] as const;

/** Draws standstills that fill so many minutes; each is of one of the named targets, or of two. */
export function planStandstills(random: Random, minutes: number, only?: string): Standstill[] {
  const names = chooseFrom(TARGETS, 'only', only);
  const plan: Standstill[] = [];
  let waiting: string[] = [];
  for (let ms = 0; ms < minutes * 60_000;) {
    // Every one has its turn before any has a second.
    if (waiting.length === 0) waiting = random.shuffle(names);
    const targets = waiting.splice(0, random.chance(0.4) ? 2 : 1);
    const one = { targets, forMs: random.pick(SECONDS) * 1_000, afterMs: random.between(1_000, 6_000) };
    plan.push(one);
    ms += one.afterMs + one.forMs;
  }
  return plan;
}
