import type { Sample } from './load';
import type { BrownOutResult } from './run-cell';
import { percentile } from '../percentile';

const COLUMNS: readonly (readonly [title: string, value: (result: BrownOutResult) => string])[] = [
  ['part, fault', ({ cell }) => cell.name],
  ['responses', ({ samples }) => countByCode(samples)],
  ['p50 ms', ({ samples }) => quantile(samples, 0.5)],
  ['p99 ms', ({ samples }) => quantile(samples, 0.99)],
  ['max ms', ({ samples }) => quantile(samples, 1)],
  ['not served', ({ samples }) => notServed(samples)],
  [
    'well after s',
    ({ wellAfterMs }) => (wellAfterMs === undefined ? 'never' : (wellAfterMs / 1_000).toFixed(1)),
  ],
  ['webhooks again', ({ repeatedWebhooks }) => String(repeatedWebhooks)],
  ['left', ({ faults }) => (faults.length === 0 ? 'nothing' : `${faults.length} FAULTS`)],
];

/** The matrix as a Markdown table: what partners got while a part was unwell, and what was left. */
export function renderBrownOuts(results: readonly BrownOutResult[]): string {
  const rows = [
    COLUMNS.map(([title]) => title),
    COLUMNS.map(() => '---'),
    ...results.map((result) => COLUMNS.map(([, value]) => value(result))),
  ];
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function countByCode(samples: readonly Sample[]): string {
  const counts = new Map<string, number>();
  for (const { code } of samples) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts]
    .sort(([, left], [, right]) => right - left)
    .map(([code, count]) => `${count} ${code}`)
    .join(', ');
}

/** Routes that did not always succeed. */
function notServed(samples: readonly Sample[]): string {
  const names = samples.filter(({ code }) => code !== 'SUCCESS').map(({ route }) => route.name);
  return [...new Set(names)].sort().join('; ') || 'none';
}

/** In whole milliseconds. */
function quantile(samples: readonly Sample[], share: number): string {
  const latencies = samples.map(({ ms }) => ms);
  return percentile(latencies, share).toFixed();
}
