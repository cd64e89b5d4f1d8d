// Runs one project's tests and leaves the counts in reports/<project>.json, which the Nx cache keeps.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';

const [project, ...more] = process.argv.slice(2);
mkdirSync('reports', { recursive: true });
const result = spawnSync(
  'jest',
  [
    '-c',
    `${project}/jest.config.cjs`,
    '--passWithNoTests',
    '--json',
    `--outputFile=reports/${path.basename(project)}.json`,
    ...more,
  ],
  {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '--disable-warning=ExperimentalWarning' },
  },
);
process.exit(result.status ?? 1);
