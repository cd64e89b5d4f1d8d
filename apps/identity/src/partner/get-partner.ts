import { AppError } from '@reseller/errors';
import { isUuid } from '../uuid';
import type { PartnerRecord, PartnerRepository } from './partner.repository';

/** The partner as it stands now; throws NOT_FOUND_PARTNER, also for an id that is no uuid. */
export async function getPartner(partners: PartnerRepository, partnerId: string): Promise<PartnerRecord> {
  const partner = isUuid(partnerId) ? await partners.find(partnerId) : undefined;
  if (!partner) throw new AppError('NOT_FOUND_PARTNER');
  return partner;
}
