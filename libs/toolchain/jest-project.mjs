// Runs one project's tests and leaves the counts in reports/<project>.json, which the Nx cache keeps; or those of another of its
// configurations: `jest-project.mjs <folder> <name>` runs jest.<name>.config.cjs and leaves reports/<project>.<name>.json.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { writeTestGroups } from './test-groups.mjs';

/** Twice what the longest project needs on a busy machine: whatever hangs becomes a failure that names the project. */
const LIMIT_MINUTES = 40;

const [project, name] = process.argv.slice(2);
const part = name === undefined ? '' : `.${name}`;
const report = `reports/${path.basename(project)}${part}.json`;
mkdirSync('reports', { recursive: true });
rmSync(report, { force: true });
const configFile = path.resolve(project, `jest${part}.config.cjs`);
const jest = spawn(
  'jest',
  [
    '-c',
    configFile,
    ...groups(createRequire(import.meta.url)(configFile)),
    '--passWithNoTests',
    '--json',
    `--outputFile=${report}`,
    // A failed test may leave a server or a socket open, and then Jest would wait for it for ever.
    '--forceExit',
  ],
  {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '--disable-warning=ExperimentalWarning' },
    // A process group of its own, so that a stop reaches what the tests have started as well.
    detached: true,
  },
);

/** Arguments that have the files of a service run in groups: not those of a library, of which some are about what is global to a process. */
function groups(config) {
  if (name !== undefined || config.testSequencer || !project.startsWith('apps/')) return [];
  const folder = path.resolve('dist/test-groups', path.basename(project));
  return writeTestGroups(config.rootDir, folder)
    ? ['--roots', config.rootDir, folder, '--testMatch', `${folder}/*.spec.cjs`, '--verbose=false']
    : [];
}

let lastWords = '';
jest.stderr.setEncoding('utf8').on('data', (text) => {
  process.stderr.write(text);
  lastWords = `${lastWords}${text}`.slice(-2_000);
});

function stop(signal) {
  try {
    process.kill(-jest.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

setTimeout(() => {
  console.error(
    `${project}${part}: its tests did not end within ${LIMIT_MINUTES} minutes; the suite after the last one above hangs`,
  );
  stop('SIGKILL');
}, LIMIT_MINUTES * 60_000).unref();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal));
jest.once('error', (error) => {
  console.error(`${project}${part}: Jest did not start: ${error.message}`);
  process.exit(1);
});
jest.once('exit', () => {
  // What a failed test left running would keep the pipes open.
  stop('SIGKILL');
});
jest.once('close', (status) => {
  // So that the sum of all projects names the one that did not get to its end.
  if (!existsSync(report)) {
    const message = `Jest ended (${status ?? 'killed'}) without a report. Its last words: ${lastWords.trim().replaceAll('\n', ' | ')}`;
    const suite = { name: `${project}${part}`, status: 'failed', message, assertionResults: [] };
    writeFileSync(report, JSON.stringify({ numPassedTests: 0, testResults: [suite] }));
  }
  process.exit(status ?? 1);
});
