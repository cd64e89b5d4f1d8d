import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { withTransaction } from '@reseller/database';
import type { Pool } from 'pg';
import { recordArchive, schemaOf, type ArchivedObject } from './archive.repository';
import type { ArchivePart } from './archived-table';
import { csvPages } from './csv-pages';
import type { ObjectStore } from './object-store';

/** What archiving works with. */
export interface ArchivePartDeps {
  readonly service: string;
  readonly pool: Pool;
  readonly store: ObjectStore;
}

/**
 * Writes a part's rows as an object, reads every byte of it back, and removes the rows in the transaction that records the object.
 * Whatever ends it before that leaves the rows; done again, it writes the same object.
 */
export async function archivePart(
  part: ArchivePart,
  { service, pool, store }: ArchivePartDeps,
  signal?: AbortSignal,
): Promise<ArchivedObject> {
  // Programs that read a folder of objects as one table pass over names that begin with an underscore.
  const folder = `${service}/${part.of.table}/day=${part.day}`;
  const object = `${folder}/${part.name}.csv.gz`;
  const count = { rows: 0 };
  const pages = Readable.from(csvPages(pool, part, count));
  const written = await store.write(object, [pages, createGzip()], signal);
  const kept = await store.digestOf(object, signal);
  if (kept.sha256 !== written.sha256)
    throw new Error(
      `${store.urlOf(object)} is not what was written: SHA-256 ${kept.sha256}, expected ${written.sha256}`,
    );
  const archived: ArchivedObject = {
    object,
    table: part.of.table,
    day: part.day,
    ...count,
    ...written,
    columns: part.of.columns.map(({ name, type }) => ({ name, type })),
    schema: await schemaOf(pool),
  };
  // What whoever has the bucket and nothing else needs to know.
  const manifest = Buffer.from(`${JSON.stringify(archived, null, 2)}\n`);
  await store.write(`${folder}/_${part.name}.json`, [Readable.from([manifest])], signal);
  await withTransaction(pool, async (tx) => {
    // It gives way to whoever has one of the rows, and nobody waits behind it for long.
    await tx.query(`SET LOCAL lock_timeout = '2s'`);
    await recordArchive(tx, archived);
    const gone = await part.remove(tx);
    if (gone !== undefined && gone !== archived.rows)
      throw new Error(`${object} has ${archived.rows} rows, of which ${gone} could be removed`);
  });
  return archived;
}
