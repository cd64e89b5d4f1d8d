import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '@reseller/testing';
import { fillInsOf, majorOf } from '../src/older-servers';
import { readRoutines, type RoutineFile } from '../src/routine-files';
import { appsWithBaseline, migrationsOf } from './migrations/all-services';

const root = path.resolve(__dirname, '../../..');

/** Every TypeScript source under a folder that is not generated, as one text. */
function sourcesOf(folder: string): string {
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.spec)\.ts$/.test(file) && !/(^|\/)(generated|gen)\//.test(file))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('\n');
}

const shared = ['messaging', 'database', 'vendor-simulation']
  .map((lib) => sourcesOf(path.join(root, 'libs', lib, 'src')))
  .join('\n');

/** A text without comments, line breaks and double spaces. */
const plain = (sql: string): string => sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim();

interface LiveRoutine {
  name: string;
  body: string;
}

async function routinesOf(app: string): Promise<{ functions: LiveRoutine[]; triggers: string[] }> {
  const database = await createTestDatabase({ migrations: migrationsOf(app) });
  const functions = await database.pool.query<LiveRoutine>(
    `SELECT proname AS name, coalesce(nullif(prosrc, ''), pg_get_functiondef(p.oid)) AS body FROM pg_proc AS p
     WHERE pronamespace = 'public'::regnamespace AND proname <> ALL ($1)
       AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = p.oid AND deptype = 'e') ORDER BY 1`,
    [fillInsOf(await majorOf(database.pool))],
  );
  const triggers = await database.pool.query<{ name: string }>(
    'SELECT DISTINCT tgname AS name FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1',
  );
  await database.drop();
  return { functions: functions.rows, triggers: triggers.rows.map(({ name }) => name) };
}

/** What only the version before calls, until no process of it runs (docs/platform/migrations.md). */
const isOfBefore = ({ script }: RoutineFile): boolean => /^-- Version before: \S+/.test(script);

/** Whether anything outside of its own file calls the function: a trigger in its file counts, too. */
function isCalled(
  { name, script }: RoutineFile,
  others: RoutineFile[],
  sources: string,
  tables: string,
): boolean {
  if (/\bTRIGGER\b[\s\S]*\bEXECUTE FUNCTION\b/i.test(script)) return true;
  const call = new RegExp(`\\b${name}\\s*\\(`);
  return call.test(sources) || call.test(tables) || others.some((other) => call.test(plain(other.script)));
}

describe.each(appsWithBaseline)('the routines of %s', (app) => {
  const routines = readRoutines(migrationsOf(app));
  const tables = readdirSync(migrationsOf(app), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .map((file) => readFileSync(path.join(migrationsOf(app), file), 'utf8'))
    .join('\n');

  it('when a database has run all migrations, then it has exactly the functions and triggers of the files', async () => {
    const live = await routinesOf(app);
    expect(live.functions.map(({ name }) => name)).toEqual(routines.map(({ name }) => name));
    const scripts = new Map(routines.map(({ name, script }) => [name, plain(script)]));
    const others = live.functions.filter(({ name, body }) => !scripts.get(name)?.includes(plain(body)));
    expect(others).toEqual([]);
    const all = [...scripts.values()].join(' ');
    expect(live.triggers.filter((name) => !new RegExp(`TRIGGER ${name}\\b`, 'i').test(all))).toEqual([]);
  });

  it('when SQL has an id’s time read, then by uuidv7_time, for what PostgreSQL 17 has itself knows no version 7', () => {
    const scripts = routines.map(({ script }) => script).join('\n');
    const sources = sourcesOf(path.join(root, 'apps', app, 'src'));
    expect(`${scripts}${sources}${shared}`).not.toMatch(/uuid_extract_timestamp\(/);
  });

  it('when a migration is read, then it defines no function and no trigger', () => {
    expect(/\bCREATE\s+(OR\s+REPLACE\s+)?(CONSTRAINT\s+)?(FUNCTION|PROCEDURE|TRIGGER)\b/i.test(tables)).toBe(
      false,
    );
  });

  it('when a routine is read, then it is called and its first line says what needs it', () => {
    const sources = `${sourcesOf(path.join(root, 'apps', app, 'src'))}\n${shared}`;
    const uncalled = routines.filter(
      (routine) =>
        !isOfBefore(routine) &&
        !isCalled(
          routine,
          routines.filter((other) => other !== routine),
          sources,
          tables,
        ),
    );
    expect(uncalled.map(({ name }) => name)).toEqual([]);
    const silent = routines.filter(
      ({ script }) => !/^-- (Invariant|Bench row|Version before): \S+/.test(script),
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
  });
});
