import { CsvError, parse } from 'csv-parse';
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { COLUMNS, MOST_ROWS, PartnerRecord, type Column } from './domain/partner-record';

/** The largest file, and the longest row that is one. */
export const LARGEST_FILE_BYTES = 10 * 1024 * 1024;
const LONGEST_ROW_BYTES = 64 * 1024;

/** Where each column stands, and how many there are. */
interface Header {
  readonly places: readonly [number, number, number];
  readonly width: number;
}

/** Ends the reading of a file that has said enough. */
class Enough extends Error {}

/**
 * Reads a record from the parts of a CSV file (RFC 4180, UTF-8 with or without a byte order mark, any line ends), blank lines left out;
 * VALIDATION_FAILED with all that is wrong with it.
 */
export async function readRecord(parts: AsyncIterable<Buffer>): Promise<PartnerRecord> {
  const record = new PartnerRecord();
  let header: Header | undefined;
  const parser = parse({
    // Bytes, so that what is no UTF-8 is seen where it stands.
    encoding: null,
    maxRecordSize: LONGEST_ROW_BYTES,
    recordDelimiter: ['\r\n', '\n', '\r'],
    relaxColumnCount: true,
    skipEmptyLines: true,
    onRecord: (cells: unknown) => {
      if (header) takeRow(record, header, cells as Buffer[]);
      else header = readHeader(record, cells as Buffer[]);
      return null;
    },
  });
  try {
    await pipeline(Readable.from(withoutMark(atMost(parts, record)), { objectMode: true }), parser.resume());
    if (!header) record.fault('rows.0', `must be a header row with ${COLUMNS.join(', ')}`);
  } catch (error) {
    noteEnd(record, error, header !== undefined);
  }
  return record.end();
}

async function* atMost(parts: AsyncIterable<Buffer>, record: PartnerRecord): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const part of parts) {
    bytes += part.length;
    if (bytes > LARGEST_FILE_BYTES) {
      record.fault('rows', 'must be at most 10 MiB');
      throw new Enough();
    }
    yield part;
  }
}

const NOTHING = Buffer.alloc(0);
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Here and not by csv-parse, which reads texts and no bytes behind a mark. */
async function* withoutMark(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0);
  for await (const part of parts) {
    if (!start) {
      yield part;
      continue;
    }
    start = Buffer.concat([start, part]);
    if (start.length < BYTE_ORDER_MARK.length) continue;
    const isMarked = start.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    yield isMarked ? start.subarray(BYTE_ORDER_MARK.length) : start;
    start = undefined;
  }
  if (start && start.length > 0) yield start;
}

function readHeader(record: PartnerRecord, cells: readonly Buffer[]): Header {
  const names = cells.map((cell) => cell.toString());
  const placeOf = (column: Column): number => {
    const place = names.indexOf(column);
    if (place < 0) record.fault(`rows.0.${column}`, 'must be named in the header row, between commas');
    else if (names.lastIndexOf(column) !== place) record.fault(`rows.0.${column}`, 'must be named once');
    return place;
  };
  const [reference, amount, status] = COLUMNS;
  const places = [placeOf(reference), placeOf(amount), placeOf(status)] as const;
  // Without its columns no row can be read.
  if (places.some((place) => place < 0)) throw new Enough();
  return { places, width: cells.length };
}

function takeRow(record: PartnerRecord, { places, width }: Header, cells: readonly Buffer[]): void {
  if (record.nextRow > MOST_ROWS) {
    record.fault('rows', `must be at most ${MOST_ROWS}`);
    throw new Enough();
  }
  if (cells.length !== width)
    return record.addUnreadable(`must have ${width} columns, as the header row has`);
  const [reference, amount, status] = places;
  const [named = NOTHING, cost = NOTHING, state = NOTHING] = [cells[reference], cells[amount], cells[status]];
  if (!isUtf8(named)) return record.addUnreadable('must be UTF-8', 'externalReference');
  if (!isUtf8(cost)) return record.addUnreadable('must be UTF-8', 'amount');
  if (!isUtf8(state)) return record.addUnreadable('must be UTF-8', 'status');
  record.add(named, cost.toString(), state.toString());
}

/** What ended the reading before the end: enough was said, the row is no CSV, or it is no fault of the file's. */
function noteEnd(record: PartnerRecord, error: unknown, hasHeader: boolean): void {
  if (error instanceof Enough) return;
  if (!(error instanceof CsvError)) throw error;
  const row = hasHeader ? record.nextRow : 0;
  record.fault(`rows.${row}`, CSV_FAULTS[error.code] ?? 'must be a row by RFC 4180', row);
}

const CSV_FAULTS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'must close its quotation marks',
  CSV_MAX_RECORD_SIZE: 'must be at most 64 KiB; is a quotation mark left open?',
  INVALID_OPENING_QUOTE: 'must double a quotation mark within a field, and put the field in quotation marks',
  CSV_INVALID_CLOSING_QUOTE: 'must have a comma or the end of the row behind a closing quotation mark',
};
