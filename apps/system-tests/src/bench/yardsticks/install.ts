import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Installs packages from npm into a folder below the temporary one, for yardsticks that are no dependency of ours. A folder
 * that is complete is used again. Versions are exact.
 */
export function installYardstick(name: string, packages: Readonly<Record<string, string>>): string {
  const folder = path.join(tmpdir(), `reseller-yardstick-${name}-${Object.values(packages)[0]}`);
  const stamp = path.join(folder, '.complete');
  if (existsSync(stamp)) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps'];
  const windows = process.platform === 'win32';
  const { status, stderr } = spawnSync(windows ? 'npm.cmd' : 'npm', [...args, '--loglevel=error'], {
    cwd: folder,
    shell: windows,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${name} could not be installed:\n${stderr}`);
  writeFileSync(stamp, '');
  return folder;
}
