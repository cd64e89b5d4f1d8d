import { setTimeout as pause } from 'node:timers/promises';
import { readPlatformFile, type InstanceDescription } from './platform-file';

const RESTART_LIMIT_MS = 30_000;

/** Every process of every service, as of now; a service's name first, its instances in order. */
export function allInstances(): (InstanceDescription & { service: string })[] {
  return Object.entries(readPlatformFile().instances).flatMap(([service, all]) =>
    all.map((one) => ({ ...one, service })),
  );
}

/** One instance as of now. */
export function instanceOf(name: string): InstanceDescription {
  const found = allInstances().find((one) => one.name === name);
  if (!found) throw new Error(`platform.json has no instance ${name}`);
  return found;
}

/** Sends a signal to an instance; one that has just died of something else is let be. */
export function signalInstance(name: string, signal: NodeJS.Signals): void {
  try {
    process.kill(instanceOf(name).pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Resolves when an instance runs under another pid than the given one; returns after how many milliseconds. */
export async function untilReplaced(name: string, pid: number): Promise<number> {
  const startedAt = performance.now();
  while (instanceOf(name).pid === pid) {
    if (performance.now() > startedAt + RESTART_LIMIT_MS) throw new Error(`${name} was not started again`);
    await pause(20);
  }
  return performance.now() - startedAt;
}

/** Resolves when an instance says that it is ready. */
export async function untilInstanceReady(name: string): Promise<void> {
  const until = performance.now() + RESTART_LIMIT_MS;
  for (;;) {
    const response = await fetch(`${instanceOf(name).healthUrl}/readyz`).catch(() => undefined);
    if (response?.ok) return;
    if (performance.now() > until) throw new Error(`${name} is not ready`);
    await pause(50);
  }
}
