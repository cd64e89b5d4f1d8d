import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { say } from '../bench/measure';
import { OperatorClient } from '../clients/operator-client';
import { Shelf } from '../clients/scents';
import { KILL_CELLS, readPointCells } from './cells';
import { startCrashPlatform } from './crash-platform';
import { killCell } from './kill-cell';
import { renderMatrix } from './matrix-table';
import { pointCell } from './point-cell';
import { CRASH_PRODUCTS } from './products';
import { runCell } from './run-cell';
import type { CellResult } from './run-cell';
import { runScentCell } from './run-scent-cell';
import { scentCells } from './scent-cells';
import { scentTaskCells } from './scent-task-cells';
import { scentUndoCells } from './scent-undo-cells';

/** Where to write the results, and which cells to run: those whose line holds this text. */
interface MatrixOptions {
  readonly json: string | undefined;
  readonly only: string;
}

/** Reads the command line. */
export function parseMatrixOptions(args: string[]): MatrixOptions {
  const { values } = parseArgs({
    args,
    options: { json: { type: 'string' }, only: { type: 'string', default: '' } },
  });
  return { json: values.json, only: values.only };
}

/**
 * Kills processes of a whole platform at every boundary of the saga, for every product, and prints what is left of each
 * order; returns whether every cell is as it must be.
 */
export async function runMatrix({ json, only }: MatrixOptions): Promise<boolean> {
  const startedAt = performance.now();
  const platform = await startCrashPlatform();
  const results: CellResult[] = [];
  try {
    const operator = new OperatorClient(platform.description);
    const cells = [
      ...readPointCells().map((cell) => pointCell(cell, platform.crashFile)),
      ...KILL_CELLS.map(killCell),
    ];
    const shelf = new Shelf(operator);
    const runs = [
      ...cells.flatMap((cell) =>
        CRASH_PRODUCTS.map((product) => ({
          line: `${cell.crash} ${product.name}`,
          run: () => runCell(operator, cell, product),
        })),
      ),
      ...[
        ...scentCells(platform.crashFile),
        ...scentTaskCells(platform.crashFile),
        ...scentUndoCells(platform.crashFile),
      ].map((cell) => ({
        line: `${cell.crash} Scent`,
        run: () => runScentCell(operator, shelf, cell).finally(() => platform.crashFile.disarm()),
      })),
    ];
    for (const { line, run } of runs.filter((each) => each.line.includes(only))) {
      const result = await run();
      results.push(result);
      say(`${result.faults.length === 0 ? '.' : 'F'} ${line}`);
    }
  } finally {
    await platform.stop();
  }
  const failed = results.filter(({ faults }) => faults.length > 0).length;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  say(`\n${renderMatrix(results)}\n\n${results.length - failed} passed, ${failed} failed, in ${seconds} s`);
  if (json) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
  return failed === 0 && results.length > 0;
}
