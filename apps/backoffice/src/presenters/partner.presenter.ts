import { Environment, type Partner } from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import { present, presentEnum, presentRequiredMoment } from '@reseller/presenters';

const ENVIRONMENT_NAMES: Partial<Record<Environment, 'sandbox' | 'live'>> = {
  [Environment.SANDBOX]: 'sandbox',
  [Environment.LIVE]: 'live',
};

/** sandbox or live. */
export const presentEnvironment = (environment: Environment): 'sandbox' | 'live' =>
  presentEnum(ENVIRONMENT_NAMES, environment);

/** A partner as operators read it; the commission rate is a fraction. */
export function presentPartner(message: Partner | undefined) {
  const partner = present(message, 'partner');
  return {
    id: partner.id,
    globalId: partner.globalId,
    name: partner.name,
    parentPartnerId: partner.parentPartnerId ?? null,
    path: partner.path,
    isActive: partner.isActive,
    displayCurrency: partner.displayCurrency ?? null,
    isVatRegistered: partner.isVatRegistered,
    taxRegistrationNumber: partner.taxRegistrationNumber ?? null,
    commissionRate: partner.commissionRate === undefined ? null : toJsonNumber(partner.commissionRate),
    marketingEnabled: partner.marketingEnabled,
    billingEmail: partner.billingEmail ?? null,
    version: partner.version,
    createdAt: presentRequiredMoment(partner.createdAt, 'created_at'),
  };
}
