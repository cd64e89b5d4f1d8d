import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import type { ArchivedObject } from './archive.repository';
import { Digesting } from './digesting';
import type { ObjectStore } from './object-store';

/** A row as it was: null, true, 7, text, or what JSON held; `csv` is its line. */
export interface ArchivedRow {
  readonly values: Readonly<Record<string, unknown>>;
  readonly csv: string;
}

/** An object's CSV as its bytes come. Ends with an error that names the object where it is not, to the byte, what was archived. */
export async function* readCsv(
  store: ObjectStore,
  { object, sha256 }: ArchivedObject,
): AsyncGenerator<Buffer> {
  const digesting = new Digesting();
  const plain = createGunzip();
  const ended = pipeline(await store.read(object), digesting, plain);
  // What goes wrong on the way comes out of the last stream, too.
  ended.catch(() => undefined);
  try {
    for await (const chunk of plain) yield chunk as Buffer;
    await ended;
  } catch (cause) {
    throw new Error(`${store.urlOf(object)} cannot be read: ${(cause as Error).message}`, { cause });
  }
  const found = digesting.digest().sha256;
  if (found !== sha256)
    throw new Error(`${store.urlOf(object)} is not what was archived: SHA-256 ${found}, expected ${sha256}`);
}

/** The rows of an object, in the order of their keys. */
export async function* readRows(store: ObjectStore, archived: ArchivedObject): AsyncGenerator<ArchivedRow> {
  const types = new Map(archived.columns.map(({ name, type }) => [name, type]));
  const parser = parse({
    columns: true,
    raw: true,
    cast: (value, { column, header, quoting }) =>
      header ? value : valueOf(value, quoting, types.get(String(column))),
  });
  const piped = pipeline(readCsv(store, archived), parser);
  piped.catch(() => undefined);
  for await (const { record, raw } of parser as AsyncIterable<{
    record: Record<string, unknown>;
    raw: string;
  }>)
    yield { values: record, csv: raw.replace(/\r?\n$/, '') };
  await piped;
}

/** What PostgreSQL wrote: nothing for NULL, and quotes around an empty text. */
function valueOf(text: string, isQuoted: boolean, type: string | undefined): unknown {
  if (text === '' && !isQuoted) return null;
  if (type === 'boolean') return text === 't';
  if (type === 'jsonb') return JSON.parse(text) as unknown;
  const isNumber = type === 'integer' || type === 'bigint';
  return isNumber && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}
