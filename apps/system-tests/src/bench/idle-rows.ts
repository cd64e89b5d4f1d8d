import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { CostSubject, newCost } from './cost/cost-subject';
import { renderCosts } from './cost/cost-table';
import { doNothing, perSecond } from './cost/idle';
import { say } from './measure';
import type { BenchRow } from './report';

const CORE_LIMIT = 0.03;
const MEMORY_LIMIT_MIB = 700;
/** What a start leaves to do is done by then, a round of autovacuum through what was seeded included. */
const SETTLE_MS = 120_000;
const IDLE_S = 20;

/** What a platform costs that nobody uses: CPU of all its processes, and their memory, shared pages counted once. */
export async function benchIdle(): Promise<BenchRow[]> {
  const subject = await CostSubject.start();
  try {
    say('leaving a platform alone …');
    await pause(SETTLE_MS);
    const cost = newCost();
    await subject.count();
    await subject.measure(doNothing, IDLE_S, cost);
    await subject.count(cost);
    const idle = perSecond(cost);
    say(`\n${renderCosts('Idle, each second', ['this'], [idle])}\n`);
    const cpuMs = [...cost.cpuMs.values()].reduce((sum, ms) => sum + ms, 0);
    const core = cpuMs / cost.measuredMs;
    const memory = await subject.memoryMib(proportionalMib);
    const total = [...memory.values()].reduce((sum, mib) => sum + mib, 0);
    return [
      idleRow('CPU', `≤ ${CORE_LIMIT * 100} % of a core`, core * 100, '% of a core', core <= CORE_LIMIT),
      {
        ...idleRow('memory', `≤ ${MEMORY_LIMIT_MIB} MiB`, total, 'MiB', total <= MEMORY_LIMIT_MIB),
        note: [...memory].map(([name, mib]) => `${name} ${Math.round(mib)}`).join(', '),
      },
    ];
  } finally {
    await subject.stop();
  }
}

function idleRow(what: string, target: string, measured: number, unit: string, isReached: boolean): BenchRow {
  return {
    work: `Idle, everything up: ${what}`,
    target,
    measured,
    unit,
    yardstick: null,
    ratio: null,
    isReached,
    note: '',
  };
}

/** Memory of a process in which a page that several share counts as a share (Pss). */
function proportionalMib(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1_024;
  } catch {
    return 0;
  }
}
