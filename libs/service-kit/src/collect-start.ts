import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const AFTER_MS = 10_000;

/**
 * Collects once, some seconds after the start, what the start has left: an engine that migrated, modules' sources. A process that
 * then has little to do would keep it for ever.
 */
export function collectStart(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as (options: { type: 'major'; flavor: 'last-resort' }) => void;
    setFlagsFromString('--no-expose-gc');
    collect({ type: 'major', flavor: 'last-resort' });
  }, AFTER_MS).unref();
}
