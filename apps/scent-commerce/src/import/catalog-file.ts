import { parse } from 'csv-parse';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream';
import { COLUMN_NAMES, findColumnFaults } from './domain/catalog-row';

/** A file that cannot be read as a catalog at all; the message says what to do. */
export class CatalogFileError extends Error {}

/** One row as it stands in the file. */
interface RawRow {
  /** The line of a CSV or JSON Lines file, the place in a JSON array; both from 1. */
  number: number;
  cells: Record<string, string>;
  /** Why the row cannot even be split into cells. */
  fault?: string;
}

/** A JSON array is read whole, so it must not be large; the other kinds are read as they go. */
const LARGEST_JSON_ARRAY = 64 * 1024 * 1024;
const LARGEST_ROW = 1024 * 1024;

/** Reads a catalog row by row: .csv, .jsonl or .ndjson as a stream, .json as an array. Throws CatalogFileError. */
export async function* readCatalogFile(file: string): AsyncGenerator<RawRow> {
  const found = await stat(file).catch(() => undefined);
  if (!found || found.isDirectory()) throw new CatalogFileError(`${file} cannot be read; check the path`);
  const kind = path.extname(file).toLowerCase();
  if (kind === '.csv') yield* readCsv(file);
  else if (kind === '.jsonl' || kind === '.ndjson') yield* readJsonLines(file);
  else if (kind === '.json') yield* readJsonArray(file, found.size);
  else throw new CatalogFileError(`${file} is neither .csv, .jsonl, .ndjson nor .json`);
}

async function* readCsv(file: string): AsyncGenerator<RawRow> {
  const records = parse({
    bom: true,
    info: true,
    relaxColumnCount: true,
    skipEmptyLines: true,
    maxRecordSize: LARGEST_ROW,
  });
  // A file that cannot be read on ends the records with its error, which the loop throws.
  pipeline(createReadStream(file), records, () => undefined);
  let columns: string[] | undefined;
  try {
    for await (const entry of records as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      const { record, info } = entry;
      if (!columns) {
        columns = record.map((column) => column.trim());
        refuseColumns(columns);
        continue;
      }
      const cells = Object.fromEntries(columns.map((column, index) => [column, record[index] ?? '']));
      const fault =
        record.length === columns.length
          ? undefined
          : `has ${record.length} cells, the first line names ${columns.length} columns; check commas and quotes`;
      yield { number: info.lines, cells, ...(fault !== undefined && { fault }) };
    }
  } catch (error) {
    if (error instanceof CatalogFileError || !isCsvError(error)) throw error;
    throw new CatalogFileError(`${file} is no CSV from line ${error.lines} on: ${error.message}`);
  }
  if (!columns) throw new CatalogFileError(`${file} is empty; its first line must name the columns`);
}

async function* readJsonLines(file: string): AsyncGenerator<RawRow> {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    number += 1;
    if (line.trim() !== '') yield toRawRow(number, () => JSON.parse(line) as unknown);
  }
}

async function* readJsonArray(file: string, size: number): AsyncGenerator<RawRow> {
  if (size > LARGEST_JSON_ARRAY) {
    throw new CatalogFileError(`${file} is over 64 MiB; write one object a line and name it .jsonl`);
  }
  let items: unknown;
  try {
    items = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new CatalogFileError(
      `${file} is no JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (!Array.isArray(items)) throw new CatalogFileError(`${file} must hold an array of objects`);
  for (const [index, item] of items.entries()) yield toRawRow(index + 1, () => item as unknown);
}

function toRawRow(number: number, read: () => unknown): RawRow {
  let item: unknown;
  try {
    item = read();
  } catch {
    return { number, cells: {}, fault: 'is no JSON object; write one object a line' };
  }
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return { number, cells: {}, fault: 'is no JSON object' };
  }
  const known: readonly string[] = COLUMN_NAMES;
  const unknown = Object.keys(item).filter((key) => !known.includes(key));
  const cells = Object.fromEntries(Object.entries(item).map(([key, value]) => [key, toCell(value)]));
  return {
    number,
    cells,
    ...(unknown.length > 0 && { fault: `has ${unknown.join(', ')}, which no catalog has; remove it` }),
  };
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(String).join(';');
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}

function refuseColumns(columns: readonly string[]): void {
  const faults = findColumnFaults(columns);
  if (faults.length > 0) throw new CatalogFileError(`the first line is wrong: ${faults.join('; ')}`);
}

function isCsvError(error: unknown): error is Error & { lines: number } {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_');
}
