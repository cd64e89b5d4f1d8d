import { ActorType } from '@reseller/contracts';
import type { AuditedChange } from '@reseller/http-edge';
import type { CallContext } from '@reseller/rpc';
import { v7 as newId } from 'uuid';
import type { Clients } from './clients';

/**
 * Leaves the audit entry of a read of an order or a wallet, once it is found and before it is shown; when that fails, it is not shown
 * (spec §18.4).
 */
export const recordRead = (clients: Clients, read: AuditedChange, call: CallContext): Promise<void> =>
  recordChange(clients, read, call);

/** Leaves the audit entry of a change before it is made; when that fails, so must the change (spec §12). */
export async function recordChange(
  clients: Clients,
  change: AuditedChange,
  call: CallContext,
): Promise<void> {
  await clients.audit.recordAuditEntry(
    {
      entryId: newId(),
      actorType: ActorType.OPERATOR,
      actingPartnerId: undefined,
      actingClientId: undefined,
      operator: call.operator,
      partnerId: change.partnerId,
      action: change.action,
      subject: change.subject,
      requestId: call.requestId,
      detailsJson: JSON.stringify(change.details),
    },
    call,
  );
}
