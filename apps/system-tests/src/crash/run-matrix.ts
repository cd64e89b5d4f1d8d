import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { say } from '../bench/measure';
import { OperatorClient } from '../clients/operator-client';
import { KILL_CELLS, readPointCells } from './cells';
import { startCrashPlatform } from './crash-platform';
import { killCell } from './kill-cell';
import { renderMatrix } from './matrix-table';
import { pointCell } from './point-cell';
import { CRASH_PRODUCTS } from './products';
import { runCell } from './run-cell';
import type { CellResult } from './run-cell';

/** Where to write the results, and which cells to run: those whose line holds this text. */
export interface MatrixOptions {
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
 * order; answers whether every cell is as it must be.
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
    for (const cell of cells) {
      for (const product of CRASH_PRODUCTS) {
        if (!`${cell.crash} ${product.name}`.includes(only)) continue;
        const result = await runCell(operator, cell, product);
        results.push(result);
        say(`${result.faults.length === 0 ? '.' : 'F'} ${result.crash} ${result.product}`);
      }
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
