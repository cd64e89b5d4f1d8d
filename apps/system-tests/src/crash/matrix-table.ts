import type { CellResult } from './run-cell';

const HEAD = [
  'crash',
  'product',
  'restarts',
  'orders',
  'status',
  'charges',
  'refunds',
  'delivered',
  'repeats',
  's',
  'verdict',
];

/** The matrix for people, in columns. */
export function renderMatrix(results: readonly CellResult[]): string {
  const rows = [HEAD, ...results.map(toRow)];
  const widths = HEAD.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  const line = (row: readonly string[]): string =>
    row
      .map((text, at) => text.padEnd(widths[at]!))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width));
  return [line(HEAD), line(rule), ...results.map((result) => line(toRow(result)))].join('\n');
}

function toRow({ crash, product, restarts, outcome, seconds, faults }: CellResult): string[] {
  const cells = outcome
    ? [outcome.orders, outcome.status, outcome.charges, outcome.refunds, outcome.deliveries]
    : ['?', '?', '?', '?', '?'];
  return [
    crash,
    product,
    String(restarts),
    ...cells.map(String),
    outcome?.isRepeated ? 'yes' : 'no',
    seconds.toFixed(1),
    faults.length === 0 ? 'ok' : `FAILED: ${faults.join('; ')}`,
  ];
}
