// Writes libs/database/migrations.json, by which a test sees to it that no migration is ever edited and that routines and
// grants change only together with a migration. What is sealed already is not touched: a migration that has been applied somewhere is
// corrected by another one. `--unreleased=<app>` seals an app anew whose newest migration has never left this machine;
// `--print` writes what the folders hold now to standard output.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const file = 'libs/database/migrations.json';
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const plain = (sql) => sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim();

function readApp(app, into) {
  const migrations = `apps/${app}/prisma/migrations`;
  const routines = `apps/${app}/prisma/routines`;
  const names = readdirSync(migrations).filter((name) => existsSync(`${migrations}/${name}/migration.sql`));
  for (const name of names)
    into.migrations[`${app}/${name}`] = sha256(readFileSync(`${migrations}/${name}/migration.sql`));
  const last = names.sort().at(-1);
  const grants = `apps/${app}/prisma/grants.sql`;
  if (existsSync(grants)) into.grants[`${app}/${last}`] = sha256(readFileSync(grants));
  if (!existsSync(routines)) return;
  const scripts = readdirSync(routines)
    .sort()
    .map((name) => [name, readFileSync(`${routines}/${name}`, 'utf8')]);
  into.routines[`${app}/${last}`] = sha256(scripts.flat().join('\0'));
  for (const [name, script] of scripts) {
    const [, signature] =
      /\bFUNCTION\s+([\s\S]*?)\s+(?:LANGUAGE|AS|RETURN|BEGIN|STABLE|IMMUTABLE|VOLATILE|STRICT)\b/i.exec(
        plain(script),
      ) ?? [];
    into.signatures[`${app}/${name.replace(/\.sql$/, '')}`] = signature ?? '';
  }
}

function readAll() {
  const all = { migrations: {}, routines: {}, grants: {}, signatures: {} };
  for (const app of readdirSync('apps').sort())
    if (existsSync(`apps/${app}/prisma/migrations`)) readApp(app, all);
  return all;
}

const now = readAll();
if (process.argv.includes('--print')) {
  process.stdout.write(JSON.stringify(now));
} else {
  const unreleased = process.argv
    .filter((arg) => arg.startsWith('--unreleased='))
    .map((arg) => `${arg.split('=')[1]}/`);
  const sealed = JSON.parse(readFileSync(file, 'utf8'));
  for (const part of Object.keys(now)) {
    const kept = Object.entries(sealed[part] ?? {}).filter(
      ([key]) => !unreleased.some((app) => key.startsWith(app)),
    );
    sealed[part] = Object.fromEntries(
      Object.entries({ ...now[part], ...Object.fromEntries(kept) }).sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  }
  writeFileSync(file, `${JSON.stringify(sealed, null, 2)}\n`);
  console.log(`sealed ${Object.keys(now.migrations).length} migrations`);
}
