import { AppError } from '@reseller/errors';
import type { CallPartner } from '@reseller/rpc';

/** Throws FORBIDDEN_PARTNER_MISMATCH when a validated body names another partner than the token's (spec §2.2). */
export function requireOwnPartner(body: Record<string, unknown>, partner: CallPartner): void {
  const { partnerId, partnerGlobalId } = body;
  const isOther =
    (partnerId != null && partnerId !== partner.partnerId) ||
    (partnerGlobalId != null && partnerGlobalId !== partner.partnerGlobalId);
  if (isOther) throw new AppError('FORBIDDEN_PARTNER_MISMATCH');
}
