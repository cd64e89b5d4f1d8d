import type { ListAuditEntriesRequest } from '@reseller/contracts';
import { validationFailed } from '@reseller/errors';
import { isUuid } from '@reseller/rpc';
import type { AuditRecord } from './domain/audit-entry';
import type { AuditDeps } from './record-audit-entry';

/** One page of entries, newest first; throws VALIDATION_FAILED for a partner id that is no uuid. */
export async function listAuditEntries(
  { audit }: Pick<AuditDeps, 'audit'>,
  request: ListAuditEntriesRequest,
  page: { limit: number; offset: number },
): Promise<{ entries: AuditRecord[]; totalCount: number }> {
  if (request.partnerId !== undefined && !isUuid(request.partnerId)) {
    throw validationFailed([{ path: 'partnerId', message: 'must be a uuid' }]);
  }
  const filter = { partnerId: request.partnerId, from: request.fromAt, to: request.toAt };
  return audit.list(filter, page);
}
