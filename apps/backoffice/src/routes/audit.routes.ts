import { ActorType, type AuditEntry } from '@reseller/contracts';
import { CHANGE_DEADLINE_MS, StreamedPayload } from '@reseller/http-edge';
import { presentEnum, presentPage, presentRequiredMoment } from '@reseller/presenters';
import type { CallContext } from '@reseller/rpc';
import { z } from 'zod';
import type { Clients } from '../clients';
import { pageOf, pageQuery, queryMoment, uuid } from './fields';
import { auditPage } from './responses/audit';
import { defineRoute, type OpsRoute } from './route';
import { presentDetails } from './values.presenter';

const listAudit = defineRoute({
  method: 'GET',
  path: '/ops/v1/audit',
  role: 'viewer',
  summary: 'A page of who did what as whom; partnerId matches the acting and the acted-for partner',
  query: z.object({
    ...pageQuery,
    partnerId: uuid.optional(),
    from: queryMoment.optional(),
    to: queryMoment.optional(),
  }),
  response: auditPage,
  async handle({ query, call, clients }) {
    const { partnerId, from, to } = query;
    const request = { page: pageOf(query), partnerId, fromAt: from, toAt: to };
    const { entries, page } = await clients.audit.listAuditEntries(request, call);
    return presentPage(entries, page, presentAuditEntry);
  },
});

/** Entries that are fetched at once: more would not fit in what one call may return. */
const PIECE = 500;

const exportAudit = defineRoute({
  method: 'GET',
  path: '/ops/v1/audit/export',
  role: 'viewer',
  summary: 'The audit of a span of time in the order of its chain, a JSON object on each line',
  query: z.object({ from: queryMoment.optional(), to: queryMoment.optional() }),
  deadlineMs: CHANGE_DEADLINE_MS,
  produces: 'application/x-ndjson',
  handle: ({ query, call, clients }) =>
    StreamedPayload.open(readChain(clients, query, call), 'application/x-ndjson'),
});

async function* readChain(
  { audit }: Clients,
  { from, to }: { from?: Date | undefined; to?: Date | undefined },
  call: CallContext,
): AsyncGenerator<string> {
  let afterSequence = '0';
  for (let piece = 0, count = PIECE; count === PIECE; piece += 1) {
    const request = { afterSequence, fromAt: from, toAt: to, limit: PIECE };
    // Each piece but the first has a deadline of its own.
    const ofPiece = piece === 0 ? call : { ...call, deadlineAt: Date.now() + CHANGE_DEADLINE_MS };
    const { entries } = await audit.listAuditEntriesInSequence(request, ofPiece);
    yield entries.map((entry) => `${JSON.stringify(presentAuditEntry(entry))}\n`).join('');
    count = entries.length;
    afterSequence = entries.at(-1)?.sequence ?? afterSequence;
  }
}

const ACTOR_NAMES: Partial<Record<ActorType, 'Partner' | 'Operator'>> = {
  [ActorType.PARTNER]: 'Partner',
  [ActorType.OPERATOR]: 'Operator',
};

function presentAuditEntry(entry: AuditEntry) {
  return {
    id: entry.id,
    occurredAt: presentRequiredMoment(entry.occurredAt, 'occurred_at'),
    actorType: presentEnum(ACTOR_NAMES, entry.actorType),
    operator: entry.operator ?? null,
    actingPartnerId: entry.actingPartnerId ?? null,
    actingClientId: entry.actingClientId ?? null,
    partnerId: entry.partnerId ?? null,
    action: entry.action,
    subject: entry.subject ?? null,
    requestId: entry.requestId,
    details: presentDetails(entry.detailsJson),
    service: entry.service,
    // Null for a moment, of an entry that an instance of the version before recorded.
    sequence: entry.sequence === undefined ? null : Number(entry.sequence),
    previousHash: entry.previousHash ?? null,
    hash: entry.hash ?? null,
  };
}

/** Reading the audit, page by page or whole. */
export const auditRoutes: readonly OpsRoute[] = [listAudit, exportAudit];
