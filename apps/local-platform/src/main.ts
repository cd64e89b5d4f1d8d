import { warn } from './console';
import { keepPostgres } from './postgres/keeper';
import { KEEPER_ARGUMENT } from './processes/postgres-plan';
import { runPlatform } from './run-platform';
import { StartRefused } from './settings';

async function main([role, directory, port]: string[]): Promise<void> {
  if (role === KEEPER_ARGUMENT && directory && port) return keepPostgres(directory, Number(port));
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
