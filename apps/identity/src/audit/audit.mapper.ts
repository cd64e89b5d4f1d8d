import { ActorType, type AuditEntry } from '@reseller/contracts';
import { AUDIT_SERVICE, NO_DETAILS, type AuditRecord } from './domain/audit-entry';

/** The entry as callers read it; details that say nothing are an empty text. */
export function toAuditEntryMessage(record: AuditRecord): AuditEntry {
  return {
    id: record.id,
    actorType: record.actorType === 'partner' ? ActorType.PARTNER : ActorType.OPERATOR,
    actingPartnerId: record.actingPartnerId ?? undefined,
    actingClientId: record.actingClientId ?? undefined,
    operator: record.operator ?? undefined,
    partnerId: record.partnerId ?? undefined,
    action: record.action,
    subject: record.subject ?? undefined,
    requestId: record.requestId,
    occurredAt: record.occurredAt,
    detailsJson: record.details === NO_DETAILS ? '' : record.details,
    service: AUDIT_SERVICE,
    sequence: String(record.sequence),
    previousHash: record.previousHash,
    hash: record.hash,
  };
}
