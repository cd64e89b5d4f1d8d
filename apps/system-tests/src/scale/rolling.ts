import { setTimeout as pause } from 'node:timers/promises';
import {
  allInstances,
  instanceOf,
  signalInstance,
  untilInstanceReady,
  untilReplaced,
} from '../platform/instances';
import type { ScaleOptions } from './options';

/** How one instance ended when it was stopped. */
export interface Stop {
  readonly name: string;
  readonly exit: string;
  readonly tookMs: number;
}

const BETWEEN_MS = 400;
const ORDER = ['gateway', 'backoffice', 'orders-saga', 'scent-commerce', 'notifier', 'identity', 'finance'];

/** Stops instances of every service, one after the other, each once the one before is back and ready. */
export async function restartAll(
  said: () => string,
  restarted: ScaleOptions['restarted'] = 'every',
): Promise<Stop[]> {
  const stops: Stop[] = [];
  const all = allInstances();
  const isLast = (name: string, service: string): boolean =>
    all.findLast((one) => one.service === service)?.name === name;
  const names = all
    .filter(
      ({ name, service }) => ORDER.includes(service) && (restarted === 'every' || isLast(name, service)),
    )
    .sort((a, b) => ORDER.indexOf(a.service) - ORDER.indexOf(b.service))
    .map(({ name }) => name);
  for (const name of names) {
    const before = deathsOf(name, said()).length;
    const { pid } = instanceOf(name);
    signalInstance(name, 'SIGTERM');
    const tookMs = Math.round(await untilReplaced(name, pid));
    await untilInstanceReady(name);
    stops.push({ name, tookMs, exit: deathsOf(name, said())[before] ?? 'unknown' });
    await pause(BETWEEN_MS);
  }
  return stops;
}

/** How a process ended each time, by what the starter said. */
function deathsOf(name: string, said: string): string[] {
  return [...said.matchAll(/^(\S+) ended \(([^)]*)\)/gm)]
    .filter(([, who]) => who === name)
    .map(([, , how]) => how ?? '');
}
