// npm run contract-pages: writes dist/docs/protos.md and dist/docs/contracts.md from the protos and the contracts.
import { build } from 'esbuild';
import { createRequire } from 'node:module';
import path from 'node:path';

const outfile = path.resolve('dist/write-contract-pages.cjs');
await build({
  entryPoints: ['libs/contract-pages/src/write-pages.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  packages: 'external',
  tsconfig: 'libs/contract-pages/tsconfig.json',
  // Cases are read here and not run.
  alias: { '@jest/globals': 'expect' },
  // Modules of the schema find the repository from where they stand.
  define: { __dirname: JSON.stringify(path.resolve('libs/contract-testing/src/schema')) },
  logLevel: 'warning',
});
createRequire(import.meta.url)(outfile);
