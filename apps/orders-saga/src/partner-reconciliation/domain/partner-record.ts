import { MOST_FAULTS, validationFailed, type FieldFault } from '@reseller/errors';
import { compareCodePoints } from './code-points';
import type { RecordRow } from './reconciliation';

/** The columns that a record must have. */
export const COLUMNS = ['externalReference', 'amount', 'status'] as const;

/** One of them. */
export type Column = (typeof COLUMNS)[number];

/** The most rows of a file, and the longest texts in it (spec §17.4). */
export const MOST_ROWS = 100_000;
const LONGEST_TEXT = 128;

const AMOUNT = /^(-?)0*(\d{1,13})(?:\.(\d{1,2}))?$/;

/** An amount in two decimals, so that amounts are the same when their texts are; undefined when the text is none. */
export function amountOf(text: string): string | undefined {
  const [, sign = '', whole, cents = ''] = AMOUNT.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const amount = `${whole}.${cents.padEnd(2, '0')}`;
  return /[1-9]/.test(amount) ? sign + amount : amount;
}

/** A partner's record as it is read from a file: its rows, or what is wrong with it. */
export class PartnerRecord {
  private readonly references: string[] = [];
  private readonly amounts: string[] = [];
  private readonly statuses: (string | null)[] = [];
  private readonly known = new Set<string>();
  // One text for each status, and not as many as there are rows.
  private readonly words = new Map<string, string>();
  private readonly faults: FieldFault[] = [];
  private leftOut = 0;
  private order: Int32Array | undefined;
  private read = 0;

  /** How many rows there are. */
  get length(): number {
    return this.references.length;
  }

  /** Which row is the next. */
  get nextRow(): number {
    return this.read + 1;
  }

  /** Takes the next row's texts. */
  add(externalReference: string, amountText: string, status: string): void {
    this.read += 1;
    const amount = amountOf(amountText);
    this.checkReference(externalReference);
    if (amount === undefined) this.rowFault('amount', 'must be a decimal with at most two decimals');
    if (isTooLong(status) || status.includes('\0'))
      this.rowFault('status', `must be at most ${LONGEST_TEXT} characters`);
    if (this.hasFaults) return;
    this.references.push(externalReference);
    this.amounts.push(amount ?? '');
    this.statuses.push(status === '' ? null : this.wordOf(status));
  }

  /** Takes a row that cannot be read. */
  addUnreadable(message: string, column?: Column): void {
    this.read += 1;
    this.rowFault(column, message);
  }

  /** Notes what is wrong with the file; what is first is listed whatever else is wrong. */
  fault(path: string, message: string, { isFirst = false } = {}): void {
    if (isFirst) this.faults.unshift({ path, message });
    else if (this.faults.length < MOST_FAULTS) this.faults.push({ path, message });
    else this.leftOut += 1;
  }

  /** Puts the rows in the order of their references; VALIDATION_FAILED when anything is wrong with the file. */
  end(): this {
    this.known.clear();
    if (this.hasFaults) throw validationFailed(this.faults, this.leftOut);
    const { references } = this;
    const compare = (one: number, other: number): number =>
      compareCodePoints(references[one] ?? '', references[other] ?? '');
    this.order = Int32Array.from(references.keys()).sort(compare);
    return this;
  }

  /** The row with the reference at a place in their order. */
  at(place: number): RecordRow {
    const index = this.order?.[place] ?? -1;
    return {
      row: index + 1,
      externalReference: this.references[index] ?? '',
      amount: this.amounts[index] ?? '',
      status: this.statuses[index] ?? null,
    };
  }

  private get hasFaults(): boolean {
    return this.faults.length > 0;
  }

  private checkReference(reference: string): void {
    if (reference === '' || isTooLong(reference) || reference.includes('\0'))
      return this.rowFault('externalReference', `must be 1 to ${LONGEST_TEXT} characters`);
    if (this.known.has(reference)) return this.rowFault('externalReference', 'is named by a row before');
    this.known.add(reference);
  }

  private rowFault(column: Column | undefined, message: string): void {
    this.fault(column ? `rows.${this.read}.${column}` : `rows.${this.read}`, message);
  }

  private wordOf(status: string): string {
    const known = this.words.get(status);
    if (known !== undefined) return known;
    this.words.set(status, status);
    return status;
  }
}

const isTooLong = (text: string): boolean => text.length > LONGEST_TEXT && [...text].length > LONGEST_TEXT;
