import { setTimeout as pause } from 'node:timers/promises';
import { readMemory } from '../bench/memory';
import { readPlatformFile } from '../platform/platform-file';
import { lineOf } from './verdict';
import type { Line } from './verdict';

const EDGES = ['gateway', 'backoffice'];
/** What garbage may make of a heap that is allowed 200 MiB; what is kept for each request would be far above it. */
const GROWTH_LIMIT_MIB = 64;
const SETTLE_READS = 10;

/** Every process and the memory of the edges, as of a moment. */
interface ProcessState {
  readonly pids: Readonly<Record<string, number>>;
  readonly memory: ReadonlyMap<string, number>;
}

/** Reads it once the platform is idle: the least memory of some seconds. */
export async function readProcesses(): Promise<ProcessState> {
  const least = new Map<string, number>();
  const { pids } = readPlatformFile();
  for (let read = 0; read < SETTLE_READS; read += 1) {
    for (const [name, mib] of readMemory(readPlatformFile()))
      least.set(name, Math.min(mib, least.get(name) ?? Infinity));
    await pause(500);
  }
  return { pids, memory: least };
}

/** What the platform's processes are held to. */
export function processLines(before: ProcessState, after: ProcessState): Line[] {
  const died = (names: readonly string[]): string[] =>
    names.filter((name) => before.pids[name] !== after.pids[name]).map((name) => `${name} was started again`);
  const others = Object.keys(before.pids).filter((name) => !EDGES.includes(name));
  return [
    ...EDGES.map((name) =>
      lineOf(`pid of ${name}`, `${after.pids[name]}`, `${before.pids[name]}`, died([name])),
    ),
    lineOf(
      'pids of all others',
      `${others.length - died(others).length} the same`,
      `${others.length}`,
      died(others),
    ),
    ...EDGES.map((name) => memoryLine(name, before.memory.get(name) ?? 0, after.memory.get(name) ?? 0)),
  ];
}

function memoryLine(name: string, before: number, after: number): Line {
  const growth = after - before;
  const text = `${growth.toFixed(0)} MiB more than after the warm-up`;
  return lineOf(
    `memory of ${name}`,
    `${before.toFixed(0)} → ${after.toFixed(0)} MiB`,
    `${GROWTH_LIMIT_MIB} MiB more at most`,
    growth > GROWTH_LIMIT_MIB ? [text] : [],
  );
}
