import { cpuOfAll, needsAt, PLANNED_BUSY, type UnitCost } from './needs';

/** What one of something costs, by its name. */
export interface NamedCost {
  readonly name: string;
  readonly cost: UnitCost;
}

const RATES = [1_000, 10_000, 100_000];
/** Less CPU than this is left out. */
const NEGLIGIBLE_MS = 0.01;

/** What one of each costs, in Markdown. */
export function renderCosts(costs: readonly NamedCost[]): string {
  const each = (figure: (cost: UnitCost) => number, digits: number): string[] =>
    costs.map(({ cost }) => figure(cost).toFixed(digits));
  return table([
    ['one of each costs', ...costs.map(({ name }) => name)],
    ['CPU, ms', ...each(cpuOfAll, 2)],
    ...processesOf(costs.map(({ cost }) => cost)).map((name) => [
      `– ${name}`,
      ...each(({ cpuMs }) => cpuMs.get(name) ?? 0, 2),
    ]),
    ['write-ahead log, KB', ...each(({ walBytes }) => walBytes / 1e3, 1)],
    ['tables and indexes, KB', ...each(({ diskBytes }) => diskBytes / 1e3, 1)],
    ['network, KB', ...each(({ networkBytes }) => networkBytes / 1e3, 1)],
  ]);
}

/** What so many a second of it take, in Markdown. */
export function renderNeeds(cost: UnitCost): string {
  const needs = RATES.map((rate) => needsAt(rate, cost));
  return table([
    ['top-ups a second, each with its webhook', ...RATES.map((rate) => rate.toLocaleString('en'))],
    ...processesOf([cost]).map((name) => [
      `${name}, cores ${PLANNED_BUSY * 100} % busy`,
      ...needs.map(({ cores }) => (cores.get(name) ?? 0).toFixed(1)),
    ]),
    ['write-ahead log, MB/s', ...needs.map((one) => one.walMbPerSecond.toFixed(0))],
    ['tables and indexes, GB a day', ...needs.map((one) => one.diskGbPerDay.toFixed(0))],
    ['network, Gbit/s', ...needs.map((one) => one.networkGbitPerSecond.toFixed(1))],
  ]);
}

/** Every process that uses a noticeable share, the largest first. */
function processesOf(costs: readonly UnitCost[]): string[] {
  const largest = (name: string): number => Math.max(...costs.map(({ cpuMs }) => cpuMs.get(name) ?? 0));
  return [...new Set(costs.flatMap(({ cpuMs }) => [...cpuMs.keys()]))]
    .filter((name) => largest(name) >= NEGLIGIBLE_MS)
    .sort((a, b) => largest(b) - largest(a));
}

function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}
