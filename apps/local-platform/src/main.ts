import { warn } from './console';
import { POOLER_ARGUMENT, supervisePgbouncer } from './pooler/pooler';
import { supervisePostgres } from './postgres/supervisor';
import { PREPARE_ARGUMENT, prepareCluster } from './prepared/prepare-cluster';
import { SUPERVISOR_ARGUMENT } from './processes/postgres-plan';
import { runPlatform } from './run-platform';
import { StartRefused } from './settings';

async function main([role, directory, port]: string[]): Promise<void> {
  if (role === SUPERVISOR_ARGUMENT && directory && port) return supervisePostgres(directory, Number(port));
  if (role === POOLER_ARGUMENT && directory && port) return supervisePgbouncer(directory, Number(port));
  if (role === PREPARE_ARGUMENT) return prepareCluster(__filename);
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
