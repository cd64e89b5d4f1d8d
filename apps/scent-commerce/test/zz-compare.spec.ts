import { createTestDatabase } from '@reseller/testing';
import { expect, it } from '@jest/globals';
import { readFileSync, readdirSync, mkdirSync } from 'node:fs';
const Q: Record<string, string> = {
  columns: `SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull, a.attgenerated, a.attcollation::regcollation::text AS coll,
    pg_get_expr(d.adbin, d.adrelid) AS "default", a.attnum FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND c.relnamespace='public'::regnamespace AND c.relkind IN ('r','v','c','p','m')
    LEFT JOIN pg_attrdef d ON d.adrelid=a.attrelid AND d.adnum=a.attnum WHERE a.attnum>0 AND NOT a.attisdropped AND c.relname NOT IN ('_prisma_migrations','_routines') ORDER BY 1,a.attnum`,
  constraints: `SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace='public'::regnamespace AND conrelid::regclass::text NOT IN ('_prisma_migrations','_routines') ORDER BY 1,2,3`,
  indexes: `SELECT indexdef FROM pg_indexes WHERE schemaname='public' AND tablename NOT IN ('_prisma_migrations','_routines') ORDER BY 1`,
  options: `SELECT relname, reloptions, relkind FROM pg_class WHERE relnamespace='public'::regnamespace AND relname NOT LIKE '\\_prisma%' AND relname NOT LIKE '\\_routines%' ORDER BY 1`,
  functions: `SELECT pg_get_functiondef(p.oid) FROM pg_proc p WHERE pronamespace='public'::regnamespace AND NOT EXISTS (SELECT FROM pg_depend WHERE objid=p.oid AND deptype='e') ORDER BY proname`,
  triggers: `SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname`,
  views: `SELECT viewname, definition FROM pg_views WHERE schemaname='public' ORDER BY 1`,
  types: `SELECT typname, typtype FROM pg_type WHERE typnamespace='public'::regnamespace AND typname NOT LIKE '%\\_routines' AND typname NOT LIKE '%prisma%' ORDER BY 1`,
  rows: `SELECT * FROM catalog_size`,
};
it('same', async () => {
  const [a, b] = [process.env['OLD']!, process.env['NEW']!];
  const A = await createTestDatabase({ migrations: a });
  const B = await createTestDatabase({ migrations: b });
  for (const [k, q] of Object.entries(Q)) {
    const [x, y] = [(await A.pool.query(q)).rows, (await B.pool.query(q)).rows];
    console.log(k, x.length, y.length);
    expect(y).toEqual(x);
  }
  await A.drop(); await B.drop();
}, 60000);
