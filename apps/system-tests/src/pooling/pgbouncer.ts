import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { readPlatformFile } from '../platform/platform-file';
import type { Dependency } from '../scale/faults';

/** Where Debian's package has it. */
export const PGBOUNCER = '/usr/sbin/pgbouncer';

/** Why nothing can be tried through PgBouncer here; undefined where it can. */
export const pgbouncerMissing = (): string | undefined =>
  existsSync(PGBOUNCER) ? undefined : "no pgbouncer of Debian's here";

const pidNow = (): number => readPlatformFile().pids['pgbouncer'] ?? 0;
const signal = (name: NodeJS.Signals): Promise<void> => {
  process.kill(pidNow(), name);
  return Promise.resolve();
};
const nothing = (): Promise<void> => Promise.resolve();

/** What befalls the PgBouncer of the platform: it dies, it stands still, it reads its configuration again. */
export function poolerFaults(): Dependency[] {
  let killed = 0;
  return [
    {
      name: 'PgBouncer, killed,',
      kill: () => {
        killed = pidNow();
        return signal('SIGKILL');
      },
      start: async () => {
        while (pidNow() === killed) await pause(20);
      },
    },
    { name: 'PgBouncer, standing still,', kill: () => signal('SIGSTOP'), start: () => signal('SIGCONT') },
    { name: 'PgBouncer, reloaded,', kill: () => signal('SIGHUP'), start: nothing },
  ];
}
