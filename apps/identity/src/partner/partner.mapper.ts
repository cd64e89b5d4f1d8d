import type { Partner } from '@reseller/contracts';
import type { PartnerRecord } from './partner.repository';

/** The partner as callers and events show it. */
export function toPartnerMessage(record: PartnerRecord): Partner {
  return {
    id: record.id,
    globalId: record.globalId,
    name: record.name,
    parentPartnerId: record.parentPartnerId ?? undefined,
    path: record.path,
    isActive: record.isActive,
    isFrozen: record.isFrozen,
    displayCurrency: record.displayCurrency ?? undefined,
    isVatRegistered: record.isVatRegistered,
    taxRegistrationNumber: record.taxRegistrationNumber ?? undefined,
    commissionRate: record.commissionRate ?? undefined,
    marketingEnabled: record.marketingEnabled,
    billingEmail: record.billingEmail ?? undefined,
    language: record.language,
    version: record.version,
    createdAt: record.createdAt,
  };
}
