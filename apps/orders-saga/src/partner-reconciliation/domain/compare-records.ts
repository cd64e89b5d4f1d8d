import { compareCodePoints } from './code-points';
import type { Difference, OwnOrder, RecordRow } from './reconciliation';

/** Compares a record with our orders, both by reference; our orders come one after the other, each after `missBefore` has said false. */
export class Comparison {
  matched = 0;
  private next = 0;
  private current: RecordRow | undefined;

  /** `rows` by reference, by code points, each once. */
  constructor(
    private readonly rows: { readonly length: number; at(index: number): RecordRow },
    private readonly found: (difference: Difference) => void,
  ) {}

  /** Takes one row that stands before our next order, or before the end, as one that we do not have; false when there is none. */
  missBefore(reference: string | undefined): boolean {
    const row = this.peek();
    if (!row || (reference !== undefined && compareCodePoints(row.externalReference, reference) >= 0))
      return false;
    const { externalReference, ...theirs } = row;
    this.takeRow();
    this.found({ kind: 'missingHere', externalReference, theirs, ours: null });
    return true;
  }

  /** The next order of ours, behind the one before by reference. */
  take({ externalReference, ...ours }: OwnOrder): void {
    const row = this.peek();
    if (row?.externalReference !== externalReference)
      return this.found({ kind: 'missingThere', externalReference, theirs: null, ours });
    this.takeRow();
    const { externalReference: _, ...theirs } = row;
    const hasOtherAmount = theirs.amount !== ours.amount;
    const hasOtherStatus = theirs.status !== null && theirs.status !== ours.status;
    if (hasOtherAmount) this.found({ kind: 'amountDiffers', externalReference, theirs, ours });
    if (hasOtherStatus) this.found({ kind: 'statusDiffers', externalReference, theirs, ours });
    if (!hasOtherAmount && !hasOtherStatus) this.matched += 1;
  }

  private peek(): RecordRow | undefined {
    if (this.next < this.rows.length) this.current ??= this.rows.at(this.next);
    return this.current;
  }

  private takeRow(): void {
    this.current = undefined;
    this.next += 1;
  }
}
