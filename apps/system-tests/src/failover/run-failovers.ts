import { parseArgs } from 'node:util';
import { say } from '../bench/measure';
import { missingPackages } from './cluster';
import { FAULTS, type FaultName } from './faults';
import { runFailover, type FailoverOptions } from './run-failover';

/** Which faults, and how much load. */
export interface FailoversOptions extends FailoverOptions {
  readonly faults: readonly FaultName[];
}

const isFault = (name: string): name is FaultName => name in FAULTS;

/** Reads the command line. */
export function parseFailoverOptions(args: string[]): FailoversOptions {
  const { values } = parseArgs({
    args,
    options: {
      fault: { type: 'string', default: Object.keys(FAULTS).join() },
      seconds: { type: 'string', default: '10' },
      clients: { type: 'string', default: '4' },
    },
  });
  const faults = values.fault.split(',');
  const unknown = faults.find((name) => !isFault(name));
  if (unknown !== undefined)
    throw new Error(`--fault=${unknown}: expected ${Object.keys(FAULTS).join(', ')}`);
  return { faults: faults.filter(isFault), seconds: Number(values.seconds), clients: Number(values.clients) };
}

/** Runs one failover after the other, each on a cluster of its own; returns whether each ended with everything as it must be. */
export async function runFailovers({ faults, ...options }: FailoversOptions): Promise<boolean> {
  const missing = missingPackages();
  if (missing.length > 0)
    throw new Error(
      `this needs Debian's packages ${missing.join(', ')}: apt-get install ${missing.join(' ')}`,
    );
  let failed = 0;
  for (const name of faults) {
    say(`\n${name}: ${FAULTS[name].what}`);
    const { faults: wrong, late } = await runFailover(name, options);
    const found = [...wrong, ...late];
    for (const fault of found.slice(0, 20)) say(`  FAULT ${fault}`);
    if (found.length > 20) say(`  … and ${found.length - 20} more`);
    say(found.length === 0 ? '  passed' : '  failed');
    if (found.length > 0) failed += 1;
  }
  say(`\n${faults.length - failed} passed, ${failed} failed`);
  return failed === 0;
}
