// Writes the types of the operators' API for apps/console, out of backoffice's own OpenAPI document as its sources make it.
import { build } from 'esbuild';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

const target = 'apps/console/src/generated/operators-api.ts';
const require = createRequire(import.meta.url);
// Below the workspace, so that what is imported is found in its node_modules.
mkdirSync('dist', { recursive: true });
const folder = mkdtempSync('dist/operators-api-');
try {
  const outfile = path.resolve(folder, 'document.cjs');
  await build({
    stdin: {
      contents: `import { openApiDocument } from './openapi'; import { routes } from './routes'; module.exports = openApiDocument(routes);`,
      resolveDir: 'apps/backoffice/src',
      loader: 'ts',
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    packages: 'external',
    tsconfig: 'apps/backoffice/tsconfig.json',
    logLevel: 'warning',
  });
  const types = await openapiTS(require(outfile), { alphabetize: true, defaultNonNullable: false });
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, astToString(types));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
