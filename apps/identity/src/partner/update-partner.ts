import type { UpdatePartnerRequest } from '@reseller/contracts';
import { AppError, validationFailed } from '@reseller/errors';
import { isUuid } from '@reseller/rpc';
import type { Operator } from '../audit/operator';
import type { Transaction } from '../transaction';
import type { PartnerDeps } from './create-partner';
import { pathBelow, wouldMakeCycle } from './domain/hierarchy';
import { diffSettings, type FieldChange } from './domain/partner-changes';
import { findSettingFaults, normalizeCommissionRate, type PartnerSettings } from './domain/partner-settings';
import { appendPartnerEvents } from './partner-events';
import type { PartnerRecord, PartnerRepository } from './partner.repository';

interface Place {
  parentPartnerId: string | null;
  path: string[];
}

/**
 * Changes the fields that are present and, for a move, the paths of everybody below, with audit entry and events in
 * one transaction; a request that changes nothing leaves no trace, so it is safe to repeat.
 */
export async function updatePartner(
  deps: PartnerDeps,
  operator: Operator,
  request: UpdatePartnerRequest,
): Promise<PartnerRecord> {
  const wanted = readWanted(request);
  const wantedParent = readParent(request);
  const faults = findSettingFaults(wanted);
  if (wantedParent && !isUuid(wantedParent))
    faults.push({ path: 'parentPartnerId', message: 'must be a uuid' });
  if (faults.length > 0) throw validationFailed(faults);
  if (!isUuid(request.partnerId)) throw new AppError('NOT_FOUND_PARTNER');
  if (wanted.commissionRate) wanted.commissionRate = normalizeCommissionRate(wanted.commissionRate);

  return deps.transact(async (tx) => {
    // Before any row: two moves that each checked the tree as it was could together close a cycle.
    if (wantedParent !== undefined) await deps.partners.lockHierarchy(tx);
    const present = await deps.partners.findForUpdate(request.partnerId, tx);
    if (!present) throw new AppError('NOT_FOUND_PARTNER');
    const place = await findPlace(deps.partners, tx, present, wantedParent);
    const changes = listChanges(present, wanted, place);
    if (Object.keys(changes).length === 0) return present;

    const changed = await deps.partners.update({ ...present, ...wanted, ...place }, tx);
    const carried =
      changed.parentPartnerId === present.parentPartnerId
        ? []
        : await deps.partners.moveDescendants(changed.id, changed.path, tx);
    const details = { changes, ...(carried.length > 0 ? { descendantsMoved: carried.length } : {}) };
    await deps.audit.append(
      { ...operator, partnerId: changed.id, action: 'partner.update', subject: changed.globalId, details },
      tx,
    );
    await appendPartnerEvents('PartnerUpdated', [changed, ...carried], deps.partners, tx);
    return changed;
  });
}

async function findPlace(
  partners: PartnerRepository,
  tx: Transaction,
  present: PartnerRecord,
  wantedParent: string | null | undefined,
): Promise<Place> {
  if (wantedParent === undefined || wantedParent === present.parentPartnerId) {
    return { parentPartnerId: present.parentPartnerId, path: present.path };
  }
  if (wantedParent === null) return { parentPartnerId: null, path: pathBelow(undefined, present.id) };
  const parent = await partners.find(wantedParent, tx);
  if (!parent) throw new AppError('NOT_FOUND_PARTNER', { message: 'No such parent partner.' });
  if (wouldMakeCycle(parent.path, present.id)) {
    throw validationFailed([
      { path: 'parentPartnerId', message: 'must be neither the partner itself nor one of its descendants' },
    ]);
  }
  return { parentPartnerId: parent.id, path: pathBelow(parent.path, present.id) };
}

function listChanges(
  present: PartnerRecord,
  wanted: Partial<PartnerSettings>,
  place: Place,
): Record<string, FieldChange> {
  const changes: Record<string, FieldChange> = { ...diffSettings(present, wanted) };
  if (place.parentPartnerId !== present.parentPartnerId) {
    changes.parentPartnerId = { from: present.parentPartnerId, to: place.parentPartnerId };
  }
  return changes;
}

function readWanted(request: UpdatePartnerRequest): Partial<PartnerSettings> {
  const wanted: Partial<PartnerSettings> = {
    name: request.name,
    isActive: request.isActive,
    isVatRegistered: request.isVatRegistered,
    marketingEnabled: request.marketingEnabled,
    displayCurrency: emptyClears(request.displayCurrency),
    taxRegistrationNumber: emptyClears(request.taxRegistrationNumber),
    commissionRate: emptyClears(request.commissionRate),
    billingEmail: emptyClears(request.billingEmail),
    language: request.language,
  };
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
}

function readParent(request: UpdatePartnerRequest): string | null | undefined {
  return emptyClears(request.parentPartnerId?.toLowerCase());
}

function emptyClears(value: string | undefined): string | null | undefined {
  return value === '' ? null : value;
}
