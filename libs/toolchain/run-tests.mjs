// All of `npm test`: the static checks and each project's tests, what starts whole platforms first.
// Ends in the line `N passed, N failed`. `npm test -- <project> ...` runs those projects' tests only.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';

/** These take long, so each is a part of its own; the longest come first, so that no long one is left alone in the end. */
const LONG = ['orders-saga', 'messaging', 'finance', 'notifier', 'gateway', 'local-platform'];
/** More than there are cores: much of their time is waiting for leases, for processes that were killed and for browsers. */
const AT_ONCE = 3;
/** A run that hangs shall end as a failure with its name; each project's tests have a shorter limit of their own. */
const LIMIT_MS = 45 * 60_000;
const only = process.argv.slice(2);
const inMemory = folderInMemory();
const environment = {
  ...process.env,
  ...(inMemory && { TMPDIR: inMemory }),
  NX_DAEMON: 'false',
  NX_TUI: 'false',
  FORCE_COLOR: '0',
  // The compiler, the linter and the bundler are written in Go: fewer collections are a tenth to a third of their CPU less.
  GOGC: '400',
  PATH: `${process.cwd()}/node_modules/.bin:${process.env.PATH}`,
};
const failures = [];
let passed = 0;

/**
 * Where tests keep their databases, where the machine has the memory for it: each is some hundred files that are made and removed,
 * for which a disk's file system takes more time than PostgreSQL for what the test does. Undefined elsewhere: the system's folder.
 */
function folderInMemory() {
  const needed = 8 * 2 ** 30;
  const all = '/dev/shm';
  if (!existsSync(all) || process.availableMemory() < 2 * needed) return undefined;
  const { bavail, bsize } = statfsSync(all);
  if (bavail * bsize < needed) return undefined;
  const clone = createHash('sha256').update(process.cwd()).digest('hex').slice(0, 16);
  const folder = `${all}/reseller-tests-${clone}`;
  // What a run that was killed has left.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  // PostgreSQL runs under an account of its own when the tests are root's.
  chmodSync(folder, 0o1777);
  return folder;
}

/** What it prints is shown as it comes; of what runs beside something else, when it ends. */
function run(title, command, args, isBeside = false) {
  if (!isBeside) console.log(`\n== ${title}`);
  const child = spawn(command, args, {
    stdio: isBeside ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    env: environment,
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  let said = '';
  for (const stream of isBeside ? [child.stdout, child.stderr] : [])
    stream.setEncoding('utf8').on('data', (text) => (said += text));
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`${title}: ${error.message}`);
      resolve(false);
    });
    child.on('close', (status) => {
      if (isBeside) console.log(`\n== ${title}\n${said}`);
      resolve(status === 0);
    });
  });
}

/** Runs parts in their order, so many at once. */
async function runAll(parts) {
  let isClean = true;
  const left = parts.values();
  const takeTurns = async () => {
    for (const part of left) isClean = (await part()) && isClean;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
  return isClean;
}

async function check(title, command, args) {
  note(title, await run(title, command, args, true));
}

function note(title, isClean) {
  if (isClean) passed += 1;
  else failures.push(title);
}

/** Tests of some projects, one after the other, or of all but some. */
const tests = (which, projects, targets = ['test']) => [
  'run-many',
  '-t',
  ...targets,
  which,
  projects.join(','),
  '--parallel=1',
  '--outputStyle=static',
  '--nxBail=false',
  '--excludeTaskDependencies',
];

/**
 * What the tests read, all of it before the first of them: without its daemon Nx takes cached outputs away and copies them back even
 * when they are right, and so one of two Nx processes would take what the other's tests are reading.
 */
const prepare = () =>
  check('what the tests read', 'nx', [
    'run-many',
    '-t',
    'generate',
    'build',
    'partners',
    '--parallel=2',
    '--outputStyle=static',
  ]);

/** What is judged without running it; without the hooks of npm, which would build what tests are reading. */
async function checkStatically() {
  await check('structure rules work', 'nx', ['run', 'toolchain:lint-canary']);
  await check('lint', 'npm', ['run', '--silent', '--ignore-scripts', 'lint']);
  await check('formatting', 'oxfmt', ['--check', '.']);
  await check('proto lint', 'buf', ['lint', 'proto']);
  await check('proto breaking changes', 'node', ['libs/toolchain/check-proto-breaking.mjs']);
  await check('API breaking changes', 'node', ['libs/toolchain/check-api-breaking.mjs']);
  await check('rules and their tests', 'node', ['libs/toolchain/check-spec.mjs']);
  await check('decisions', 'node', ['libs/toolchain/check-decisions.mjs']);
  await check('tables and their partners', 'node', ['libs/toolchain/check-partner-tables.mjs']);
  await check('imports', 'node', ['libs/toolchain/check-dependencies.mjs']);
  await check('types', 'npm', ['run', '--silent', '--ignore-scripts', 'typecheck']);
  return true;
}

/** Adds up what Jest left in reports/, one file a project. */
function countReports(ranCleanly) {
  let failedHere = 0;
  for (const file of existsSync('reports') ? readdirSync('reports') : []) {
    const report = JSON.parse(readFileSync(`reports/${file}`, 'utf8'));
    passed += report.numPassedTests;
    for (const suite of report.testResults) {
      if (suite.status === 'failed' && suite.assertionResults.every((test) => test.status !== 'failed')) {
        failures.push(`${suite.name}: ${suite.message.split('\n')[0]}`);
        failedHere += 1;
      }
      for (const test of suite.assertionResults) {
        if (test.status === 'failed') {
          failures.push(test.fullName);
          failedHere += 1;
        } else if (test.status !== 'passed') console.log(`skipped: ${test.fullName}`);
      }
    }
  }
  if (!ranCleanly && failedHere === 0) failures.push("a project's tests did not finish; see above");
}

rmSync('reports', { recursive: true, force: true });
mkdirSync('reports', { recursive: true });
let clean = true;
if (only.length > 0) {
  await prepare();
  clean = await run(`tests of ${only.join(', ')}`, 'nx', tests('-p', only, ['test', 'test-own-platform']));
} else {
  await prepare();
  const testsOf =
    (title, args, isBeside = true) =>
    () =>
      run(title, 'nx', args, isBeside);
  clean = await runAll([
    testsOf('tests on one platform', tests('-p', ['system-tests'])),
    testsOf('tests with platforms of their own', tests('-p', ['system-tests'], ['test-own-platform'])),
    checkStatically,
    testsOf('tests', tests('--exclude', ['system-tests', ...LONG]), false),
    ...LONG.map((project) => testsOf(`tests of ${project}`, tests('-p', [project]))),
  ]);
}
countReports(clean);
if (inMemory) rmSync(inMemory, { recursive: true, force: true });

if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  - ${failure}`).join('\n')}`);
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
