import { AppError } from '@reseller/errors';
import { isUuid } from '@reseller/rpc';
import type { PartnerDeps } from './create-partner';
import type { PartnerRecord } from './partner.repository';

/** The partner as it stands now; throws NOT_FOUND_PARTNER, also for an id that is no uuid. */
export async function getPartner(
  { partners }: Pick<PartnerDeps, 'partners'>,
  partnerId: string,
): Promise<PartnerRecord> {
  const partner = isUuid(partnerId) ? await partners.find(partnerId) : undefined;
  if (!partner) throw new AppError('NOT_FOUND_PARTNER');
  return partner;
}
