import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { PlatformDescription } from '../platform/platform-file';

const MIB = 1024;

/** Resident memory of each service's process, in MiB; PostgreSQL's many processes are left out. */
export function readMemory(platform: PlatformDescription): Map<string, number> {
  const found = new Map<string, number>();
  for (const [name, pid] of Object.entries(platform.pids)) {
    if (name === 'postgres') continue;
    found.set(name, residentKib(pid) / MIB);
  }
  return found;
}

function residentKib(pid: number): number {
  const status = `/proc/${pid}/status`;
  if (existsSync(status)) return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(status, 'utf8'))?.[1]);
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim());
}
