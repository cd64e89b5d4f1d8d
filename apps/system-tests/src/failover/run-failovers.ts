import { parseArgs } from 'node:util';
import { chooseFrom, runEach } from '../drill/run-each';
import { requirePackages } from './cluster';
import { FAULTS, type FaultName } from './faults';
import { runFailover, type FailoverOptions } from './run-failover';

/** Which faults, and how much load. */
interface FailoversOptions extends FailoverOptions {
  readonly faults: readonly FaultName[];
}

/** Reads the command line. */
export function parseFailoverOptions(args: string[]): FailoversOptions {
  const { values } = parseArgs({
    args,
    options: {
      fault: { type: 'string' },
      seconds: { type: 'string', default: '10' },
      clients: { type: 'string', default: '4' },
    },
  });
  return {
    faults: chooseFrom(FAULTS, 'fault', values.fault),
    seconds: Number(values.seconds),
    clients: Number(values.clients),
  };
}

/** Runs one failover after the other, each on a cluster of its own; returns whether each ended with everything as it must be. */
export async function runFailovers({ faults, ...options }: FailoversOptions): Promise<boolean> {
  requirePackages();
  return runEach(
    faults,
    (name) => FAULTS[name].what,
    async (name) => {
      const { faults: wrong, late } = await runFailover(name, options);
      return [...wrong, ...late];
    },
  );
}
