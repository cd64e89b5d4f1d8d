// An edge's OpenAPI document as its sources make it, for what is generated from it.
import { build } from 'esbuild';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** The document of apps/`app`, whose `module` of its sources exports openApiDocument. */
export async function openApiDocumentOf(app, module) {
  // Below the workspace, so that what is imported is found in its node_modules.
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  const folder = mkdtempSync(path.join(root, 'dist/openapi-document-'));
  try {
    const outfile = path.join(folder, 'document.cjs');
    await build({
      stdin: {
        contents: `import { openApiDocument } from '${module}'; import { routes } from './routes'; module.exports = openApiDocument(routes);`,
        resolveDir: path.join(root, 'apps', app, 'src'),
        loader: 'ts',
      },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      packages: 'external',
      tsconfig: path.join(root, 'apps', app, 'tsconfig.json'),
      logLevel: 'warning',
    });
    return require(outfile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
