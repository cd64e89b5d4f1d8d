import { AppError } from '@reseller/errors';
import type { Operator } from '../audit/operator';
import { isClientIdShaped } from './client-secrets';
import type { CredentialDeps } from './create-credential';
import type { CredentialRecord } from './credential.repository';

/** Ends a credential for new tokens at once (spec §2.6), and those it got within seconds (spec §18.5); a second time returns the first revocation. */
export async function revokeCredential(
  deps: Pick<CredentialDeps, 'transact' | 'credentials' | 'audit'>,
  operator: Operator,
  clientId: string,
): Promise<CredentialRecord> {
  if (!isClientIdShaped(clientId)) throw new AppError('NOT_FOUND_CREDENTIAL');
  return deps.transact(async (tx) => {
    const revoked = await deps.credentials.revoke(clientId, tx);
    if (!revoked) {
      const found = await deps.credentials.find(clientId, tx);
      if (!found) throw new AppError('NOT_FOUND_CREDENTIAL');
      return found;
    }
    await deps.audit.append(
      {
        ...operator,
        partnerId: revoked.partnerId,
        action: 'credential.revoke',
        subject: clientId,
        details: { environment: revoked.environment },
      },
      tx,
    );
    return revoked;
  });
}
