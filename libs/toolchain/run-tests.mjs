// All of `npm test`: the static checks, then each project's tests, then what starts whole platforms.
// Ends in the line `N passed, N failed`. `npm test -- <project> ...` runs those projects' tests only.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';

/** These start whole platforms, so they run after the rest. */
const wholePlatform = ['local-platform', 'system-tests'];
/** A run that hangs shall end as a failure with its name; each project's tests have a shorter limit of their own. */
const LIMIT_MS = 45 * 60_000;
const only = process.argv.slice(2);
const environment = {
  ...process.env,
  NX_DAEMON: 'false',
  NX_TUI: 'false',
  FORCE_COLOR: '0',
  PATH: `${process.cwd()}/node_modules/.bin:${process.env.PATH}`,
};
const failures = [];
let passed = 0;

function run(title, command, args) {
  console.log(`\n== ${title}`);
  const result = spawnSync(command, args, {
    stdio: 'inherit',
    env: environment,
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  if (result.error) console.error(`${title}: ${result.error.message}`);
  return result.status === 0;
}

function check(title, command, args) {
  note(title, run(title, command, args));
}

/** The same beside what runs meanwhile; what it says is shown when it ends. */
function checkBeside(title, command, args) {
  const child = spawn(command, args, { env: environment, timeout: LIMIT_MS, killSignal: 'SIGKILL' });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (said += text));
  return new Promise((resolve) => {
    child.on('error', (error) => (said += error.message));
    child.on('close', (status) => {
      console.log(`\n== ${title}\n${said}`);
      note(title, status === 0);
      resolve();
    });
  });
}

function note(title, isClean) {
  if (isClean) passed += 1;
  else failures.push(title);
}

function nx(targets, projects, parallel) {
  return [
    'run-many',
    '-t',
    ...targets,
    ...(projects.length > 0 ? ['-p', projects.join(',')] : ['--exclude', wholePlatform.join(',')]),
    `--parallel=${parallel}`,
    '--outputStyle=static',
    '--nxBail=false',
  ];
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
  clean = run(`tests of ${only.join(', ')}`, 'nx', nx(['test'], only, 1));
} else {
  check('structure rules work', 'nx', ['run', 'toolchain:lint-canary']);
  // The longest of them takes one core.
  const lint = checkBeside('lint', 'npm', ['run', '--silent', 'lint']);
  check('formatting', 'prettier', ['--check', '--log-level', 'warn', '.']);
  check('proto lint', 'buf', ['lint', 'proto']);
  check('proto breaking changes', 'node', ['libs/toolchain/check-proto-breaking.mjs']);
  check('API breaking changes', 'node', ['libs/toolchain/check-api-breaking.mjs']);
  check('rules and their tests', 'node', ['libs/toolchain/check-spec.mjs']);
  check('decisions', 'node', ['libs/toolchain/check-decisions.mjs']);
  check('tables and their partners', 'node', ['libs/toolchain/check-partner-tables.mjs']);
  check('imports', 'node', ['libs/toolchain/check-dependencies.mjs']);
  check('types', 'npm', ['run', '--silent', 'typecheck']);
  await lint;
  // More at once than there are cores: much of their time is waiting for leases and for processes that were killed.
  clean = run('tests', 'nx', nx(['test'], [], 3)) && clean;
  clean = run('tests of the whole platform', 'nx', nx(['test'], wholePlatform, 2)) && clean;
}
countReports(clean);

if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  - ${failure}`).join('\n')}`);
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
