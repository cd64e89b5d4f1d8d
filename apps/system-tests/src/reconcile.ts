import type { OperatorClient } from './clients/operator-client';
import type { Page } from './clients/resources';
import { until } from './until';

interface ReconciliationRun {
  readonly since: string;
  readonly isComplete: boolean;
  readonly checks: readonly {
    readonly service: string;
    readonly check: string;
    readonly compared: number;
    readonly failure: string | null;
  }[];
}

/**
 * Runs the platform's own reconciler until it has been through everything; returns how much it compared, what does not agree,
 * and what kept it from the end for so many milliseconds.
 */
export async function reconcile(
  operator: OperatorClient,
  limitMs = 120_000,
): Promise<{ compared: number; faults: string[] }> {
  let compared = 0;
  let query = '';
  let reasons = ['it was never run'];
  await until(
    'the reconciler went through everything',
    async () => {
      const run = await operator.post<ReconciliationRun>(`/reconciliation/run${query}`);
      // A long history takes several runs, each going on where the one before ended.
      query = `?since=${run.since}`;
      compared += run.checks.reduce((sum, check) => sum + check.compared, 0);
      const failed = run.checks.filter(({ failure }) => failure !== null);
      reasons = failed.map(({ service, check, failure }) => `${service}, ${check}: ${failure}`);
      return run.isComplete && failed.length === 0;
    },
    limitMs,
  ).catch((error: Error) => reasons.unshift(error.message));
  const open = await operator.get<Page<unknown>>('/reconciliation?open=true');
  const differences = open.items.map((one) => `records differ: ${JSON.stringify(one)}`);
  return { compared, faults: [...reasons, ...differences] };
}
