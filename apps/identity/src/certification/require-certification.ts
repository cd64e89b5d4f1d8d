import { AppError } from '@reseller/errors';
import type { Transaction } from '../transaction';
import type { CertificationRepository } from './certification.repository';
import { missingSteps } from './domain/certification';

/** Refuses a partner that is not certified yet with BUSINESS_CERTIFICATION_REQUIRED, and names the steps that are missing (spec §17.6). */
export async function requireCertification(
  certifications: Pick<CertificationRepository, 'read'>,
  partnerId: string,
  tx: Transaction,
): Promise<void> {
  const { certifiedAt, products, shown } = await certifications.read(partnerId, tx);
  if (certifiedAt) return;
  const missing = missingSteps(products, new Set(shown.map(({ step }) => step)));
  throw new AppError('BUSINESS_CERTIFICATION_REQUIRED', { missingSteps: missing });
}
