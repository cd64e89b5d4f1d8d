import {
  DifferenceState,
  type CheckRun,
  type Difference,
  type ReconciliationServiceService,
} from '@reseller/contracts';
import { findByName, present, presentMoment, presentRequiredMoment } from '@reseller/presenters';
import type { ErrorDetails } from '@reseller/errors';
import type { CallContext, RpcClient } from '@reseller/rpc';
import { z } from 'zod';
import type { Clients } from '../clients';
import type { StretchBounds } from '../newest-first';
import { pageInTurn } from '../page-in-turn';
import { EXAMPLE_ID, notes, pageQuery, queryFlag, queryMoment, text, uuid } from './fields';
import { differenceRow, differencesPage, reconciliationRunResponse } from './responses/reconciliation';
import { defineRoute, type OpsRoute } from './route';

const SERVICES = ['finance', 'orders-saga', 'scent-commerce'] as const;
const STATES = {
  [DifferenceState.OPEN]: 'Open',
  [DifferenceState.ACCEPTED]: 'Accepted',
  [DifferenceState.RESOLVED]: 'Resolved',
} as const;
/** A broken chain of a thousand entries names each. */
const LONGEST_FIGURE = 20_000;
const RUN_DEADLINE_MS = 60_000;
/** Kept for the response of a service that uses up all its time. */
const MARGIN_MS = 500;
/** By as much the clocks of backoffice's processes may differ. */
const CLOCKS_DIFFER_MS = 60_000;

// With a time to come, each run would begin a check anew that takes longer than a run.
const since = queryMoment
  .refine(
    (at) => at.getTime() <= Date.now() + CLOCKS_DIFFER_MS,
    'must not be in the future; leave it out in the first run, and send its since in those that follow',
  )
  .optional();

type ServiceName = (typeof SERVICES)[number];
type Reconciler = RpcClient<typeof ReconciliationServiceService>;

const reconcilersOf = (clients: Clients): Readonly<Record<ServiceName, Reconciler>> => ({
  finance: clients.financeReconciler,
  'orders-saga': clients.ordersReconciler,
  'scent-commerce': clients.scentReconciler,
});

const listDifferences = defineRoute({
  method: 'GET',
  path: '/ops/v1/reconciliation',
  role: 'viewer',
  summary: "A page of differences: finance's, then orders-saga's, then scent-commerce's, each newest first",
  query: z.object({
    ...pageQuery,
    service: z.enum(SERVICES).optional(),
    check: text(1, 64).optional(),
    open: queryFlag.optional(),
    state: z.enum(Object.values(STATES)).optional(),
  }),
  response: differencesPage,
  async handle({ query: { page, pageSize, service, check, open, state }, call, clients }) {
    const reconcilers = reconcilersOf(clients);
    const lists = (service ? [service] : SERVICES).map((name) => async (stretch: StretchBounds) => {
      const filter = {
        check,
        isOpen: open,
        state: findByName(STATES, state) ?? DifferenceState.UNSPECIFIED,
      };
      const list = await reconcilers[name].listDifferences({ ...filter, ...stretch }, call);
      const items = list.differences.map((one) => presentDifference(name, one));
      return { items, totalCount: list.totalCount };
    });
    return pageInTurn(lists, { page, pageSize });
  },
});

const ofDifference = z.object({ service: z.enum(SERVICES), id: uuid });
const exampleParams = { service: 'orders-saga', id: EXAMPLE_ID } as const;

const acceptDifference = defineRoute({
  method: 'POST',
  path: '/ops/v1/reconciliation/{service}/{id}/accept',
  role: 'support',
  summary:
    'Leave a difference as it is, with the figures that you have read, and say why; with others, now or later, it stays open',
  params: ofDifference,
  body: z.strictObject({ expected: text(0, LONGEST_FIGURE), found: text(0, LONGEST_FIGURE), notes }),
  response: differenceRow,
  examples: {
    params: exampleParams,
    body: {
      expected: 'charged 25.00 (Completed)',
      found: 'none',
      notes: 'Lost with the restore of 3 May; the wallet was adjusted, ticket 4711.',
    },
  },
  audit: ({ params, body, call, clients }) =>
    changeOf('reconciliation.accept', params, body, { call, clients }),
  async handle({ params: { service, id }, body, call, clients }) {
    const request = { differenceId: id, ...body };
    const { difference } = await reconcilersOf(clients)[service].acceptDifference(request, call);
    return presentDifference(service, present(difference, 'difference'));
  },
});

const reopenDifference = defineRoute({
  method: 'POST',
  path: '/ops/v1/reconciliation/{service}/{id}/reopen',
  role: 'support',
  summary: 'Take an acceptance back, and say why: a difference that is still there is open again',
  params: ofDifference,
  body: z.strictObject({ notes }),
  response: differenceRow,
  examples: { params: exampleParams, body: { notes: 'Accepted by mistake; the wallet was not adjusted.' } },
  audit: ({ params, body, call, clients }) =>
    changeOf('reconciliation.reopen', params, body, { call, clients }),
  async handle({ params: { service, id }, call, clients }) {
    const { difference } = await reconcilersOf(clients)[service].reopenDifference({ differenceId: id }, call);
    return presentDifference(service, present(difference, 'difference'));
  },
});

async function changeOf(
  action: string,
  { service, id }: z.infer<typeof ofDifference>,
  body: ErrorDetails,
  { call, clients }: { call: CallContext; clients: Clients },
) {
  const { difference } = await reconcilersOf(clients)[service].getDifference({ differenceId: id }, call);
  const { check, kind, subject } = present(difference, 'difference');
  return { action, subject: id, details: { service, check, kind, subject, ...body } };
}

const runReconciliation = defineRoute({
  method: 'POST',
  path: '/ops/v1/reconciliation/run',
  role: 'support',
  summary:
    'Compare everything now, within 60 s; a service that is away has failure and does not hide the others. A long history takes several: repeat it with the since that the first one has in its response, until isComplete',
  deadlineMs: RUN_DEADLINE_MS,
  query: z.object({ since }),
  response: reconciliationRunResponse,
  async handle({ query, call, clients, log }) {
    const reconcilers = reconcilersOf(clients);
    const { since = new Date() } = query;
    const inTime = { ...call, deadlineAt: (call.deadlineAt ?? 0) - MARGIN_MS };
    const runs = await Promise.all(
      SERVICES.map(async (service) => {
        // A service that is away must not hide what the others find.
        try {
          const { checks } = await reconcilers[service].runReconciliation({ since }, inTime);
          return checks.map((run) => presentCheckRun(service, run));
        } catch (err) {
          log.warn({ err, service }, 'a service could not be reconciled');
          const failure = err instanceof Error ? err.message : String(err);
          const nothing = { compared: 0, isComplete: false, openDifferences: 0, completedAt: undefined };
          return [presentCheckRun(service, { check: '*', ...nothing, failure })];
        }
      }),
    );
    const checks = runs.flat();
    return {
      since: presentRequiredMoment(since, 'since'),
      isComplete: checks.every(({ isComplete }) => isComplete),
      openDifferences: checks.reduce((sum, one) => sum + one.openDifferences, 0),
      checks,
    };
  },
});

function presentDifference(service: ServiceName, difference: Difference) {
  const { id, check, kind, subject, expected, found, state, acceptance, resolvedAt } = difference;
  return {
    id,
    service,
    check,
    kind,
    subject,
    expected,
    found,
    firstSeenAt: presentRequiredMoment(difference.firstSeenAt, 'first_seen_at'),
    lastSeenAt: presentRequiredMoment(difference.lastSeenAt, 'last_seen_at'),
    resolvedAt: presentMoment(resolvedAt),
    // A service of the version before names none.
    state: STATES[state as keyof typeof STATES] ?? (resolvedAt ? 'Resolved' : 'Open'),
    acceptance: acceptance
      ? {
          expected: acceptance.expected,
          found: acceptance.found,
          notes: acceptance.notes,
          acceptedBy: acceptance.acceptedBy,
          acceptedAt: presentRequiredMoment(acceptance.acceptedAt, 'accepted_at'),
        }
      : null,
  };
}

function presentCheckRun(service: ServiceName, run: CheckRun) {
  const { check, compared, isComplete, openDifferences, completedAt, failure } = run;
  return {
    service,
    check,
    compared,
    isComplete,
    openDifferences,
    lastCompletedAt: presentMoment(completedAt),
    failure: failure ?? null,
  };
}

/** What does not agree within and between the services, accepting what is settled, and comparing it all now. Nothing is repaired. */
export const reconciliationRoutes: readonly OpsRoute[] = [
  listDifferences,
  acceptDifference,
  reopenDifference,
  runReconciliation,
];
