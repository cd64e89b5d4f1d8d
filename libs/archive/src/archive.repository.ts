import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import type { ArchivedColumn } from './archived-table';

/** An object of the archive, as it is recorded where its rows were. */
export interface ArchivedObject {
  /** Its key below ARCHIVE_URL. */
  readonly object: string;
  readonly table: string;
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  /** In their order. */
  readonly columns: readonly Pick<ArchivedColumn, 'name' | 'type'>[];
  /** The last migration of the database at that time. */
  readonly schema: string;
}

/** Which objects; days are inclusive. */
interface ArchiveRange {
  readonly table?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const SCHEMA: PreparedStatement = {
  name: 'archive_schema',
  text: 'SELECT coalesce(max(migration_name), $1) AS schema FROM _prisma_migrations',
};
const RECORD: PreparedStatement = {
  name: 'archive_record',
  text: `INSERT INTO archives (object, table_name, day, row_count, bytes, sha256, columns, schema)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
};
const LIST: PreparedStatement = {
  name: 'archive_list',
  text: `SELECT object, table_name AS "table", day, row_count::float8 AS rows, bytes::float8 AS bytes, sha256, columns, schema
    FROM archives WHERE ($1::text IS NULL OR table_name = $1) AND day BETWEEN coalesce($2::date, '-infinity') AND coalesce($3::date, 'infinity')
    ORDER BY table_name, day, object`,
};

/** The last migration of a database, by which an archive's columns are understood later. */
export async function schemaOf(db: Queryable): Promise<string> {
  const [row] = await query<{ schema: string }>(db, SCHEMA, ['none']);
  return row?.schema ?? 'none';
}

/** Records an object; fails where it is recorded already, so that nothing is removed twice. */
export async function recordArchive(tx: Queryable, archived: ArchivedObject): Promise<void> {
  const { object, table, day, rows, bytes, sha256, columns, schema } = archived;
  const values = [object, table, day, rows, bytes, sha256, JSON.stringify(columns), schema];
  await query(tx, RECORD, values);
}

/** What is archived, by table and day. */
export function listArchives(db: Queryable, { table, from, to }: ArchiveRange): Promise<ArchivedObject[]> {
  return query<ArchivedObject>(db, LIST, [table, from, to]);
}
