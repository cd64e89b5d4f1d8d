import { CPU_USERS, type CpuUse } from './cpu-use';
import type { Figures } from './figures';

/** What one multiple of the peak came to. */
export interface Step {
  readonly factor: number;
  readonly flood: Figures;
  /** Another partner's orders and reads beside it. */
  readonly bystander: Figures;
  readonly reads: Figures;
  /** From the end of the load to the peak; undefined when it did not come back while it was watched. */
  readonly backAfterMs: number | undefined;
  /** While it was offered. */
  readonly cpu: CpuUse;
}

const ms = (value: number): string => String(Math.round(value));
const share = (part: number, whole: number): string => (whole === 0 ? '–' : (part / whole).toFixed(2));

const COLUMNS: readonly (readonly [title: string, value: (step: Step, peak: number) => string])[] = [
  ['offered', ({ factor }) => `${factor} ×`],
  ['goodput/s', ({ flood }) => flood.goodput.toFixed(0)],
  ['of the peak', ({ flood }, peak) => share(flood.goodput, peak)],
  ['p50 ms', ({ flood }) => ms(flood.p50)],
  ['p99 ms', ({ flood }) => ms(flood.p99)],
  ['refused', ({ flood }) => share(flood.refused, flood.offered)],
  ['refusal p50 ms', ({ flood }) => ms(flood.refusalP50)],
  ['p99 ms', ({ flood }) => ms(flood.refusalP99)],
  ['faults', ({ flood }) => String(flood.faults.length)],
  ['last response after ms', ({ flood }) => ms(flood.lastResponseAfter)],
  ['peak back after ms', ({ backAfterMs }) => (backAfterMs === undefined ? 'never' : ms(backAfterMs))],
  ['bystander orders', ({ bystander }) => share(bystander.done, bystander.offered)],
  ['p99 ms', ({ bystander }) => ms(bystander.p99)],
  ['bystander reads', ({ reads }) => share(reads.done, reads.offered)],
  ['p99 ms', ({ reads }) => ms(reads.p99)],
];

const CPU_COLUMNS: typeof COLUMNS = [
  ['cores busy at', ({ factor }) => `${factor} ×`],
  ...CPU_USERS.map((user) => [user, ({ cpu }: Step) => cpu[user]?.toFixed(2) ?? '–'] as const),
];

/** The steps as Markdown: what came of each, and who used the machine meanwhile. */
export function renderSteps(steps: readonly Step[], peak: number): string {
  return [COLUMNS, CPU_COLUMNS]
    .map((columns) => {
      const rows = [
        columns.map(([title]) => title),
        columns.map(() => '---:'),
        ...steps.map((step) => columns.map(([, value]) => value(step, peak))),
      ];
      return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
    })
    .join('\n\n');
}
