import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createTestDatabase, samplesFor, type TestDatabase } from '@reseller/testing';

const apps = path.join(__dirname, '../../../apps');
const sql = readFileSync(path.join(__dirname, '../sql/messaging.sql'), 'utf8');
const TABLES = { outbox: ['outbox', 'outbox_aggregate'], inbox: ['inbox'] };
type Part = keyof typeof TABLES;

const migrationsOf = (app: string): string => path.join(apps, app, 'prisma/migrations');

/** What a service's migrations make of it. */
function partsOf(app: string): Part[] {
  const folder = migrationsOf(app);
  if (!existsSync(folder)) return [];
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'));
  return (['outbox', 'inbox'] as const).filter((part) =>
    texts.some((text) => text.includes(`CREATE TABLE ${part} `)),
  );
}

const services = readdirSync(apps)
  .map((app) => ({ app, parts: partsOf(app) }))
  .filter(({ parts }) => parts.length > 0);

/** Everything the catalogue knows of a part's tables, and of the function where a service's own SQL appends events. */
async function describeParts({ pool }: TestDatabase, parts: Part[], withFunction: boolean): Promise<unknown> {
  const tables = parts.flatMap((part) => TABLES[part]);
  const read = async (text: string, values: unknown[] = [tables]): Promise<unknown[]> =>
    (await pool.query(text, values)).rows;
  return {
    columns: await read(
      `SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull,
              pg_get_expr(d.adbin, d.adrelid) AS "default"
       FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
       LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
       WHERE c.oid = ANY (SELECT to_regclass(t) FROM unnest($1::text[]) AS t) AND a.attnum > 0 AND NOT a.attisdropped
       ORDER BY c.relname, a.attnum`,
    ),
    constraints: await read(
      `SELECT conrelid::regclass::text AS "table", conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint
       WHERE conrelid = ANY (SELECT to_regclass(t) FROM unnest($1::text[]) AS t) ORDER BY 1, 2`,
    ),
    indexes: await read(
      'SELECT indexname, indexdef FROM pg_indexes WHERE tablename = ANY ($1) ORDER BY indexname',
    ),
    triggers: await read(
      `SELECT tgname FROM pg_trigger WHERE NOT tgisinternal
       AND tgrelid = ANY (SELECT to_regclass(t) FROM unnest($1::text[]) AS t) ORDER BY tgname`,
    ),
    storage: await read(
      'SELECT relname, reloptions FROM pg_class WHERE relname = ANY ($1) AND relkind = $2 ORDER BY relname',
      [tables, 'r'],
    ),
    functions: withFunction
      ? await read("SELECT pg_get_functiondef(oid) AS text FROM pg_proc WHERE proname = 'outbox_append'", [])
      : [],
  };
}

describe('the outbox and inbox of each service', () => {
  it('when services are looked for, then there are some', () => {
    expect(services.map(({ app }) => app)).toEqual(
      expect.arrayContaining(['finance', 'identity', 'orders-saga', 'scent-commerce']),
    );
  });

  it('when the README shows them, then as messaging.sql has them', () => {
    expect(samplesFor(__filename).map(({ code }) => code)).toEqual([sql]);
  });

  it.each(services)(
    'when $app has run its migrations, then its $parts are those of messaging.sql',
    async (service) => {
      const [model, migrated] = await Promise.all([
        createTestDatabase(),
        createTestDatabase({ migrations: migrationsOf(service.app) }),
      ]);
      await model.pool.query(sql);
      const { rowCount } = await migrated.pool.query("SELECT FROM pg_proc WHERE proname = 'outbox_append'");
      const hasFunction = rowCount === 1;
      expect(await describeParts(migrated, service.parts, hasFunction)).toEqual(
        await describeParts(model, service.parts, hasFunction),
      );
      await Promise.all([model.drop(), migrated.drop()]);
    },
  );
});
