import type { CreatePartnerRequest } from '@reseller/contracts';
import { AppError, validationFailed, type FieldFault } from '@reseller/errors';
import { isUuid } from '@reseller/rpc';
import { v7 as newId } from 'uuid';
import type { AuditRepository } from '../audit/audit.repository';
import type { Operator } from '../audit/operator';
import type { Transact } from '../transaction';
import { pathBelow } from './domain/hierarchy';
import { INITIAL_SETTINGS, findSettingFaults, normalizeCommissionRate } from './domain/partner-settings';
import type { PartnerSettings } from './domain/partner-settings';
import { appendPartnerEvents } from './partner-events';
import type { PartnerRecord, PartnerRepository } from './partner.repository';

/** What the use cases of partners need. */
export interface PartnerDeps {
  transact: Transact;
  partners: PartnerRepository;
  audit: AuditRepository;
}

/**
 * Registers a partner with its audit entry and its event in one transaction; throws VALIDATION_FAILED with every
 * fault found, or NOT_FOUND_PARTNER for an unknown parent. Not idempotent.
 */
export async function createPartner(
  deps: PartnerDeps,
  operator: Operator,
  request: CreatePartnerRequest,
): Promise<PartnerRecord> {
  const settings = readSettings(request);
  const parentId = request.parentPartnerId?.toLowerCase() ?? null;
  const faults: FieldFault[] = findSettingFaults(settings);
  if (parentId !== null && !isUuid(parentId))
    faults.push({ path: 'parentPartnerId', message: 'must be a uuid' });
  if (faults.length > 0) throw validationFailed(faults);

  const rate = settings.commissionRate;
  const normalized = { ...settings, commissionRate: rate === null ? null : normalizeCommissionRate(rate) };
  return deps.transact(async (tx) => {
    const id = newId();
    let parentPath: string[] | undefined;
    if (parentId !== null) {
      // A parent that moved between this read and the insert would leave a path that is no longer true.
      await deps.partners.lockAgainstMoves(tx);
      const parent = await deps.partners.find(parentId, tx);
      if (!parent) throw new AppError('NOT_FOUND_PARTNER', { message: 'No such parent partner.' });
      parentPath = parent.path;
    }
    const path = pathBelow(parentPath, id);
    const partner = await deps.partners.insert({ id, parentPartnerId: parentId, path, ...normalized }, tx);
    const details = { parentPartnerId: parentId, ...normalized };
    await deps.audit.append(
      { ...operator, partnerId: id, action: 'partner.create', subject: partner.globalId, details },
      tx,
    );
    await appendPartnerEvents('PartnerRegistered', [partner], deps.partners, tx);
    return partner;
  });
}

function readSettings(request: CreatePartnerRequest): PartnerSettings {
  return {
    ...INITIAL_SETTINGS,
    name: request.name,
    displayCurrency: request.displayCurrency ?? null,
    isVatRegistered: request.isVatRegistered ?? INITIAL_SETTINGS.isVatRegistered,
    taxRegistrationNumber: request.taxRegistrationNumber ?? null,
    commissionRate: request.commissionRate ?? null,
    marketingEnabled: request.marketingEnabled ?? INITIAL_SETTINGS.marketingEnabled,
    billingEmail: request.billingEmail ?? null,
    language: request.language ?? INITIAL_SETTINGS.language,
  };
}
