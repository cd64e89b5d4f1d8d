import { ActorType, type AuditEntry } from '@reseller/contracts';
import { presentEnum, presentPage, presentRequiredMoment } from '@reseller/presenters';
import { z } from 'zod';
import { pageOf, pageQuery, queryMoment, uuid } from './fields';
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
  async handle({ query, call, clients }) {
    const { partnerId, from, to } = query;
    const request = { page: pageOf(query), partnerId, fromAt: from, toAt: to };
    const { entries, page } = await clients.audit.listAuditEntries(request, call);
    return presentPage(entries, page, presentAuditEntry);
  },
});

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
  };
}

/** Reading the audit. */
export const auditRoutes: readonly OpsRoute[] = [listAudit];
