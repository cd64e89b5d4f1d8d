import { ActorType, type AuditEntry } from '@reseller/contracts';
import { presentEnum, presentRequiredMoment } from '@reseller/presenters';
import { presentDetails } from './details.presenter';

const ACTOR_NAMES: Partial<Record<ActorType, 'Partner' | 'Operator'>> = {
  [ActorType.PARTNER]: 'Partner',
  [ActorType.OPERATOR]: 'Operator',
};

/** An audit entry as operators read it. */
export function presentAuditEntry(entry: AuditEntry) {
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
