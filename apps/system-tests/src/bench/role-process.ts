import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

/** A server of the benchmark in a process of its own. */
export interface RoleProcess {
  readonly url: string;
  readonly pid: number;
  readonly child: ChildProcess;
  stop(): void;
}

/** Starts this bundle in a role, gives it its plan, and waits for its port; it ends with `stop` or with this process. */
export async function startRole(role: string, plan: object = {}): Promise<RoleProcess> {
  const child = fork(__filename, [role]);
  child.send(plan);
  const port = await nextMessage<number>(child);
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    child,
    stop: () => void child.kill(),
  };
}

/** Runs this bundle in a role that ends by itself, and returns what it found. */
export function runRole<T>(role: string, plan: object): Promise<T> {
  const child = fork(__filename, [role]);
  child.send(plan);
  return nextMessage<T>(child);
}

/** The next message of a process; rejects when it ends instead. */
export function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`a process ended early (exit ${code})`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as T);
    });
  });
}
