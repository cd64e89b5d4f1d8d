import { v7 as uuidv7 } from 'uuid';
import { ActorType, Environment } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { effectOf, READ_DEADLINE_MS, type ValidInput } from '@reseller/http-edge';
import type { CallContext } from '@reseller/rpc';
import type { Clients } from '../clients';
import type { Route } from '../routes/route';

/** Whether a call is a change made with a delegated token. */
export const needsAudit = (route: Route, input: ValidInput, { partner }: CallContext): boolean =>
  partner?.actingPartnerId !== undefined && effectOf(route, input) === 'change';

/**
 * Leaves the audit entry of a change made with a delegated token, before the change is passed on (spec §2.5).
 * Without the entry there is no change: SERVICE_UNAVAILABLE, and the partner may repeat the request.
 */
export async function auditDelegatedCall(
  route: Route,
  input: ValidInput,
  call: CallContext,
  audit: Clients['audit'],
): Promise<void> {
  const { partner } = call;
  if (!partner?.actingPartnerId) return;
  const entry = {
    entryId: uuidv7(),
    actorType: ActorType.PARTNER,
    actingPartnerId: partner.actingPartnerId,
    actingClientId: partner.actingClientId ?? partner.clientId,
    operator: undefined,
    partnerId: partner.partnerId,
    action: `${route.method} ${route.path}`,
    subject: subjectOf(input),
    requestId: call.requestId,
    detailsJson: JSON.stringify({
      environment: partner.environment === Environment.LIVE ? 'live' : 'sandbox',
    }),
  };
  try {
    await audit.recordAuditEntry(entry, call, { deadlineMs: READ_DEADLINE_MS });
  } catch (error) {
    throw new AppError('SERVICE_UNAVAILABLE', {}, { cause: error });
  }
}

/** What the call is about: the partner's own reference if it names one, else the ids of its path. */
function subjectOf({ params, body }: ValidInput): string | undefined {
  if (typeof body['externalReference'] === 'string') return body['externalReference'];
  return Object.values(params).join('/') || undefined;
}
