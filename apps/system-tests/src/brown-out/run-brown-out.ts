import { writeFileSync } from 'node:fs';
import { say } from '../bench/measure';
import { OperatorClient } from '../clients/operator-client';
import { startPlatform, type StartedPlatform } from '../platform/start-platform';
import { startBetween, type Between } from './between';
import { CELLS, type BrownOutCell } from './cells';
import type { BrownOutOptions } from './options';
import { runBrownOutCell, type BrownOutResult, type Watch } from './run-cell';
import { renderBrownOuts } from './table';

/** Polls and retries that take minutes otherwise, so that it is soon quiet again; no time that a fault meets is shorter. */
const SOON_QUIET = {
  VENDOR_POLL_BASE_MS: '500',
  VENDOR_POLL_CAP_MS: '2000',
  WEBHOOK_RETRY_BASE_MS: '500',
  WEBHOOK_RETRY_CAP_MS: '2000',
};

/** A platform whose parts can be made unwell. */
export interface BrownOutPlatform extends StartedPlatform {
  readonly between: Between;
}

/** Starts it and makes it the one that this process's clients read of (PLATFORM_JSON). */
export async function startBrownOutPlatform(): Promise<BrownOutPlatform> {
  const between = await startBetween();
  const platform = await startPlatform({ ...SOON_QUIET, ...between.env, ACCESS_LOG: 'off' }).catch(
    async (error: unknown) => {
      await between.stop();
      throw error;
    },
  );
  process.env.PLATFORM_JSON = platform.file;
  const stop = async (): Promise<void> => {
    await platform.stop();
    await between.stop();
  };
  return { ...platform, between, stop };
}

/** Runs one cell; what it cannot even compare is a fault, too. */
export async function runBrownOut(
  cell: BrownOutCell,
  watch: Watch,
  { between, description }: BrownOutPlatform,
): Promise<BrownOutResult> {
  const operator = new OperatorClient(description);
  const { gatewayUrl } = description;
  try {
    return await runBrownOutCell(cell, { ...watch, between, operator, gatewayUrl });
  } catch (error) {
    const faults = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
    return { cell, samples: [], wellAfterMs: undefined, repeatedWebhooks: 0, faults };
  }
}

/** Runs the matrix and prints what partners got and what was left; resolves whether every cell passed. */
export async function runBrownOuts({ seconds, only, json }: BrownOutOptions): Promise<boolean> {
  const startedAt = performance.now();
  const platform = await startBrownOutPlatform();
  const results: BrownOutResult[] = [];
  try {
    for (const cell of CELLS.filter(({ name }) => only.some((text) => name.includes(text)))) {
      const result = await runBrownOut(cell, { seconds, isTimed: true }, platform);
      results.push(result);
      say(`${result.faults.length === 0 ? '.' : 'F'} ${cell.name}`);
      for (const fault of result.faults) say(`    ${fault}`);
    }
  } finally {
    await platform.stop();
  }
  const failed = results.filter(({ faults }) => faults.length > 0).length;
  const took = Math.round((performance.now() - startedAt) / 1_000);
  say(`\n${renderBrownOuts(results)}\n\n${results.length - failed} passed, ${failed} failed, in ${took} s`);
  if (json) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
  return failed === 0 && results.length > 0;
}
