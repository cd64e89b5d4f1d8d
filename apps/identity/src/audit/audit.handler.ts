import type { AuditServiceService } from '@reseller/contracts';
import { pageBounds, toPageInfo } from '@reseller/database';
import { RequestCheck, type RpcHandlers } from '@reseller/rpc';
import { toAuditEntryMessage } from './audit.mapper';
import { listAuditEntries } from './list-audit-entries';
import { recordAuditEntry, type AuditDeps } from './record-audit-entry';

const LONGEST_PIECE = 500;

/** The methods of the audit service. */
export function createAuditHandlers(deps: AuditDeps): RpcHandlers<typeof AuditServiceService> {
  return {
    async recordAuditEntry(request, call) {
      return { entry: toAuditEntryMessage(await recordAuditEntry(deps, request, call)) };
    },
    async listAuditEntries(request) {
      const { entries, totalCount } = await listAuditEntries(deps, request, pageBounds(request.page));
      return { entries: entries.map(toAuditEntryMessage), page: toPageInfo(request.page, totalCount) };
    },
    async listAuditEntriesInSequence({ afterSequence, fromAt: from, toAt: to, limit, partnerId }) {
      const check = new RequestCheck();
      check.count('limit', limit, LONGEST_PIECE);
      if (partnerId !== undefined) check.uuid('partnerId', partnerId);
      check.end();
      const entries = await deps.chain.listInSequence(Number(afterSequence), { from, to, partnerId }, limit);
      return { entries: entries.map(toAuditEntryMessage) };
    },
  };
}
