// Reads what TypeScript sources export, for what is generated from them.
import { build } from 'esbuild';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** The exports of a module with this TypeScript text, whose imports begin at the repository's root or name the workspace's libraries. */
export async function loadSources(contents) {
  // Below the workspace, so that what is imported is found in its node_modules.
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  const folder = mkdtempSync(path.join(root, 'dist/sources-'));
  try {
    const outfile = path.join(folder, 'sources.cjs');
    await build({
      stdin: { contents, resolveDir: root, loader: 'ts' },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      packages: 'external',
      tsconfig: path.join(root, 'tsconfig.base.json'),
      logLevel: 'warning',
    });
    return require(outfile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
