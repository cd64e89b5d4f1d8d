// Installs what package-lock.json requests. The lock file names no address, so that any registry serves it, and for that npm reads the
// document of each package first: a third of its time. Registries keep the archives at one kind of address, so a copy of the lock file
// names those; where one of them leads nowhere, npm looks up all, as ever. What an archive must hold stays in both (`integrity`).
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

const isWindows = process.platform === 'win32';

/** The lock file with the address of each archive in this registry. */
export function withAddresses(lockText, registry) {
  const lock = JSON.parse(lockText);
  for (const [place, entry] of Object.entries(lock.packages)) {
    if (place === '' || entry.link || entry.resolved || !entry.version) continue;
    const name = entry.name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const file = `${name.slice(name.indexOf('/') + 1)}-${entry.version}.tgz`;
    entry.resolved = `${registry.replace(/\/$/, '')}/${name}/-/${file}`;
  }
  return JSON.stringify(lock);
}

/** Makes node_modules what the lock file requests and returns how npm ended; what it has to say of that is on the console. `env` is npm's. */
export function installPackages(root, env) {
  const npm = (args, cwd, stdio) =>
    spawnSync(isWindows ? 'npm.cmd' : 'npm', args, { cwd, stdio, encoding: 'utf8', shell: isWindows, env });
  const install = (cwd, stdio) => npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], cwd, stdio);

  const registry = npm(['config', 'get', 'registry'], root, 'pipe').stdout?.trim();
  // On the file system of node_modules, so that it becomes that by one rename.
  const copy = path.join(root, 'dist/install');
  const remove = (folder) => rmSync(folder, { recursive: true, force: true });
  remove(copy);
  mkdirSync(copy, { recursive: true });
  for (const file of ['package.json', '.npmrc'])
    if (existsSync(path.join(root, file))) copyFileSync(path.join(root, file), path.join(copy, file));
  const lockText = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  writeFileSync(path.join(copy, 'package-lock.json'), withAddresses(lockText, registry));
  const quick = registry ? install(copy, ['ignore', 'inherit', 'pipe']) : undefined;
  if (quick?.status === 0) {
    remove(path.join(root, 'node_modules'));
    renameSync(path.join(copy, 'node_modules'), path.join(root, 'node_modules'));
  }
  remove(copy);
  if (quick?.status === 0) return quick;
  // It need not be the addresses: where the network or the disk fails, npm says it once more.
  const [why = 'npm did not start'] = quick?.stderr?.trim().split('\n') ?? [];
  process.stdout.write(`setup: not by the usual addresses (${why}); npm looks up each package …\n`);
  return install(root, 'inherit');
}
