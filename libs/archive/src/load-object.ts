import { pipeline } from 'node:stream/promises';
import { escapeIdentifier, type Pool } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { withTransaction } from '@reseller/database';
import type { ArchivedObject } from './archive.repository';
import type { ObjectStore } from './object-store';
import { readCsv } from './read-object';

/**
 * Puts an object's rows into the table of its name in the schema `archive`, which is made where it is missing; rows that it has of the
 * object are replaced. All or nothing: an object that is not what was archived leaves the table as it was.
 */
export async function loadObject(target: Pool, store: ObjectStore, archived: ArchivedObject): Promise<void> {
  const table = `archive.${escapeIdentifier(archived.table)}`;
  const columns = archived.columns.map(({ name, type }) => `${escapeIdentifier(name)} ${type}`);
  const names = archived.columns.map(({ name }) => escapeIdentifier(name)).join(', ');
  await withTransaction(
    target,
    async (tx) => {
      await tx.query(`CREATE SCHEMA IF NOT EXISTS archive;
        CREATE TABLE IF NOT EXISTS ${table} (archive_object text NOT NULL);
        ALTER TABLE ${table} ${columns.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`).join(', ')};
        CREATE TEMPORARY TABLE incoming (${columns.join(', ')}) ON COMMIT DROP`);
      await pipeline(
        readCsv(store, archived),
        tx.query(copyFrom(`COPY incoming (${names}) FROM STDIN (FORMAT csv, HEADER)`)),
      );
      await tx.query(`DELETE FROM ${table} WHERE archive_object = $1`, [archived.object]);
      await tx.query(`INSERT INTO ${table} (archive_object, ${names}) SELECT $1, ${names} FROM incoming`, [
        archived.object,
      ]);
    },
    { attempts: 1 },
  );
}
