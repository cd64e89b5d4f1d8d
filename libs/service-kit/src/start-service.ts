import type { z } from 'zod';
import { collectStart } from './collect-start';
import { ConfigError } from './config';
import { installCrashHandlers } from './crash-handlers';
import { createLogger } from './logger';
import { watchParent } from './parent-watch';
import { runService, type RunningService, type ServiceOptions } from './run-service';

/**
 * All of a service's main.ts: brings it up, says {event:'ready'} in the log and to a parent process, and stops it with
 * its work drained on SIGTERM, SIGINT or when its parent is gone. A bad configuration prints its lines and exits 1.
 */
export async function startService<S extends z.ZodObject>(options: ServiceOptions<S>): Promise<void> {
  installCrashHandlers(createLogger({ name: options.name, level: 'info' }));
  let running: RunningService | undefined;
  let stopping = false;
  const shutDown = (reason: string): void => {
    // Nothing is served yet: whatever the start has done so far is safe to be cut off.
    if (!running) process.exit(0);
    if (stopping) return;
    stopping = true;
    void stopAndExit(running, reason);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => shutDown(signal));
  watchParent(() => shutDown('parent gone'));
  try {
    running = await runService(options);
  } catch (error) {
    failStart(options.name, error);
    return;
  }
  const { grpcPort, httpPort, appPort } = running;
  const ready = { event: 'ready', grpcPort, httpPort, appPort };
  running.log.info(ready, 'ready');
  process.send?.(ready);
  collectStart();
}

function failStart(name: string, error: unknown): void {
  if (error instanceof ConfigError) {
    for (const line of error.lines) process.stderr.write(`${name}: ${line}\n`);
  } else {
    createLogger({ name, level: 'info' }).fatal({ err: error }, 'cannot start');
  }
  process.exit(1);
}

// Beyond the drain's own grace, for parts that hang while closing.
const CLOSING_MS = 5_000;

async function stopAndExit(running: RunningService, reason: string): Promise<void> {
  running.log.info({ reason }, 'stopping');
  setTimeout(() => {
    running.log.fatal('did not stop in time');
    process.exit(1);
  }, running.graceMs + CLOSING_MS).unref();
  await running.stop();
  running.log.info({ event: 'stopped' }, 'stopped');
  process.exit(0);
}
