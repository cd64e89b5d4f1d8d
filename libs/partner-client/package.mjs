// Makes the package that partners install, for import and for require, with types: in dist/libs/partner-client, or in the
// folder named. What it is built on is bundled in, so that it brings no dependency along.
import { buildSync } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.resolve(process.argv[2] ?? path.join(here, '../../dist/libs/partner-client'));

/** Runs one step, and ends with its status when it failed. */
function run(script, ...args) {
  const { status } = spawnSync(process.execPath, [script, ...args], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

run(path.join(here, 'generate.mjs'));
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
run(path.join(here, '../webhook-receiver/package.mjs'), path.join(out, 'webhooks'));
for (const name of ['package.json', 'README.md']) rmSync(path.join(out, 'webhooks', name));
const tsc = path.join(here, '../../node_modules/typescript-native/bin/tsc');
run(tsc, '-p', path.join(here, 'tsconfig.package.json'), '--outDir', path.join(out, 'types'));
for (const [format, file] of [
  ['cjs', 'index.js'],
  ['esm', 'index.mjs'],
])
  buildSync({
    entryPoints: [path.join(here, 'src/index.ts')],
    outfile: path.join(out, file),
    bundle: true,
    minifySyntax: true,
    format,
    target: 'es2022',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    logLevel: 'warning',
  });
for (const file of ['index.d.ts', 'index.d.mts'])
  writeFileSync(path.join(out, file), "export * from './types/index.js';\n");
for (const file of ['package.json', 'README.md']) cpSync(path.join(here, file), path.join(out, file));
