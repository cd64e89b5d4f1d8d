import { ActorType, type AuditEntry } from '@reseller/contracts';
import { CHANGE_DEADLINE_MS, StreamedPayload } from '@reseller/http-edge';
import { presentEnum, presentPage, presentRequiredMoment } from '@reseller/presenters';
import type { CallContext } from '@reseller/rpc';
import { z } from 'zod';
import type { Clients } from '../clients';
import { CSV, csvHead, csvRow } from './csv';
import { pageOf, pageQuery, queryMoment, uuid } from './fields';
import { auditEntryResponse, auditPage } from './responses/audit';
import { defineRoute, type OpsRoute } from './route';
import { presentDetails } from './values.presenter';

const span = { from: queryMoment.optional(), to: queryMoment.optional() };
const filters = { partnerId: uuid.optional(), ...span };

const listAudit = defineRoute({
  method: 'GET',
  path: '/ops/v1/audit',
  role: 'viewer',
  summary: 'A page of who did what as whom; partnerId matches the acting and the acted-for partner',
  query: z.object({ ...pageQuery, ...filters }),
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
  query: z.object(span),
  deadlineMs: CHANGE_DEADLINE_MS,
  produces: 'application/x-ndjson',
  handle: ({ query, call, clients }) =>
    StreamedPayload.open(jsonLines(readChain(clients, query, call)), 'application/x-ndjson'),
});

const exportAuditAsCsv = defineRoute({
  method: 'GET',
  path: '/ops/v1/audit/csv',
  role: 'viewer',
  summary: 'The audit that fits the filters of its list as CSV, in the order of its chain',
  query: z.object(filters),
  deadlineMs: CHANGE_DEADLINE_MS,
  produces: CSV,
  handle: ({ query, call, clients }) =>
    StreamedPayload.open(csvLines(readChain(clients, query, call)), CSV, 'audit.csv'),
});

type ShownEntry = ReturnType<typeof presentAuditEntry>;

async function* jsonLines(pieces: AsyncIterable<readonly ShownEntry[]>): AsyncGenerator<string> {
  for await (const piece of pieces) yield piece.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

async function* csvLines(pieces: AsyncIterable<readonly ShownEntry[]>): AsyncGenerator<string> {
  const columns = Object.keys(auditEntryResponse.shape);
  let head = csvHead(columns);
  for await (const piece of pieces) {
    yield head + piece.map((entry) => csvRow(columns, entry)).join('');
    head = '';
  }
}

async function* readChain(
  { audit }: Clients,
  { partnerId, from, to }: { partnerId?: string | undefined; from?: Date | undefined; to?: Date | undefined },
  call: CallContext,
): AsyncGenerator<readonly ShownEntry[]> {
  let afterSequence = '0';
  for (let piece = 0, count = PIECE; count === PIECE; piece += 1) {
    const request = { afterSequence, fromAt: from, toAt: to, limit: PIECE, partnerId };
    // Each piece but the first has a deadline of its own.
    const ofPiece = piece === 0 ? call : { ...call, deadlineAt: Date.now() + CHANGE_DEADLINE_MS };
    const { entries } = await audit.listAuditEntriesInSequence(request, ofPiece);
    yield entries.map(presentAuditEntry);
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
    sequence: Number(entry.sequence),
    previousHash: entry.previousHash,
    hash: entry.hash,
  };
}

/** Reading the audit, page by page or whole. */
export const auditRoutes: readonly OpsRoute[] = [listAudit, exportAudit, exportAuditAsCsv];
