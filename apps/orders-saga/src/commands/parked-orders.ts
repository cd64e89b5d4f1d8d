import { runParkedOrdersCommand } from '../operations/parked-orders-command';

void runParkedOrdersCommand({
  args: process.argv.slice(2),
  env: process.env,
  say: (line) => void process.stdout.write(`${line}\n`),
  complain: (line) => void process.stderr.write(`${line}\n`),
}).then((code) => {
  process.exitCode = code;
});
