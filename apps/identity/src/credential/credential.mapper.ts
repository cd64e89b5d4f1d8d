import type {
  CreateCredentialResponse,
  Credential,
  RevokeCredentialResponse,
  SignIn,
} from '@reseller/contracts';
import { environmentOf } from '@reseller/rpc';
import type { CredentialRecord, UsedCredential } from './credential.repository';
import type { SignInRecord } from './sign-in.repository';

/** A new credential with its secret, which is shown here and nowhere else. */
export function toCreatedCredentialMessage(
  { clientId, partnerId, environment, createdAt, expiresAt, allowedCidrs }: CredentialRecord,
  clientSecret: string,
): CreateCredentialResponse {
  return {
    ...{ clientId, clientSecret, partnerId, environment: environmentOf(environment), createdAt },
    ...{ expiresAt: expiresAt ?? undefined, allowedCidrs },
  };
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

/** A credential as lists show it. */
export function toCredentialMessage(record: UsedCredential): Credential {
  return {
    clientId: record.clientId,
    environment: environmentOf(record.environment),
    createdAt: record.createdAt,
    expiresAt: record.expiresAt ?? undefined,
    allowedCidrs: record.allowedCidrs,
    lastUsedAt: record.lastUsedAt ?? undefined,
    lastUsedFrom: record.lastUsedFrom ?? undefined,
    revokedAt: record.revokedAt ?? undefined,
  };
}

/** An exchange as lists show it. */
export function toSignInMessage(record: SignInRecord): SignIn {
  return {
    at: record.at,
    clientId: record.clientId,
    environment: environmentOf(record.environment),
    onBehalfOf: record.onBehalfOf ?? undefined,
    result: record.result,
    fromAddress: record.fromAddress ?? undefined,
    requestId: record.requestId,
  };
}
