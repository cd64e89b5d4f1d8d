import { setTimeout as pause } from 'node:timers/promises';
import { readPlatformFile } from './platform-file';

const RESTART_LIMIT_MS = 15_000;

/** Kills a service with SIGKILL and resolves once platform.json has the pid of its successor. */
export async function killService(name: string): Promise<void> {
  const pid = pidOf(name);
  process.kill(pid, 'SIGKILL');
  const until = performance.now() + RESTART_LIMIT_MS;
  while (pidOf(name) === pid) {
    if (performance.now() > until) throw new Error(`${name} was not started again`);
    await pause(20);
  }
}

/** Runs `work` while a service stands still; it goes on afterwards whatever happened. */
export async function whileStopped<T>(name: string, work: () => Promise<T>): Promise<T> {
  const pid = pidOf(name);
  process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

/** The pid of a service as of now. */
export function pidOf(name: string): number {
  const pid = readPlatformFile().pids[name];
  if (pid === undefined) throw new Error(`platform.json has no pid of ${name}`);
  return pid;
}
