/** In what two records differ, in the order in which differences are listed (spec §17.4). */
export const DIFFERENCE_KINDS = ['missingHere', 'missingThere', 'amountDiffers', 'statusDiffers'] as const;

/** One of the four. */
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** An order as we know it. */
export interface OwnOrder {
  readonly externalReference: string;
  /** Two decimals. */
  readonly amount: string;
  /** Its public name. */
  readonly status: string;
  readonly orderGlobalId: string;
}

/** An order as a partner's record has it. */
export interface RecordRow {
  /** From 1 under the header. */
  readonly row: number;
  readonly externalReference: string;
  /** Two decimals. */
  readonly amount: string;
  /** Null when the record does not say. */
  readonly status: string | null;
}

/** One difference, with what each side has of the order. */
export interface Difference {
  readonly kind: DifferenceKind;
  readonly externalReference: string;
  readonly theirs: Omit<RecordRow, 'externalReference'> | null;
  readonly ours: Omit<OwnOrder, 'externalReference'> | null;
}

/** Which orders a record is about. */
export interface ReconciledTime {
  readonly product: string;
  /** Inclusive, on submission. */
  readonly fromAt: Date;
  /** Exclusive. */
  readonly toAt: Date;
}

/** How many differences there are of each kind. */
export type DifferenceCounts = Readonly<Record<DifferenceKind, number>>;

/** What came of comparing. */
export interface Reconciliation extends ReconciledTime {
  readonly id: string;
  readonly createdAt: Date;
  readonly rows: number;
  readonly matched: number;
  readonly differences: DifferenceCounts;
}
