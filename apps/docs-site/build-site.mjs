// npm run docs: builds the documentation into dist/site, as the gateway serves it at /docs. Nothing is done while what it is made of
// is what it was.
//   node apps/docs-site/build-site.mjs partners   what a public installation shows, into dist/partners-site
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readEdition, ROOT } from './src/edition.mjs';
import { writeManifest } from './src/manifest.mjs';
import { homePage, redirectsOf, sectionsOf } from './src/sections.mjs';

const [name = 'whole'] = process.argv.slice(2);
// VitePress's configuration is a module of its own and reads this.
process.env['DOCS_EDITION'] = name;
// Whatever this runs in, such as a test: what is served is built for browsers.
process.env['NODE_ENV'] = 'production';
const own = fileURLToPath(new URL('.', import.meta.url));
const { pages, files, outDir, buildDir, sourceDir } = readEdition(name);
const sections = sectionsOf(pages);

/** The pages as VitePress reads them: each where its address is. */
function stage() {
  rmSync(sourceDir, { recursive: true, force: true });
  const write = (page, text) => {
    mkdirSync(path.dirname(path.join(sourceDir, page)), { recursive: true });
    writeFileSync(path.join(sourceDir, page), text);
  };
  for (const { page, text } of pages) write(page, text);
  write('index.md', homePage(sections));
  for (const { source, page } of files) {
    // Pictures are looked up beside their page, everything else is copied as it is.
    const target = source.endsWith('.png') ? page : `public/${page}`;
    write(target, readFileSync(path.join(ROOT, source)));
  }
  cpSync(path.join(own, 'public'), path.join(sourceDir, 'public'), { recursive: true });
}

/** All that the site is made of; read where it is, so that a site that is up to date costs no more than that. */
function fingerprint() {
  const hash = createHash('sha256');
  const add = (label, bytes) => hash.update(`${label} ${bytes.length}\n`).update(bytes);
  add('vitepress', readFileSync(path.join(ROOT, 'node_modules/vitepress/package.json')));
  for (const { page, text } of pages) add(page, text);
  for (const { source, page } of files) add(page, readFileSync(path.join(ROOT, source)));
  const code = readdirSync(own, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !/[/\\](\.temp|test)[/\\]|\.md$/.test(file));
  for (const file of code.sort()) add(path.relative(own, file), readFileSync(file));
  return hash.digest('hex');
}

if (name === 'whole' && !existsSync(path.join(ROOT, 'dist/docs/protos.md')))
  console.log('docs: without the pages that are generated; `npm run docs` makes them first');
const inputs = fingerprint();
const stamp = path.join(outDir, '.inputs');
if (existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs) {
  console.log(`docs: ${path.relative(ROOT, outDir)} is up to date`);
} else {
  const startedAt = Date.now();
  stage();
  const { build } = await import('vitepress');
  await build(own);
  const { count, bytes } = writeManifest(buildDir, '/docs/', redirectsOf(sections));
  writeFileSync(path.join(buildDir, '.inputs'), inputs);
  // The one before is shown until this one is whole, and stays when this one fails.
  rmSync(outDir, { recursive: true, force: true });
  renameSync(buildDir, outDir);
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `docs: ${pages.length} pages, ${count} files, ${(bytes / 1_000_000).toFixed(1)} MB in ${path.relative(ROOT, outDir)}, in ${seconds} s`,
  );
}
