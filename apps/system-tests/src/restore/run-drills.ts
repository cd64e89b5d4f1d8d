import { parseArgs } from 'node:util';
import { say } from '../bench/measure';
import { runDrill, type DrillMode, type DrillOptions } from './run-drill';

const MODES: Record<DrillMode, string> = {
  archive: 'restore to the end of the archived log',
  time: 'restore to a moment in the past',
  log: 'restore everything, where pg_wal outlived the data',
};

/** Which drills to run, and how large. */
export interface DrillsOptions extends DrillOptions {
  readonly modes: readonly DrillMode[];
}

const isMode = (text: string): text is DrillMode => text in MODES;

/** Reads the command line. */
export function parseDrillOptions(args: string[]): DrillsOptions {
  const { values } = parseArgs({
    args,
    options: {
      mode: { type: 'string', default: 'archive,time,log' },
      seconds: { type: 'string', default: '20' },
      clients: { type: 'string', default: '6' },
      'archive-seconds': { type: 'string', default: '5' },
    },
  });
  const modes = values.mode.split(',');
  const unknown = modes.find((mode) => !isMode(mode));
  if (unknown !== undefined) throw new Error(`--mode=${unknown}: expected ${Object.keys(MODES).join(', ')}`);
  return {
    modes: modes.filter(isMode),
    seconds: Number(values.seconds),
    clients: Number(values.clients),
    archiveSeconds: Number(values['archive-seconds']),
  };
}

/** Runs the drills one after the other; returns whether each ended with books that agree. */
export async function runDrills({ modes, ...options }: DrillsOptions): Promise<boolean> {
  let failed = 0;
  for (const mode of modes) {
    say(`\n${mode}: ${MODES[mode]}`);
    const faults = await runDrill(mode, options);
    for (const fault of faults.slice(0, 20)) say(`  FAULT ${fault}`);
    if (faults.length > 20) say(`  … and ${faults.length - 20} more`);
    say(faults.length === 0 ? '  passed' : '  failed');
    if (faults.length > 0) failed += 1;
  }
  say(`\n${modes.length - failed} passed, ${failed} failed`);
  return failed === 0;
}
