import type { CreateCredentialResponse, RevokeCredentialResponse } from '@reseller/contracts';
import { environmentOf } from '@reseller/rpc';
import type { CredentialRecord } from './credential.repository';

/** A new credential with its secret, which is shown here and nowhere else. */
export function toCreatedCredentialMessage(
  { clientId, partnerId, environment, createdAt }: CredentialRecord,
  clientSecret: string,
): CreateCredentialResponse {
  return { clientId, clientSecret, partnerId, environment: environmentOf(environment), createdAt };
}

/** A credential that has ended. */
export function toRevokedCredentialMessage({
  clientId,
  partnerId,
  environment,
  revokedAt,
}: CredentialRecord): RevokeCredentialResponse {
  return { clientId, partnerId, environment: environmentOf(environment), revokedAt: revokedAt ?? undefined };
}
