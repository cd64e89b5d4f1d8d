// npm run contract -- <app> [--address host:port] [--bus url] [--dependency name=host:port ...] [--only text]
// Holds any implementation of a service to its contract; without an address our own, on a PostgreSQL made for the run.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

const usage =
  'contract: npm run contract -- <app> [--address host:port] [--bus url] [--dependency name=host:port ...] [--only text]';
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    address: { type: 'string' },
    bus: { type: 'string' },
    dependency: { type: 'string', multiple: true, default: [] },
    only: { type: 'string' },
  },
});
const [app] = positionals;
if (!app || !existsSync(`apps/${app}/test/contract.spec.ts`)) {
  console.error(`${usage}\ncontract: ${app ? `${app} has no contract` : 'name an app'}`);
  process.exit(2);
}
const own = values.address === undefined;
const config = own ? `apps/${app}/jest.config.cjs` : 'libs/contract-testing/jest.remote.config.cjs';
if (!own) console.log(`contract: holding ${values.address} to the contract of ${app}`);
for (const one of values.dependency) console.log(`contract: a fake listens at ${one}`);
const args = ['-c', config, '--verbose', '--runInBand', own ? 'test/contract.spec.ts' : 'run.contract.ts'];
if (values.only) args.push('-t', values.only);
const { status } = spawnSync('node_modules/.bin/jest', args, {
  stdio: 'inherit',
  env: {
    ...process.env,
    NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
    CONTRACT_RUN: JSON.stringify({
      app,
      address: values.address,
      bus: values.bus,
      dependencies: Object.fromEntries(values.dependency.map((one) => one.split('='))),
    }),
  },
});
process.exit(status ?? 1);
