import { compareCodePoints } from './code-points';
import type { Difference, OwnOrder, RecordRow } from './reconciliation';

/** Compares a record with our orders, both by reference; our orders come one after the other. */
export class Comparison {
  matched = 0;
  private next = 0;

  /** `rows` by reference, by code points, each once. */
  constructor(
    private readonly rows: { readonly length: number; at(index: number): RecordRow },
    private readonly found: (difference: Difference) => void,
  ) {}

  /** The next order of ours, behind the one before by reference. */
  take({ externalReference, ...ours }: OwnOrder): void {
    let order = this.orderOf(externalReference);
    while (order < 0) {
      this.missHere();
      order = this.orderOf(externalReference);
    }
    if (order > 0) this.found({ kind: 'missingThere', externalReference, theirs: null, ours });
    else this.compare(externalReference, ours);
  }

  /** There are no more of ours. */
  end(): void {
    while (this.next < this.rows.length) this.missHere();
  }

  /** Where the next row stands to a reference; behind all of them when there is none. */
  private orderOf(reference: string): number {
    if (this.next >= this.rows.length) return 1;
    return compareCodePoints(this.rows.at(this.next).externalReference, reference);
  }

  private compare(externalReference: string, ours: Omit<OwnOrder, 'externalReference'>): void {
    const { row, amount, status } = this.takeRow();
    const theirs = { row, amount, status };
    const hasOtherAmount = amount !== ours.amount;
    const hasOtherStatus = status !== null && status !== ours.status;
    if (hasOtherAmount) this.found({ kind: 'amountDiffers', externalReference, theirs, ours });
    if (hasOtherStatus) this.found({ kind: 'statusDiffers', externalReference, theirs, ours });
    if (!hasOtherAmount && !hasOtherStatus) this.matched += 1;
  }

  private missHere(): void {
    const { externalReference, ...theirs } = this.takeRow();
    this.found({ kind: 'missingHere', externalReference, theirs, ours: null });
  }

  private takeRow(): RecordRow {
    const row = this.rows.at(this.next);
    this.next += 1;
    return row;
  }
}
