import type { ReconciliationServiceService } from '@reseller/contracts';
import type { CallContext, RpcClient } from '@reseller/rpc';
import { z } from 'zod';
import { presentCheckRun, presentDifference } from '../presenters/reconciliation.presenter';
import { pageQuery, queryFlag, text } from './fields';
import { callOf, defineOpsRoute, type OpsRoute, type RouteDeps } from './ops-route';

const SERVICES = ['finance', 'orders-saga', 'scent-commerce'] as const;
const RUN_DEADLINE_MS = 60_000;
/** Kept for the answer of a service that uses up all its time. */
const MARGIN_MS = 500;

const listQuery = z.object({
  ...pageQuery,
  service: z.enum(SERVICES).optional(),
  check: text(1, 64).optional(),
  open: queryFlag.optional(),
});

type Reconciler = RpcClient<typeof ReconciliationServiceService>;
type ServiceName = (typeof SERVICES)[number];

/** What does not agree within and between the services, and comparing it all now. Nothing is repaired. */
export function reconciliationRoutes({ clients, log }: RouteDeps): OpsRoute[] {
  const reconcilers: Readonly<Record<ServiceName, Reconciler>> = {
    finance: clients.financeReconciler,
    'orders-saga': clients.ordersReconciler,
    'scent-commerce': clients.scentReconciler,
  };
  return [
    defineOpsRoute({
      method: 'GET',
      path: '/ops/v1/reconciliation',
      query: listQuery,
      async handle(input) {
        const { page, pageSize, service, check, open } = input.query;
        const asked = service ? [service] : SERVICES;
        const call = callOf(input);
        let offset = (page - 1) * pageSize;
        let totalCount = 0;
        const items: ReturnType<typeof presentDifference>[] = [];
        // One service's list after the other's, so that pages need nothing kept.
        for (const name of asked) {
          const limit = pageSize - items.length;
          const list = await reconcilers[name].listDifferences({ check, isOpen: open, offset, limit }, call);
          items.push(...list.differences.map((one) => presentDifference(name, one)));
          totalCount += list.totalCount;
          offset = Math.max(0, offset - list.totalCount);
        }
        const totalPages = Math.ceil(totalCount / pageSize);
        return { items, pagination: { page, pageSize, totalCount, totalPages } };
      },
    }),
    defineOpsRoute({
      method: 'POST',
      path: '/ops/v1/reconciliation/run',
      deadlineMs: RUN_DEADLINE_MS,
      async handle(input) {
        const call = { ...callOf(input), deadlineAt: input.deadlineAt - MARGIN_MS };
        const answers = await Promise.all(SERVICES.map((name) => runOne(name, reconcilers[name], call, log)));
        const checks = answers.flat();
        return {
          isComplete: checks.every(({ isComplete }) => isComplete),
          openDifferences: checks.reduce((sum, one) => sum + one.openDifferences, 0),
          checks,
        };
      },
    }),
  ];
}

// A service that is away must not hide what the others find.
async function runOne(
  name: ServiceName,
  reconciler: Reconciler,
  call: CallContext,
  log: RouteDeps['log'],
): Promise<ReturnType<typeof presentCheckRun>[]> {
  try {
    const { checks } = await reconciler.runReconciliation({}, call);
    return checks.map((run) => presentCheckRun(name, run));
  } catch (err) {
    log.warn({ err, service: name }, 'a service could not be reconciled');
    const failure = err instanceof Error ? err.message : String(err);
    const nothing = {
      check: '*',
      compared: 0,
      isComplete: false,
      openDifferences: 0,
      completedAt: undefined,
    };
    return [presentCheckRun(name, { ...nothing, failure })];
  }
}
