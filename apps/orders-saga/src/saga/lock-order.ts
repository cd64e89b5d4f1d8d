/**
 * The rows of a batch in the one order in which everyone locks them, so that no two statements wait for each other
 * (ADR 0012): orders by their id, each one's saga first, and new orders by their reference. Equal keys stay in order of
 * arrival.
 */
export function inLockOrder<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] {
  return rows
    .map((row) => ({ row, key: keyOf(row) }))
    .sort(({ key: one }, { key: other }) => (one === other ? 0 : one < other ? -1 : 1))
    .map(({ row }) => row);
}
