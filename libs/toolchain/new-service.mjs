// `npm run new-service -- <name>`: writes an empty service of the common form, apps/<name>, with its contract, and its
// lines in the tables from which it is deployed, started on one machine and measured. Then: npm run manifests, npm test.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { filesOf } from './new-service/files.mjs';
import { entriesOf } from './new-service/entries.mjs';

const name = process.argv[2] ?? '';
function fail(text) {
  console.error(`new-service: ${text}`);
  process.exit(1);
}
if (!/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/.test(name)) fail('give a name in kebab-case, such as gift-card');
if (existsSync(`apps/${name}`)) fail(`apps/${name} is there already`);

const Pascal = name.replace(/(^|-)(\w)/g, (_match, _dash, letter) => letter.toUpperCase());
const camel = `${Pascal[0].toLowerCase()}${Pascal.slice(1)}`;
const names = { name, Pascal, camel, snake: name.replaceAll('-', '_') };

const written = filesOf(names);
// Before anything is written, so that a table that has changed its form leaves nothing half done.
const changed = entriesOf(names).map(({ file, after, text }) => {
  const present = readFileSync(file, 'utf8');
  const [found] = after.exec(present) ?? [];
  if (found === undefined) fail(`${file} has changed its form: no ${after}`);
  return { file, found, text };
});
for (const [file, text] of written) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
for (const { file, found, text } of changed)
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(found, () => `${found}${text}`),
  );
const touched = [...written, ...changed.map(({ file }) => [file])].map(([file]) => file);
const formatted = touched.filter((file) => /\.(ts|mjs|json|md|ya?ml)$/.test(file));
spawnSync('oxfmt', formatted, { stdio: 'inherit' });
console.log(
  `new-service: wrote ${written.length} files of ${name} and its lines in ${changed.length} tables`,
);
