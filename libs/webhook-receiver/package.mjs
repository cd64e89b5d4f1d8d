// Makes the package that partners install, as CommonJS with types: in dist/libs/webhook-receiver, or in the folder named.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.resolve(process.argv[2] ?? path.join(here, '../../dist/libs/webhook-receiver'));
const tsc = path.join(here, '../../node_modules/typescript-native/bin/tsc');

const made = spawnSync(process.execPath, [path.join(here, 'generate.mjs')], { stdio: 'inherit' });
if (made.status !== 0) process.exit(made.status ?? 1);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const args = [tsc, '-p', path.join(here, 'tsconfig.package.json'), '--outDir', out];
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
for (const file of ['package.json', 'README.md']) cpSync(path.join(here, file), path.join(out, file));
process.exitCode = status ?? 1;
