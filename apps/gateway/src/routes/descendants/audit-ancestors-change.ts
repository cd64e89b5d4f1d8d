import { ActorType } from '@reseller/contracts';
import { AppError, isAppError } from '@reseller/errors';
import { READ_DEADLINE_MS, type AuditedChange } from '@reseller/http-edge';
import type { CallContext } from '@reseller/rpc';
import { v7 as uuidv7 } from 'uuid';
import type { Clients } from '../../clients';

/**
 * Leaves the audit entry of what a partner changes of one below it by its own token, as of a change made with a delegated one: before
 * the change, which is not made without it (spec §2.5). FORBIDDEN_NOT_YOUR_DESCENDANT for a partner that is not below it.
 */
export async function auditAncestorsChange(
  audit: Clients['audit'],
  call: CallContext,
  { action, partnerId, details }: Pick<AuditedChange, 'action' | 'details'> & { partnerId: string },
): Promise<void> {
  const entry = {
    entryId: uuidv7(),
    actorType: ActorType.PARTNER,
    // Who acts is the one of the call.
    actingPartnerId: undefined,
    actingClientId: undefined,
    operator: undefined,
    partnerId,
    action,
    subject: partnerId,
    requestId: call.requestId,
    detailsJson: JSON.stringify(details),
  };
  try {
    await audit.recordAuditEntry(entry, call, { deadlineMs: READ_DEADLINE_MS });
  } catch (error) {
    if (isAppError(error) && error.code === 'FORBIDDEN_NOT_YOUR_DESCENDANT') throw error;
    throw new AppError('SERVICE_UNAVAILABLE', {}, { cause: error });
  }
}
