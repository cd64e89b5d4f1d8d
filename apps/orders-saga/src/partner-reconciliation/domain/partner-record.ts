import { MOST_FAULTS, validationFailed, type FieldFault } from '@reseller/errors';
import { RowReferences } from './row-references';
import type { RecordRow } from './reconciliation';

/** The columns that a record must have. */
export const COLUMNS = ['externalReference', 'amount', 'status'] as const;

/** One of them. */
export type Column = (typeof COLUMNS)[number];

/** The most rows of a file, and the longest texts in it (spec §17.4). */
export const MOST_ROWS = 100_000;
const LONGEST_TEXT = 128;

const AMOUNT = /^(-?)(\d{1,64})(?:\.(\d{1,2}))?$/;
const MOST_CENTS = 10n ** 15n;

/** An amount in hundredths; undefined when the text is no decimal of at most two places and thirteen digits before the point. */
function centsOf(text: string): bigint | undefined {
  const [, sign, whole, places = ''] = AMOUNT.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const cents = BigInt(whole + places.padEnd(2, '0'));
  if (cents >= MOST_CENTS) return undefined;
  return sign === '-' ? -cents : cents;
}

/** Hundredths with two decimals. */
function amountOf(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

interface RowFault extends FieldFault {
  readonly row: number;
}

/** A partner's record as it is read from a file: its rows, held in few bytes each, or what is wrong with it. */
export class PartnerRecord {
  private readonly references = new RowReferences(MOST_ROWS);
  private readonly cents = new BigInt64Array(MOST_ROWS);
  private readonly statuses = new Int32Array(MOST_ROWS);
  /** Each status once; the first is none. */
  private readonly words: string[] = [''];
  private readonly places = new Map<string, number>([['', 0]]);
  private readonly faults: RowFault[] = [];
  private faultCount = 0;
  private read = 0;

  /** How many rows there are. */
  get length(): number {
    return this.references.length;
  }

  /** Which row is the next. */
  get nextRow(): number {
    return this.read + 1;
  }

  /** Takes the next row's reference, as bytes of UTF-8, and its texts. */
  add(reference: Buffer, amountText: string, status: string): void {
    this.read += 1;
    const cents = centsOf(amountText);
    const isNamed = isReference(reference);
    if (!isNamed) this.rowFault('externalReference', `must be 1 to ${LONGEST_TEXT} characters`);
    if (cents === undefined)
      this.rowFault('amount', 'must be a decimal, at most 13 digits before the point and two after it');
    if (isTooLong(status) || status.includes('\0'))
      this.rowFault('status', `must be at most ${LONGEST_TEXT} characters`);
    if (!isNamed) return;
    const place = this.references.add(reference, this.read);
    this.cents[place] = cents ?? 0n;
    this.statuses[place] = this.placeOf(status);
  }

  /** Takes a row that cannot be read. */
  addUnreadable(message: string, column?: Column): void {
    this.read += 1;
    this.rowFault(column, message);
  }

  /** Notes what is wrong with the file; what is said of no row is listed before all rows. */
  fault(path: string, message: string, row = 0): void {
    this.faultCount += 1;
    if (row === 0 || this.faults.length < MOST_FAULTS) this.faults.push({ row, path, message });
  }

  /** Puts the rows in the order of their references; VALIDATION_FAILED when anything is wrong with the file. */
  end(): this {
    for (const row of this.references.sort())
      this.fault(`rows.${row}.externalReference`, 'is named by a row before', row);
    if (this.faultCount === 0) return this;
    const listed = this.faults.sort((one, other) => one.row - other.row).slice(0, MOST_FAULTS);
    const entries = listed.map(({ path, message }) => ({ path, message }));
    throw validationFailed(entries, this.faultCount - entries.length);
  }

  /** The row with the reference at a place in their order. */
  at(order: number): RecordRow {
    const place = this.references.placeOf(order);
    const status = this.words[this.statuses[place] ?? 0] ?? '';
    return {
      row: this.references.rowOf(place),
      externalReference: this.references.textOf(place),
      amount: amountOf(this.cents[place] ?? 0n),
      status: status === '' ? null : status,
    };
  }

  private rowFault(column: Column | undefined, message: string): void {
    this.fault(column ? `rows.${this.read}.${column}` : `rows.${this.read}`, message, this.read);
  }

  private placeOf(status: string): number {
    const known = this.places.get(status);
    if (known !== undefined) return known;
    const place = this.words.push(status) - 1;
    this.places.set(status, place);
    return place;
  }
}

/** A character is at most four bytes; a text of so few is looked at no further. */
const isReference = (bytes: Buffer): boolean =>
  bytes.length > 0 &&
  !bytes.includes(0) &&
  (bytes.length <= LONGEST_TEXT || (bytes.length <= 4 * LONGEST_TEXT && !isTooLong(bytes.toString())));

const isTooLong = (text: string): boolean => text.length > LONGEST_TEXT && [...text].length > LONGEST_TEXT;
