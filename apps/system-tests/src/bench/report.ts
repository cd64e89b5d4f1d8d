import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';

/** One line of the table; null where there is nothing to say. */
export interface BenchRow {
  readonly work: string;
  readonly target: string;
  readonly measured: number;
  readonly unit: string;
  readonly yardstick: number | null;
  readonly ratio: number | null;
  readonly isReached: boolean;
  readonly note: string;
}

/** Size of the machine, as it stands beside every table. */
export function describeMachine(): { cpu: string; cores: number; memoryGiB: number; node: string } {
  const all = cpus();
  return {
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    node: process.version,
  };
}

/** The table in Markdown, so that it can be pasted into the README. */
export function renderTable(rows: readonly BenchRow[]): string {
  const cells = [
    ['Work', 'Target', 'Measured', 'Yardstick', 'Ratio', ''],
    ...rows.map((row) => [
      row.work,
      row.target,
      `${round(row.measured)} ${row.unit}${row.isReached ? '' : ', **missed**'}`,
      row.yardstick === null ? '–' : `${round(row.yardstick)} ${row.unit}`,
      row.ratio === null ? '–' : row.ratio.toFixed(2),
      row.note,
    ]),
  ];
  const widths = cells[0]!.map((_, at) => Math.max(...cells.map((line) => line[at]!.length)));
  const lines = cells.map((line) => `| ${line.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`);
  lines.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  return lines.join('\n');
}

/** Appends the run to docs/benchmarks/history.jsonl as one line. */
export function appendHistory(root: string, rows: readonly BenchRow[], settings: object): string {
  const file = path.join(root, 'docs/benchmarks/history.jsonl');
  mkdirSync(path.dirname(file), { recursive: true });
  const line = {
    date: new Date().toISOString(),
    commit: commitOf(root),
    machine: describeMachine(),
    settings,
    rows,
  };
  appendFileSync(file, `${JSON.stringify(line)}\n`);
  return file;
}

function commitOf(root: string): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '-uno') === '' ? '' : '+changes'}`;
  } catch {
    return 'unknown';
  }
}

const round = (value: number): string =>
  value >= 100 ? Math.round(value).toString() : value.toFixed(value >= 1 ? 1 : 3);
