import type { CreateCredentialRequest } from '@reseller/contracts';
import { AppError, validationFailed } from '@reseller/errors';
import { environmentNameOf } from '@reseller/rpc';
import { validate as isUuid } from 'uuid';
import type { AuditRepository } from '../audit/audit.repository';
import type { Operator } from '../audit/operator';
import type { Transact } from '../transaction';
import { newClientId, type ClientSecrets } from './client-secrets';
import type { CredentialRecord, CredentialRepository } from './credential.repository';

/** What making and ending credentials needs. */
export interface CredentialDeps {
  transact: Transact;
  credentials: CredentialRepository;
  secrets: ClientSecrets;
  audit: AuditRepository;
}

/**
 * Makes a credential and returns its secret, which is stored nowhere; throws NOT_FOUND_PARTNER, or VALIDATION_FAILED
 * without an environment. Not idempotent.
 */
export async function createCredential(
  deps: CredentialDeps,
  operator: Operator,
  request: CreateCredentialRequest,
): Promise<{ credential: CredentialRecord; clientSecret: string }> {
  const environment = environmentNameOf(request.environment);
  if (!environment) throw validationFailed([{ path: 'environment', message: 'must be sandbox or live' }]);
  if (!isUuid(request.partnerId)) throw new AppError('NOT_FOUND_PARTNER');

  const clientId = newClientId(environment);
  const { secret, hash } = deps.secrets.create();
  const credential = await deps.transact(async (tx) => {
    const stored = { clientId, partnerId: request.partnerId, environment, secretHash: hash };
    const inserted = await deps.credentials.insert(stored, tx);
    await deps.audit.append(
      {
        ...operator,
        partnerId: inserted.partnerId,
        action: 'credential.create',
        subject: clientId,
        details: { environment },
      },
      tx,
    );
    return inserted;
  });
  return { credential, clientSecret: secret };
}
