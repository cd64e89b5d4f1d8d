import { ReconciliationServiceService } from '@reseller/contracts';
import { defineRpc, requireOperator, type RpcService } from '@reseller/rpc';
import { createJob, envInteger, type Job } from '@reseller/service-kit';
import { createSessionPool } from '../create-pool';
import { databaseAddress, type DatabaseSettings } from '../database-address';
import { clampBounds } from '../page';
import { acceptDifference, getDifference, reopenDifference } from './accept';
import { stateNameOf, toMessage } from './difference.mapper';
import type { RetentionRule } from '../retention/rule';
import { Reconciler, type ReconcilerDeps } from './reconciler';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Kept for the response's way back. */
const MARGIN_MS = 500;
/** For a caller that names no deadline. */
const DEFAULT_RUN_MS = 10_000;
/** The job's, and one for who has it run meanwhile; open only while a check runs. */
const SESSIONS = 2;

/** The settings of a service with a reconciler; spread them into its z.object. */
export const reconcileConfig = {
  /** Milliseconds from the end of one run to the next; 0 runs only when called. */
  RECONCILE_INTERVAL_MS: envInteger({ min: 0, max: 24 * HOUR_MS, unit: 'milliseconds' }).default(600_000),
  /** Milliseconds that one run gives each check at least. */
  RECONCILE_BUDGET_MS: envInteger({ min: 1, max: HOUR_MS, unit: 'milliseconds' }).default(5_000),
  /** Milliseconds from the beginning of a pass through all records to its end. */
  RECONCILE_PASS_MS: envInteger({ min: 1, max: 90 * DAY_MS, unit: 'milliseconds' }).default(4 * HOUR_MS),
  /** For how long differences are listed that have ended. */
  RECONCILIATION_RETENTION_MS: envInteger({ min: 1, max: 3_650 * DAY_MS, unit: 'milliseconds' }).default(
    90 * DAY_MS,
  ),
};

/** Differences stay so long after they ended; one that is there stays, accepted or not. There are few, so no index of their own serves it. */
export const differenceRetention = (config: { RECONCILIATION_RETENTION_MS: number }): RetentionRule => ({
  table: 'reconciliation_differences',
  among: 'resolved_at IS NOT NULL AND resolved_at < $1',
  oldestFirst: 'first_seen_at',
  expired: 'resolved_at < $1',
  keepMs: config.RECONCILIATION_RETENTION_MS,
});

/** The reconciler as a part of a service. */
interface ServedReconciler {
  readonly rpc: RpcService;
  /** None when it runs only when called. */
  readonly jobs: Job[];
  close(): Promise<void>;
}

type ReconcileSettings = Record<
  'RECONCILE_INTERVAL_MS' | 'RECONCILE_BUDGET_MS' | 'RECONCILE_PASS_MS',
  number
>;

/** Runs a service's checks from time to time and whenever called. */
export function serveReconciler(
  deps: Omit<ReconcilerDeps, 'sessions'>,
  config: DatabaseSettings & ReconcileSettings,
): ServedReconciler {
  const { log } = deps;
  const sessions = createSessionPool({
    ...databaseAddress(config),
    max: SESSIONS,
    name: 'reconciliation',
    log,
  });
  const reconciler = new Reconciler({ ...deps, sessions });
  return {
    rpc: reconciliationService(reconciler),
    jobs: config.RECONCILE_INTERVAL_MS > 0 ? [reconcileJob(reconciler, config, deps)] : [],
    close: () => sessions.end(),
  };
}

function reconcileJob(
  reconciler: Reconciler,
  config: ReconcileSettings,
  { log, metrics }: Pick<ReconcilerDeps, 'log' | 'metrics'>,
): Job {
  const { RECONCILE_INTERVAL_MS: intervalMs, RECONCILE_BUDGET_MS: budgetMs } = config;
  const pace = { intervalMs, passMs: config.RECONCILE_PASS_MS };
  let isStart = true;
  return createJob({
    name: 'reconcile',
    intervalMs,
    intervalFrom: 'start',
    // Not as part of a start, when many processes begin at once and have better things to do.
    run: async (signal) => {
      if (!isStart) await reconciler.run({ budgetMs, pace, signal });
      isStart = false;
    },
    log,
    metrics,
  });
}

function reconciliationService(reconciler: Reconciler): RpcService {
  return defineRpc(ReconciliationServiceService, {
    async runReconciliation({ since }, { deadlineAt, signal }) {
      const until = (deadlineAt ?? Date.now() + DEFAULT_RUN_MS) - MARGIN_MS;
      return { checks: await reconciler.run({ since, until, signal }) };
    },
    async listDifferences({ check, isOpen, state, ...bounds }) {
      const filter = { check, isOpen, state: stateNameOf(state) };
      const { differences, totalCount } = await reconciler.records.list(filter, clampBounds(bounds));
      return { differences: differences.map(toMessage), totalCount };
    },
    async getDifference({ differenceId }) {
      return { difference: toMessage(await getDifference(reconciler.records, differenceId)) };
    },
    async acceptDifference({ differenceId, ...figures }, call) {
      const acceptance = { ...figures, acceptedBy: requireOperator(call) };
      return { difference: toMessage(await acceptDifference(reconciler.records, differenceId, acceptance)) };
    },
    async reopenDifference({ differenceId }, call) {
      requireOperator(call);
      return { difference: toMessage(await reopenDifference(reconciler.records, differenceId)) };
    },
  });
}
