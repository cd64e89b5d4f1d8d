import { say, warn } from './console';
import { openDataDirectory } from './data-directory';
import { greet } from './greeting';
import { watchNpm } from './npm-watch';
import { Platform } from './platform';
import { readSettings, StartRefused } from './settings';

/** Long enough for each stage of the stop to use its own limit; beyond it something is badly stuck. */
const STOP_LIMIT_MS = 45_000;
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Brings the platform up and keeps it up until a signal or the end of the console; throws when it cannot start. */
export async function runPlatform(bundle: string): Promise<void> {
  const startedAt = Date.now();
  const settings = readSettings();
  const data = await openDataDirectory(settings.dataDirectory);
  const platform = new Platform(bundle, settings, data);
  stopOnSignals(platform);
  try {
    const description = await platform.start();
    if (description) greet(description, data, Date.now() - startedAt);
  } catch (error) {
    await platform.stop();
    throw isOfFiles(error)
      ? new StartRefused(
          `${data.root} cannot be used (${error.message}): make room in it, or set PLATFORM_DATA_DIR to a directory of yours`,
        )
      : error;
  }
}

const OF_FILES = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EISDIR', 'ENOTDIR']);
const isOfFiles = (error: unknown): error is NodeJS.ErrnoException =>
  OF_FILES.has((error as NodeJS.ErrnoException).code ?? '');

function stopOnSignals(platform: Platform): void {
  let requests = 0;
  const onSignal = (): void => {
    requests += 1;
    // A second Ctrl-C means now: the children end by themselves when their channel closes.
    if (requests > 1) process.exit(1);
    say('stopping …');
    setTimeout(() => {
      warn('some processes did not stop in time and were left to end by themselves');
      process.exit(1);
    }, STOP_LIMIT_MS).unref();
    platform.stop().then(
      () => {
        say('stopped; the data is kept for the next start');
        process.exit(0);
      },
      (error: unknown) => {
        warn(`the stop failed: ${String(error)}`);
        process.exit(1);
      },
    );
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  watchNpm(onSignal);
  // A test or a drill that starts it by a channel may die without a word; by Ctrl-C both end, and that is one request.
  process.once('disconnect', () => {
    if (requests === 0) onSignal();
  });
}
