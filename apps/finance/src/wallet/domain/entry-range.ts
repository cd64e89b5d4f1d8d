/** How a line counts: all lines, or those of one type. */
export type TypeFilter = 'Debit' | 'Credit' | undefined;

/** A place in a wallet's gapless ledger: the lines up to it, and the Debits among them. */
export interface LedgerPosition {
  seq: bigint;
  debitSeq: bigint;
}

/** Before the first line. */
export const LEDGER_START: LedgerPosition = { seq: 0n, debitSeq: 0n };

/** The ordinals (low, high] of a page's lines, and how many lines the whole list has. */
export interface EntryRange {
  after: bigint;
  upTo: bigint;
  total: number;
}

/**
 * Which lines make up a page, newest first, of those after one position and up to another. Every line carries its
 * ordinals, so neither the count nor a far page reads what lies between.
 */
export function pageOfEntries(
  from: LedgerPosition,
  to: LedgerPosition,
  type: TypeFilter,
  page: { limit: number; offset: number },
): EntryRange {
  const low = ordinalOf(from, type);
  const high = ordinalOf(to, type);
  const total = high > low ? high - low : 0n;
  const upTo = high - BigInt(page.offset);
  const after = upTo - BigInt(page.limit);
  return { after: after > low ? after : low, upTo, total: Number(total) };
}

function ordinalOf({ seq, debitSeq }: LedgerPosition, type: TypeFilter): bigint {
  if (type === undefined) return seq;
  return type === 'Debit' ? debitSeq : seq - debitSeq;
}
