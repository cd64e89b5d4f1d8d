import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

const prlimit = (...args: string[]) =>
  spawnSync('prlimit', ['--pid', String(process.pid), ...args], { encoding: 'utf8' });

/** Why this machine cannot limit a running process; undefined where it can. */
export const cannotLimit = prlimit().status === 0 ? undefined : 'no prlimit of util-linux here';

/** Leaves this process no descriptor until the function that it returns is called. */
export function takeAllDescriptors(): () => void {
  const before = prlimit('--nofile', '--output=SOFT', '--noheadings').stdout.trim();
  // New ones get the lowest free number: once these are open, all below the last is taken.
  const held = Array.from({ length: 64 }, () => openSync(devNull, 'r'));
  prlimit(`--nofile=${Math.max(...held) + 1}:`);
  return () => {
    held.forEach(closeSync);
    prlimit(`--nofile=${before}:`);
  };
}
