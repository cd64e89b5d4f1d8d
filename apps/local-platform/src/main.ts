import { enableCompileCache } from 'node:module';
import { warn } from './console';
import { ROLES } from './roles';
import { StartRefused } from './settings';

// Compiled code is kept between starts. By the variable the processes keep also that of their own bundles, which are compiled before
// they could ask for it.
process.env['NODE_COMPILE_CACHE'] ??= enableCompileCache().directory;

/** Each role loads what it needs and no more: a keeper stands between a start and its server. */
async function main([role, directory, port]: string[]): Promise<void> {
  if (role === ROLES.keepPostgres && directory && port) {
    const { supervisePostgres } = await import('./postgres/supervisor');
    return supervisePostgres(directory, Number(port));
  }
  if (role === ROLES.keepPgbouncer && directory && port) {
    const { supervisePgbouncer } = await import('./pooler/pooler');
    return supervisePgbouncer(directory, Number(port));
  }
  if (role === ROLES.prepareCluster) {
    const { prepareCluster } = await import('./prepared/prepare-cluster');
    return prepareCluster(__filename);
  }
  const { runPlatform } = await import('./run-platform');
  return runPlatform(__filename);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  warn(
    error instanceof StartRefused
      ? error.message
      : `cannot start: ${(error as Error).stack ?? String(error)}`,
  );
  process.exit(1);
});
