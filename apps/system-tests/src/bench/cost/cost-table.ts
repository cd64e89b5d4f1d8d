import type { Cost } from './cost-subject';
import type { RowChanges } from './database-counters';

/** One line: what it is, and the figure of each build. */
type Line = readonly [name: string, ...values: readonly (number | undefined)[]];

/** Less than this is left out of the parts of a sum. */
const NEGLIGIBLE = 0.005;

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

/** CPU milliseconds of one operation, all processes together. */
export const cpuPerOperation = (cost: Cost): number => sum(cost.cpuMs.values()) / cost.count;

/** Kilobytes of the write-ahead log of one operation. */
export const walKbPerOperation = (cost: Cost): number => cost.walBytes / cost.count / 1_000;

/** Rows that one operation inserts, updates and deletes, in all databases. */
export const changesPerOperation = (cost: Cost): number =>
  sum([...(cost.counted?.changes.values() ?? [])].map(allOf)) / cost.countedOperations;

/** Commits of one operation, in all databases. */
export const commitsPerOperation = (cost: Cost): number =>
  sum(cost.counted?.commits.values() ?? []) / cost.countedOperations;

const allOf = ({ inserted, updated, deleted }: RowChanges): number => inserted + updated + deleted;

/** The cost of an operation in lines, a column for each build, and by how much the last differs from the first. */
export function renderCosts(name: string, builds: readonly string[], costs: readonly Cost[]): string {
  const compares = costs.length > 1;
  const head = [name, ...builds, ...(compares ? ['change'] : [])];
  const cells = [
    head,
    ...linesOf(costs).map(([title, ...values]) => [
      title,
      ...values.map(format),
      ...(compares ? [changeOf(values[0], values.at(-1))] : []),
    ]),
  ];
  const widths = head.map((_, at) => Math.max(...cells.map((line) => line[at]!.length)));
  return cells
    .map((line) => line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))))
    .map((line) => line.join('  ').trimEnd())
    .join('\n');
}

function linesOf(costs: readonly Cost[]): Line[] {
  const each = (pick: (cost: Cost) => number | undefined): (number | undefined)[] => costs.map(pick);
  const tables = (kind: (row: RowChanges) => number): Line[] =>
    partsOf(costs, (cost) =>
      perOperation(
        [...(cost.counted?.changes ?? [])].map(([table, row]) => [table, kind(row)]),
        cost.countedOperations,
      ),
    );
  return [
    ['operations', ...each((cost) => cost.count)],
    ['operations a second', ...each((cost) => cost.count / cost.seconds)],
    ...(costs.some(({ failures }) => failures > 0)
      ? [['FAILED', ...each(({ failures }) => failures)] as const]
      : []),
    ['CPU ms', ...each(cpuPerOperation)],
    ...partsOf(costs, (cost) => perOperation([...cost.cpuMs], cost.count)),
    ['WAL KB', ...each(walKbPerOperation)],
    ['row changes', ...each(changesPerOperation)],
    ['inserted', ...each(changesOf('inserted'))],
    ...tables(({ inserted }) => inserted),
    ['updated', ...each(changesOf('updated'))],
    ...tables(({ updated }) => updated),
    ['of these hot', ...each(changesOf('hot'))],
    ['deleted', ...each(changesOf('deleted'))],
    ...tables(({ deleted }) => deleted),
    ['commits', ...each(commitsPerOperation)],
    ...partsOf(costs, (cost) => perOperation([...(cost.counted?.commits ?? [])], cost.countedOperations)),
    ['statements', ...each((cost) => sum(cost.statements.values()) / cost.loggedOperations)],
    ...partsOf(costs, (cost) => perOperation([...cost.statements], cost.loggedOperations)),
  ];
}

const changesOf =
  (kind: keyof RowChanges) =>
  (cost: Cost): number =>
    sum([...(cost.counted?.changes.values() ?? [])].map((row) => row[kind])) / cost.countedOperations;

const perOperation = (parts: readonly (readonly [string, number])[], count: number): Map<string, number> =>
  new Map(parts.map(([name, value]) => [name, value / count]));

/** The parts of a sum, indented, the largest first, without those that are next to nothing. */
function partsOf(costs: readonly Cost[], partsIn: (cost: Cost) => Map<string, number>): Line[] {
  const parts = costs.map(partsIn);
  const largest = (name: string): number => Math.max(...parts.map((each) => each.get(name) ?? 0));
  return [...new Set(parts.flatMap((each) => [...each.keys()]))]
    .filter((name) => largest(name) >= NEGLIGIBLE)
    .sort((a, b) => largest(b) - largest(a))
    .map((name) => [`  ${name}`, ...parts.map((each) => each.get(name) ?? 0)]);
}

const format = (value: number | undefined): string =>
  value === undefined || Number.isNaN(value)
    ? '–'
    : value >= 1_000
      ? value.toFixed(0)
      : value.toFixed(value >= 100 ? 1 : 2);

const changeOf = (first: number | undefined, last: number | undefined): string =>
  first === undefined || last === undefined || !(first > 0)
    ? ''
    : `${last >= first ? '+' : '−'}${Math.abs((last / first - 1) * 100).toFixed(0)} %`;
