import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import { appsWithMigrations, migrationsOf } from './migrations/all-services';

/** The relations of a service, without partitions and what belongs to an identity column, and what its role may do with each. */
const GRANTED = `
  SELECT c.relname AS name, array_agg(p.privilege ORDER BY p.privilege) FILTER (WHERE p.has) AS privileges
  FROM pg_class AS c CROSS JOIN LATERAL (
    SELECT privilege, CASE WHEN c.relkind = 'S' THEN has_sequence_privilege($1, c.oid, privilege)
      ELSE has_table_privilege($1, c.oid, privilege) END AS has
    FROM unnest(CASE WHEN c.relkind = 'S' THEN ARRAY['SELECT', 'UPDATE', 'USAGE']
      ELSE ARRAY['DELETE', 'INSERT', 'REFERENCES', 'SELECT', 'TRIGGER', 'TRUNCATE', 'UPDATE']
        || CASE WHEN current_setting('server_version_num')::int >= 170000 THEN ARRAY['MAINTAIN'] END END) AS privilege) AS p
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S') AND NOT c.relispartition
    AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.objid = c.oid
      AND (d.deptype = 'e' OR d.deptype = 'i' AND c.relkind = 'S'))
  GROUP BY 1 ORDER BY 1`;

interface Granted {
  name: string;
  privileges: string[] | null;
}

const RECORDS = ['_grants', '_prisma_migrations', '_routines'];

describe.each(appsWithMigrations)('the role that %s runs as', (app) => {
  let database: TestDatabase;
  let granted: Granted[];

  beforeAll(async () => {
    database = await createTestDatabase({ migrations: migrationsOf(app) });
    const role = new URL(database.serviceUrl).username;
    granted = (await database.pool.query<Granted>(GRANTED, [role])).rows;
  });
  afterAll(() => database.drop());

  it('when a table, view or sequence is there, then grants.sql says what the role may do with it', () => {
    expect(granted.filter(({ privileges }) => privileges === null).map(({ name }) => name)).toEqual([]);
  });

  it('when what it may do is listed, then it is reading and writing rows, and reading the records of migrations', () => {
    const rows = ['DELETE', 'INSERT', 'SELECT', 'UPDATE', 'USAGE'];
    const beyond = granted.filter(({ name, privileges }) =>
      privileges?.some((one) => !(RECORDS.includes(name) ? ['SELECT'] : rows).includes(one)),
    );
    expect(beyond).toEqual([]);
  });

  it('when the role is looked at, then it owns nothing, is in no other role and has no attribute but to log in', async () => {
    const { rows } = await database.servicePool.query(
      `SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls AS "isMore",
         (SELECT count(*)::int FROM pg_auth_members WHERE member = r.oid) AS roles,
         (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid) AS tables,
         has_schema_privilege('public', 'CREATE') AS "canCreate"
       FROM pg_roles AS r WHERE rolname = current_user`,
    );
    expect(rows).toEqual([{ isMore: false, roles: 0, tables: 0, canCreate: false }]);
  });
});
