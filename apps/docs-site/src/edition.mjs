// The edition that is being built, as the command and VitePress's configuration both see it.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { EDITIONS, findFiles, findPages } from './pages.mjs';

/** The top of the repository. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** One edition: its pages, its files, and where it is put together and built. */
export function readEdition(name = process.env['DOCS_EDITION'] ?? 'whole') {
  const edition = EDITIONS[name];
  if (!edition) throw new Error(`there is no edition ${name}; there are ${Object.keys(EDITIONS).join(', ')}`);
  const pages = findPages(ROOT, edition);
  const files = findFiles(ROOT, edition);
  return {
    name,
    pages,
    files,
    outDir: path.join(ROOT, edition.outDir),
    buildDir: path.join(ROOT, `${edition.outDir}-next`),
    sourceDir: path.join(ROOT, `${edition.outDir}-source`),
    cacheDir: path.join(ROOT, `${edition.outDir}-cache`),
  };
}
