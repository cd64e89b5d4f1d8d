// Compares the API as the gateway's sources describe it with what partners rely on already: the last release
// (docs/partners/released-api.json), which is in every clone. What breaks is said in a sentence each; the promise is
// docs/partners/changelog.md (docs/adr/0027). `--release` writes what is now released, `--against <file>` compares with another file,
// `--document <file>` compares an OpenAPI document in JSON in place of what the sources describe.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { format } from 'oxfmt';
import { loadSources } from './load-sources.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const say = (text) => console.log(`api breaking: ${text}`);
const { values } = parseArgs({
  options: {
    against: { type: 'string', default: path.join(root, 'docs/partners/released-api.json') },
    document: { type: 'string' },
    release: { type: 'boolean', default: false },
    'accept-breaks': { type: 'boolean', default: false },
  },
});
const released = path.resolve(values.against);
const name = path.relative(root, released);

const { contractOf, contractBreaks, sentenceOf } = await loadSources(
  `export * from './libs/api-compatibility/src';`,
);
const contract = contractOf(
  values.document ? JSON.parse(readFileSync(values.document, 'utf8')) : await documentOfSources(),
);
const { code: written } = await format(released, JSON.stringify(sorted(contract)), { printWidth: 140 });

async function documentOfSources() {
  const { document } = await loadSources(`
    import { openApiDocument } from './apps/gateway/src/openapi/document';
    import { routes } from './apps/gateway/src/routes';
    export const document = openApiDocument(routes);`);
  return document;
}

/** The same with its keys in order, so that a release shows as a difference only what it changes. */
function sorted(json) {
  if (Array.isArray(json)) return json.map(sorted);
  if (typeof json !== 'object' || json === null) return json;
  const entries = Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]) => [key, sorted(value)]));
}

if (!existsSync(released) && !values.release) {
  say(`${name} is missing; restore it from version control`);
  process.exit(1);
}
const text = existsSync(released) ? readFileSync(released, 'utf8') : written;
const breaks = contractBreaks(JSON.parse(text), contract);
for (const found of breaks) console.log(`  ${sentenceOf(found)}`);
if (breaks.length > 0)
  say(
    `BREAKS the last release (${name}) in ${breaks.length} ${breaks.length === 1 ? 'way' : 'ways'}. ` +
      'What must break is a new version of the API beside this one: docs/partners/changelog.md',
  );
else
  say(
    `compatible with the last release (${name})${text === written ? '' : ', which lacks what is new since'}`,
  );

if (values.release) {
  if (breaks.length > 0 && !values['accept-breaks']) {
    say('not released: add --accept-breaks when no partner relies on what breaks');
    process.exit(1);
  }
  writeFileSync(released, written);
  say(`released; say what is new in docs/partners/changelog.md`);
  process.exit(0);
}
process.exit(breaks.length === 0 ? 0 : 1);
