import { say } from '../bench/measure';

/** Says what did not hold in each part of a drill, and the last line, `N passed, N failed`; returns whether all of it held. */
export function sayFaults(parts: Readonly<Record<string, readonly string[]>>): boolean {
  for (const [part, faults] of Object.entries(parts)) {
    for (const fault of faults.slice(0, 20)) say(`  FAULT ${fault}`);
    if (faults.length > 20) say(`  … and ${faults.length - 20} more`);
    say(`${part} ${faults.length === 0 ? 'passed' : 'failed'}`);
  }
  const failed = Object.values(parts).filter((faults) => faults.length > 0).length;
  say(`\n${Object.keys(parts).length - failed} passed, ${failed} failed`);
  return failed === 0;
}
