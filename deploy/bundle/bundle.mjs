// Makes what the image of an app holds, without Docker: `npm run bundle -- <app>` leaves it in dist/bundles/<app>.
// The Dockerfile runs the same script, so what is tested here is what is shipped (deploy/README.md).
//   --out <folder>   somewhere else
//   --link           packages as hard links out of this clone's node_modules instead of `npm ci`: fast, and no network
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packageOf, pruneLock } from './prune-lock.mjs';
import { sbomOf } from './sbom.mjs';
import { isKept, trimPackages } from './trim.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, link: { type: 'boolean', default: false } },
});
const [app] = positionals;
const built = path.join(root, 'dist/apps', app ?? '');
if (!app || !existsSync(path.join(built, 'packages.json'))) {
  console.error(
    `bundle: dist/apps/${app ?? '<app>'} is not built; name an app, and build it first (node libs/toolchain/setup.mjs)`,
  );
  process.exit(1);
}
const out = path.resolve(options.out ?? path.join(root, 'dist/bundles', app));

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

/** Packages as hard links, or copies where the file system is another one. */
function linkPackages(places) {
  for (const place of places) linkFolder(place);
}

function linkFolder(relative) {
  for (const entry of readdirSync(path.join(root, relative), { withFileTypes: true })) {
    const within = `${relative}/${entry.name}`;
    // Packages below this one have places of their own in the lock file.
    if (entry.isDirectory() && entry.name !== 'node_modules') linkFolder(within);
    else if (entry.isFile() && isKept(within)) linkOrCopy(path.join(root, within), path.join(out, within));
  }
}

function linkOrCopy(source, target) {
  mkdirSync(path.dirname(target), { recursive: true });
  try {
    linkSync(source, target);
  } catch (error) {
    if (error.code !== 'EXDEV') throw error;
    cpSync(source, target);
  }
}

function installPackages() {
  const args = [
    'ci',
    '--omit=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--loglevel=error',
  ];
  const result = spawnSync('npm', args, { cwd: out, stdio: 'inherit', shell: process.platform === 'win32' });
  if (result.status !== 0) {
    console.error('bundle: npm ci failed, see above');
    process.exit(1);
  }
}

/** What an image shows of the documentation: what partners read. How the platform is run and guarded is nothing for its public address. */
function addPartnersSite() {
  const built = spawnSync(process.execPath, ['apps/docs-site/build-site.mjs', 'partners'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (built.status !== 0) {
    console.error(`bundle: the documentation was not built\n${built.stdout}${built.stderr}`);
    process.exit(1);
  }
  cpSync(path.join(root, 'dist/partners-site'), path.join(out, 'assets/site'), {
    recursive: true,
    filter: (source) => path.basename(source) !== '.inputs',
  });
}

/** Every file below a folder, as paths within it. */
function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** One date for all of it, so that what did not change makes the same layer again. */
function setDates() {
  const day = new Date('2020-01-01T00:00:00Z');
  for (const entry of readdirSync(out, { recursive: true, withFileTypes: true }))
    lutimesSync(path.join(entry.parentPath, entry.name), day, day);
}

const lock = readJson(path.join(root, 'package-lock.json'));
const names = [...new Set(readJson(path.join(built, 'packages.json')).map(packageOf))];
const pruned = pruneLock({
  lock,
  names,
  app,
  version: readJson(path.join(root, 'package.json')).version,
});

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
// Source maps stay behind: they carry the sources, and the bundle keeps its names and lines.
cpSync(built, out, {
  recursive: true,
  filter: (source) => !source.endsWith('.map') && source !== path.join(built, 'packages.json'),
});
if (app === 'gateway') addPartnersSite();
writeJson(path.join(out, 'package.json'), pruned.manifest);
writeJson(path.join(out, 'package-lock.json'), pruned.lock);
writeJson(path.join(out, 'sbom.cdx.json'), sbomOf(out, app, lock));
if (options.link) linkPackages(Object.keys(pruned.lock.packages).filter((place) => place !== ''));
else {
  installPackages();
  trimPackages(path.join(out, 'node_modules'));
  setDates();
}

const files = filesBelow(out);
const size = (list) => list.reduce((sum, file) => sum + statSync(path.join(out, file)).size, 0);
const megabytes = (list) => `${(size(list) / 1_000_000).toFixed(1)} MB`;
const own = files.filter((file) => !file.startsWith('node_modules'));
for (const file of own) console.log(file);
console.log(
  `${app}: ${own.length} files of its own (${megabytes(own)}), ${Object.keys(pruned.lock.packages).length - 1} packages, ` +
    `${files.length} files in all, ${megabytes(files)}, in ${path.relative(process.cwd(), out)}`,
);
