import type { CreateCredentialRequest } from '@reseller/contracts';
import { AppError, isCidr, validationFailed, type FieldFault } from '@reseller/errors';
import { environmentNameOf, isUuid } from '@reseller/rpc';
import type { AuditRepository } from '../audit/audit.repository';
import type { Operator } from '../audit/operator';
import type { CertificationRepository } from '../certification/certification.repository';
import { requireCertification } from '../certification/require-certification';
import type { Clock } from '../clock';
import type { Transact } from '../transaction';
import { newClientId, type ClientSecrets } from './client-secrets';
import type { CredentialRecord, CredentialRepository } from './credential.repository';

const MOST_CIDRS = 50;

/** What making and ending credentials needs. */
export interface CredentialDeps {
  transact: Transact;
  credentials: CredentialRepository;
  secrets: ClientSecrets;
  audit: AuditRepository;
  clock: Clock;
  certifications: Pick<CertificationRepository, 'read'>;
  /** Whether a live credential is for certified partners alone (spec §17.6). */
  needsCertification: boolean;
}

/**
 * Makes a credential and returns its secret, which is stored nowhere; throws NOT_FOUND_PARTNER, VALIDATION_FAILED
 * with every fault found, or BUSINESS_CERTIFICATION_REQUIRED where a live one needs that. Not idempotent.
 */
export async function createCredential(
  deps: CredentialDeps,
  operator: Operator,
  request: CreateCredentialRequest,
): Promise<{ credential: CredentialRecord; clientSecret: string }> {
  const environment = environmentNameOf(request.environment);
  const { expiresAt = null, allowedCidrs } = request;
  const faults: FieldFault[] = allowedCidrs.flatMap((cidr, index) =>
    isCidr(cidr)
      ? []
      : [{ path: `allowedCidrs.${index}`, message: 'must be a network such as 203.0.113.0/24' }],
  );
  if (allowedCidrs.length > MOST_CIDRS)
    faults.push({ path: 'allowedCidrs', message: `must be at most ${MOST_CIDRS} networks` });
  if (expiresAt && expiresAt <= deps.clock.now())
    faults.push({ path: 'expiresAt', message: 'must be later than now' });
  if (!environment) faults.push({ path: 'environment', message: 'must be sandbox or live' });
  if (!environment || faults.length > 0) throw validationFailed(faults);
  if (!isUuid(request.partnerId)) throw new AppError('NOT_FOUND_PARTNER');

  const clientId = newClientId(environment);
  const { secret, stored: hashed } = deps.secrets.create();
  const credential = await deps.transact(async (tx) => {
    const stored = {
      clientId,
      partnerId: request.partnerId,
      environment,
      hashed,
      expiresAt,
      allowedCidrs,
    };
    const inserted = await deps.credentials.insert(stored, tx);
    // After the insert, which finds out whether there is such a partner; a refusal takes it back.
    // A partner that is live already gets another one, so that one that leaked can be replaced.
    if (
      environment === 'live' &&
      deps.needsCertification &&
      !(await deps.credentials.hasAnother(inserted, tx))
    )
      await requireCertification(deps.certifications, inserted.partnerId, tx);
    await deps.audit.append(
      {
        ...operator,
        partnerId: inserted.partnerId,
        action: 'credential.create',
        subject: clientId,
        details: { environment, expiresAt, allowedCidrs },
      },
      tx,
    );
    return inserted;
  });
  return { credential, clientSecret: secret };
}
