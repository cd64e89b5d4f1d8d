import { parseOptions } from './bench/options';
import { runBench } from './bench/run-bench';
import { serveYardstick, YARDSTICK_ROLE } from './bench/express-yardstick';

async function main([role, ...rest]: string[]): Promise<void> {
  if (role === YARDSTICK_ROLE) return serveYardstick();
  return runBench(parseOptions(role === undefined ? [] : [role, ...rest]));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
