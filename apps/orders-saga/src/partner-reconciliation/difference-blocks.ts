import { query, type PreparedStatement } from '@reseller/database';
import type { PoolClient } from 'pg';
import {
  DIFFERENCE_KINDS,
  type Difference,
  type DifferenceCounts,
  type DifferenceKind,
} from './domain/reconciliation';

/** How many differences a block holds. */
export const BLOCK_LENGTH = 100;
/** So many full blocks are written at once. */
const MOST_WAITING = 25;

/** A difference as a block holds it: each side's values in the order of their names here. */
type StoredDifference = readonly [
  externalReference: string,
  row: number | null,
  theirAmount: string | null,
  theirStatus: string | null,
  ourAmount: string | null,
  ourStatus: string | null,
  orderGlobalId: string | null,
];

// Raw: many rows by one statement, in the transaction of the comparison.
const INSERT: PreparedStatement = {
  name: 'reconciliation-differences-insert',
  text: `INSERT INTO partner_reconciliation_differences (reconciliation_id, kind, block, differences)
    SELECT $1, kind, block, differences::jsonb FROM unnest($2::text[], $3::int[], $4::text[]) AS b (kind, block, differences)`,
};

/** Writes differences as they are found, in blocks of a hundred of a kind, so that few are in memory whatever their number. */
export class DifferenceBlocks {
  private readonly open = new Map<DifferenceKind, StoredDifference[]>();
  private readonly blocks = new Map<DifferenceKind, number>();
  private readonly found = new Map<DifferenceKind, number>();
  private waiting: { kind: DifferenceKind; block: number; differences: string }[] = [];

  constructor(
    private readonly tx: PoolClient,
    private readonly reconciliationId: string,
  ) {}

  /** Whether there is so much to write that it should be written now. */
  get isFull(): boolean {
    return this.waiting.length >= MOST_WAITING;
  }

  /** How many there are of each kind. */
  get counts(): DifferenceCounts {
    const of = (kind: DifferenceKind): number => this.found.get(kind) ?? 0;
    const [missingHere, missingThere, amountDiffers, statusDiffers] = DIFFERENCE_KINDS;
    return {
      missingHere: of(missingHere),
      missingThere: of(missingThere),
      amountDiffers: of(amountDiffers),
      statusDiffers: of(statusDiffers),
    };
  }

  /** Takes the next one, by reference. */
  add(difference: Difference): void {
    const { kind } = difference;
    const open = this.open.get(kind) ?? [];
    this.found.set(kind, (this.found.get(kind) ?? 0) + 1);
    open.push(toStored(difference));
    if (open.length < BLOCK_LENGTH) this.open.set(kind, open);
    else this.close(kind, open);
  }

  /** Writes the full blocks. */
  async write(): Promise<void> {
    const { waiting } = this;
    this.waiting = [];
    if (waiting.length === 0) return;
    await query(this.tx, INSERT, [
      this.reconciliationId,
      waiting.map(({ kind }) => kind),
      waiting.map(({ block }) => block),
      waiting.map(({ differences }) => differences),
    ]);
  }

  /** Writes what is left. */
  async end(): Promise<void> {
    for (const [kind, open] of this.open) this.close(kind, open);
    await this.write();
  }

  private close(kind: DifferenceKind, differences: readonly StoredDifference[]): void {
    const block = this.blocks.get(kind) ?? 0;
    this.waiting.push({ kind, block, differences: JSON.stringify(differences) });
    this.blocks.set(kind, block + 1);
    this.open.delete(kind);
  }
}

const toStored = ({ externalReference, theirs, ours }: Difference): StoredDifference => [
  externalReference,
  theirs?.row ?? null,
  theirs?.amount ?? null,
  theirs?.status ?? null,
  ours?.amount ?? null,
  ours?.status ?? null,
  ours?.orderGlobalId ?? null,
];

/** The differences of a block. */
export const fromBlock = (kind: DifferenceKind, differences: unknown): Difference[] =>
  (differences as StoredDifference[]).map(
    ([externalReference, row, theirAmount, theirStatus, ourAmount, ourStatus, orderGlobalId]) => ({
      kind,
      externalReference,
      theirs: row === null || theirAmount === null ? null : { row, amount: theirAmount, status: theirStatus },
      ours:
        ourAmount === null || ourStatus === null || orderGlobalId === null
          ? null
          : { amount: ourAmount, status: ourStatus, orderGlobalId },
    }),
  );
