import { AppError } from '@reseller/errors';
import { isUuid } from '@reseller/rpc';
import type { PartnerRepository } from '../partner/partner.repository';
import type { CertificationRecord, CertificationRepository } from './certification.repository';

/** Where a partner stands, for operators; throws NOT_FOUND_PARTNER, also for an id that is no uuid. */
export async function getPartnerCertification(
  deps: { partners: Pick<PartnerRepository, 'find'>; certifications: CertificationRepository },
  partnerId: string,
): Promise<CertificationRecord> {
  const partner = isUuid(partnerId) ? await deps.partners.find(partnerId) : undefined;
  if (!partner) throw new AppError('NOT_FOUND_PARTNER');
  return deps.certifications.read(partner.id);
}
