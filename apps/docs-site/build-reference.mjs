// Makes dist/apps/docs-site: Scalar's API reference and the two files of ours that start it, as the gateway serves them at
// /docs/reference. Scalar publishes the script for browsers in two packages: as @scalar/api-reference, with the 270 packages that it is
// built from, and inside its plugin for Fastify, with 16. It is taken from the plugin, which hands it to whatever serves its routes.
import plugin from '@scalar/fastify-api-reference';
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeManifest } from './src/manifest.mjs';

const own = fileURLToPath(new URL('.', import.meta.url));
const root = path.join(own, '../..');
const outDir = path.join(root, 'dist/apps/docs-site');

/** What the plugin serves under an address that ends like this. */
function servedBy(plugin, ending) {
  const handlers = new Map();
  const host = { hasPlugin: () => false, route: ({ url, handler }) => handlers.set(url, handler) };
  plugin(host, { configuration: { url: '/' } }, () => undefined);
  const found = [...handlers].find(([url]) => url.endsWith(ending));
  if (!found) throw new Error(`the plugin serves no ${ending}, but ${[...handlers.keys()].join(', ')}`);
  let sent;
  const reply = { header: () => reply, send: (body) => (sent = body) };
  found[1]({}, reply);
  return sent;
}

rmSync(outDir, { recursive: true, force: true });
mkdirSync(outDir, { recursive: true });
writeFileSync(path.join(outDir, 'scalar.js'), servedBy(plugin, '.js'));
copyFileSync(
  path.join(root, 'node_modules/@scalar/fastify-api-reference/LICENSE'),
  path.join(outDir, 'scalar-licence.txt'),
);
cpSync(path.join(own, 'reference'), outDir, { recursive: true });
cpSync(path.join(own, 'public'), outDir, { recursive: true });
writeManifest(outDir, '/docs/reference/');
