import { fork } from 'node:child_process';
import { runLoad, type LoadPlan, type Sample } from './load';

/** The argument that makes this bundle the process that sends the load. */
export const LOAD_ROLE = 'overload-load';

/** Sends what each message plans and responds with its samples; ends with its parent. */
export function serveLoad(): void {
  process.on('message', (plan: LoadPlan) => void runLoad(plan).then((samples) => process.send?.(samples)));
  process.once('disconnect', () => process.exit(0));
}

/** The process that sends. */
export interface LoadProcess {
  readonly pid: number;
  run(plan: LoadPlan): Promise<Sample[]>;
  stop(): void;
}

/** A process of its own for the load, so that what is measured does not wait for who measures it. */
export function startLoadProcess(): LoadProcess {
  const child = fork(__filename, [LOAD_ROLE], { serialization: 'advanced' });
  return {
    pid: child.pid ?? 0,
    run: (plan) =>
      new Promise((resolve, reject) => {
        const fail = (code: number | null): void => reject(new Error(`the load ended early (exit ${code})`));
        child.once('exit', fail);
        child.once('message', (samples) => {
          child.off('exit', fail);
          resolve(samples as Sample[]);
        });
        child.send(plan);
      }),
    stop: () => void child.kill(),
  };
}
