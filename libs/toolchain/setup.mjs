// Makes a clone ready to run: installs what package-lock.json requests, then generates and builds what is out
// of date. Runs before `npm start` and `npm test`, on whatever Node.js the machine has, so it uses nothing
// but Node.js itself; when nothing changed it only compares two fingerprints.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from './install-packages.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const installStamp = path.join(root, 'node_modules/.installed-lock');
const buildStamp = path.join(root, 'dist/.built-inputs');

/** Neither reaches a bundle: written by the build itself, or never read by it. */
const ignoredFolders = new Set(['node_modules', 'dist', 'gen', 'generated', 'coverage', 'test', '.local']);
const ignoredFiles = /\.(md|spec\.ts)$/;
const rootInputs = ['package-lock.json', 'package.json', 'nx.json', 'tsconfig.base.json'];

const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const readOr = (file, fallback) => (existsSync(file) ? readFileSync(file, 'utf8') : fallback);
const say = (text) => process.stdout.write(`setup: ${text}\n`);

function fail(text) {
  process.stderr.write(`setup: ${text}\n`);
  process.exit(1);
}

function folders(parent) {
  const directory = path.join(root, parent);
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(directory, entry.name));
}

/** True when every package that this machine should have is there in the version the lock file names. */
function isInstalled(lockText) {
  if (readOr(installStamp, '') === sha256(lockText)) return true;
  const hidden = readOr(path.join(root, 'node_modules/.package-lock.json'), '');
  if (!hidden) return false;
  const present = JSON.parse(hidden).packages ?? {};
  const wanted = Object.entries(JSON.parse(lockText).packages ?? {}).filter(([name]) => name !== '');
  const extra = Object.keys(present).some((name) => !wanted.some(([other]) => other === name));
  // Optional packages of other platforms are in the lock file but rightly absent here.
  const missing = wanted.some(([name, entry]) => {
    const found = present[name];
    return found ? found.version !== entry.version : !entry.optional && !entry.peer;
  });
  return !extra && !missing;
}

function install() {
  const lockText = readOr(path.join(root, 'package-lock.json'), '');
  if (!lockText) fail('package-lock.json is missing; restore it from version control');
  if (!isInstalled(lockText)) {
    say('installing packages (npm ci) …');
    const result = installPackages(root, { ...process.env, ...prismaOffline });
    if (result.error)
      fail(`npm could not be started (${result.error.message}); install Node.js 20 or later with npm`);
    if (result.status !== 0)
      fail('npm ci failed, see above; with the registry reachable, run the same command again');
  }
  writeFileSync(installStamp, sha256(lockText));
}

/** Prisma's commands look for a schema engine and would download one; any executable that exists ends the look. */
const prismaOffline = {
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  PRISMA_SKIP_POSTINSTALL_GENERATE: '1',
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  CHECKPOINT_DISABLE: '1',
  SCARF_ANALYTICS: 'false',
};

function collectInputs(directory, into) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) {
      if (!ignoredFolders.has(entry.name)) collectInputs(file, into);
    } else if (!ignoredFiles.test(entry.name)) {
      const { size, mtimeMs } = statSync(file);
      into.push(`${path.relative(root, file)} ${size} ${mtimeMs}`);
    }
  }
}

function inputsFingerprint() {
  const inputs = [];
  for (const name of ['apps', 'libs', 'proto']) collectInputs(path.join(root, name), inputs);
  for (const name of rootInputs) inputs.push(`${name} ${sha256(readOr(path.join(root, name), ''))}`);
  return sha256(inputs.sort().join('\n'));
}

function outputsExist() {
  const bundles = folders('apps')
    .filter((app) => existsSync(path.join(app, 'src/main.ts')))
    .map((app) => path.join(root, 'dist/apps', path.basename(app), 'main.js'));
  const pages = folders('apps')
    .filter((app) => existsSync(path.join(app, 'index.html')))
    .map((app) => path.join(root, 'dist/apps', path.basename(app), 'index.html'));
  const clients = folders('apps')
    .filter((app) => existsSync(path.join(app, 'prisma/schema.prisma')))
    .map((app) => path.join(app, 'src/generated'));
  return [...bundles, ...pages, ...clients, path.join(root, 'libs/contracts/src/gen')].every((output) =>
    existsSync(output),
  );
}

function build() {
  // Taken before the build, so that a file saved while it runs is seen as a change next time.
  const fingerprint = inputsFingerprint();
  if (readOr(buildStamp, '') === fingerprint && outputsExist()) return;
  say('generating and building what changed …');
  const bin = path.join(root, 'node_modules/.bin');
  const result = spawnSync('nx', ['run-many', '-t', 'generate', 'build', '--outputStyle=static'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    shell: process.platform === 'win32',
    env: {
      ...process.env,
      ...prismaOffline,
      PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}`,
      NX_DAEMON: 'false',
      NX_NO_CLOUD: 'true',
      NX_TUI: 'false',
    },
  });
  if (result.status !== 0 || !outputsExist()) {
    process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}\n`);
    fail('the build failed, see above');
  }
  prepareCluster(bin);
  mkdirSync(path.dirname(buildStamp), { recursive: true });
  writeFileSync(buildStamp, fingerprint);
}

/** Migrates once what each new data directory then begins with; without it a first start does that by itself, some seconds later. */
function prepareCluster(bin) {
  const platform = path.join(root, 'dist/apps/local-platform/main.js');
  const result = spawnSync(path.join(bin, 'node'), [platform, 'prepare-cluster'], { encoding: 'utf8' });
  if (result.status !== 0)
    say(
      `first starts will be slower, no cluster could be prepared: ${result.stderr ?? result.error?.message}`,
    );
}

const major = Number(process.versions.node.split('.')[0]);
if (major < 20) fail(`Node.js 20 or later is needed, this is ${process.versions.node}`);
install();
build();
