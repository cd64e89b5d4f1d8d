import { parseArgs } from 'node:util';
import { chooseFrom, runEach } from '../drill/run-each';
import { withBus, type Bus, busOf } from '../kafka/bus';
import { runDrill, type DrillMode, type DrillOptions } from './run-drill';

const MODES: Record<DrillMode, string> = {
  archive: 'restore to the end of the archived log',
  time: 'restore to a moment in the past',
  log: 'restore everything, where pg_wal outlived the data',
};

/** Which drills to run, how large, and on which event bus. */
interface DrillsOptions extends DrillOptions {
  readonly modes: readonly DrillMode[];
  readonly bus: Bus;
}

/** Reads the command line. */
export function parseDrillOptions(args: string[]): DrillsOptions {
  const { values } = parseArgs({
    args,
    options: {
      mode: { type: 'string' },
      seconds: { type: 'string', default: '20' },
      clients: { type: 'string', default: '6' },
      'archive-seconds': { type: 'string', default: '5' },
      bus: { type: 'string' },
    },
  });
  return {
    modes: chooseFrom(MODES, 'mode', values.mode),
    seconds: Number(values.seconds),
    clients: Number(values.clients),
    archiveSeconds: Number(values['archive-seconds']),
    bus: busOf(values.bus),
  };
}

/** Runs the drills one after the other; returns whether each ended with books that agree. */
export function runDrills({ modes, bus, ...options }: DrillsOptions): Promise<boolean> {
  return runEach(
    modes,
    (mode) => MODES[mode],
    (mode) => withBus(bus, (kafka) => runDrill(mode, options, kafka)),
  );
}
