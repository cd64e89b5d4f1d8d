import { ActorType, AuditServiceService, type AuditEntry } from '@reseller/contracts';
import { pageBounds, toPageInfo } from '@reseller/database';
import { defineRpc, type RpcService } from '@reseller/rpc';
import type { Pool } from 'pg';
import { listAuditEntries } from './list-audit-entries';
import type { AuditRecord, AuditRepository } from './audit.repository';
import { recordAuditEntry } from './record-audit-entry';

/** What the audit service works with. */
export interface AuditHandlerDeps {
  pool: Pool;
  audit: AuditRepository;
}

/** The audit service as callers reach it. */
export function createAuditService({ pool, audit }: AuditHandlerDeps): RpcService {
  return defineRpc(AuditServiceService, {
    async recordAuditEntry(request) {
      return { entry: toMessage(await recordAuditEntry(audit, pool, request)) };
    },
    async listAuditEntries(request) {
      const { entries, totalCount } = await listAuditEntries(audit, pool, request, pageBounds(request.page));
      return { entries: entries.map(toMessage), page: toPageInfo(request.page, totalCount) };
    },
  });
}

function toMessage(record: AuditRecord): AuditEntry {
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
    detailsJson: record.details === '{}' ? '' : record.details,
  };
}
