import type { Logger } from './logger';

/** Logs an exception or rejection that nobody handled as fatal and ends the process with exit code 1. */
export function installCrashHandlers(log: Logger): void {
  const crash = (event: string) => (err: unknown) => {
    log.fatal({ err, event }, 'unhandled fault, the process ends');
    process.exit(1);
  };
  process.on('uncaughtException', crash('uncaughtException'));
  process.on('unhandledRejection', crash('unhandledRejection'));
}
