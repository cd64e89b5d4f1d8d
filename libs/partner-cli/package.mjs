// Makes the command line that partners install: one file with all it needs in it, in dist/libs/partner-cli, or in the folder named.
import { buildSync } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.resolve(process.argv[2] ?? path.join(here, '../../dist/libs/partner-cli'));

const made = spawnSync(process.execPath, [path.join(here, '../partner-client/generate.mjs')], {
  stdio: 'inherit',
});
if (made.status !== 0) process.exit(made.status ?? 1);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
buildSync({
  entryPoints: [path.join(here, 'src/main.ts')],
  outfile: path.join(out, 'reseller.js'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  tsconfig: path.join(here, '../../tsconfig.base.json'),
  banner: { js: '#!/usr/bin/env node' },
  logLevel: 'warning',
});
chmodSync(path.join(out, 'reseller.js'), 0o755);
for (const file of ['package.json', 'README.md']) cpSync(path.join(here, file), path.join(out, file));
