// What the gateway needs to know of a built site: each address, its file, and how it may be kept (apps/gateway/src/site).
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compress } from './compress.mjs';

/** Its name in the folder of the site. */
export const MANIFEST = 'site.json';

const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.jsonl': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.sh': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** The address of a built file: pages without their ending, a folder's first page as the folder. */
const addressOf = (base, file) => base + file.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, '');

const isServed = (name) => path.extname(name) in TYPES && name !== MANIFEST;

/**
 * Compresses what was built and writes its list for the address `base`; `redirects` lead from an address without a page to one
 * with. Says how many files there are and how large they are together.
 */
export function writeManifest(outDir, base, redirects = {}) {
  const names = readdirSync(outDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(outDir, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter(isServed)
    .sort();
  const files = names.map((name) => {
    const file = path.join(outDir, name);
    return {
      address: addressOf(base, name),
      file: name,
      type: TYPES[path.extname(name)],
      codings: compress(file),
      hash: createHash('sha256').update(readFileSync(file)).digest('base64url').slice(0, 22),
      // Vite puts a hash of the contents into these names.
      immutable: name.startsWith('assets/'),
    };
  });
  const addresses = new Set(files.map(({ address }) => address));
  const free = Object.entries(redirects).filter(([from]) => !addresses.has(from));
  const manifest = { files, redirects: Object.fromEntries(free) };
  writeFileSync(path.join(outDir, MANIFEST), `${JSON.stringify(manifest)}\n`);
  const bytes = names.reduce((sum, name) => sum + statSync(path.join(outDir, name)).size, 0);
  return { count: names.length, bytes };
}
