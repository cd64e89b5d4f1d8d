import { ActorType, type RecordAuditEntryRequest } from '@reseller/contracts';
import { AppError, hasControlCharacter, validationFailed, type FieldFault } from '@reseller/errors';
import { type CallContext, isLonger, isUuid, requirePartner } from '@reseller/rpc';
import type { AuditChainRepository } from './audit-chain.repository';
import type { AuditRepository, NewAuditEntry } from './audit.repository';
import { NO_DETAILS, type AuditRecord } from './domain/audit-entry';
import { isDescendant } from '../partner/domain/hierarchy';
import type { PartnerRepository } from '../partner/partner.repository';
import { requireActing, requireOperator, type Acting } from './operator';

/** What the audit's use cases need. */
export interface AuditDeps {
  audit: AuditRepository;
  chain: Pick<AuditChainRepository, 'listInSequence'>;
  partners: Pick<PartnerRepository, 'find'>;
}

/**
 * Appends an entry on behalf of an edge; idempotent by entry id; throws VALIDATION_FAILED with every fault found. Who acted is
 * the one of the verified call, whatever the request says. A partner that acts on another by its own token does so as one above it,
 * or FORBIDDEN_NOT_YOUR_DESCENDANT.
 */
export async function recordAuditEntry(
  { audit, partners }: Pick<AuditDeps, 'audit' | 'partners'>,
  request: RecordAuditEntryRequest,
  call: CallContext,
): Promise<AuditRecord> {
  // A call that names nobody is a fault of the caller's code, whatever its request is like.
  const isByAncestor = actsOnAnother(request, call);
  if (!call.partner?.actingPartnerId && !isByAncestor) requireOperator(call);
  const faults = findFaults(request);
  if (faults.length > 0) throw validationFailed(faults);
  const acting = isByAncestor ? await requireAncestor(partners, request, call) : undefined;
  return audit.append(toNewEntry(request, call, acting), undefined, call);
}

// By its own token, not by one that lets it act as somebody else.
const actsOnAnother = (
  { actorType, partnerId }: RecordAuditEntryRequest,
  { partner }: CallContext,
): boolean =>
  partner !== undefined &&
  partner.actingPartnerId === undefined &&
  actorType === ActorType.PARTNER &&
  partnerId !== undefined;

async function requireAncestor(
  partners: AuditDeps['partners'],
  request: RecordAuditEntryRequest,
  call: CallContext,
): Promise<Acting> {
  const { partnerId: actingPartnerId, clientId: actingClientId } = requirePartner(call);
  const target = request.partnerId && (await partners.find(request.partnerId));
  if (!target || !isDescendant(target.path, actingPartnerId))
    throw new AppError('FORBIDDEN_NOT_YOUR_DESCENDANT');
  return { actingPartnerId, actingClientId, partnerId: target.id };
}

function toNewEntry(request: RecordAuditEntryRequest, call: CallContext, acting?: Acting): NewAuditEntry {
  const common = {
    id: request.entryId,
    partnerId: request.partnerId,
    action: request.action,
    // A partner's own reference may be any text; the one character that the database cannot hold is shown as missing.
    subject: request.subject?.replaceAll('\0', '\ufffd'),
    requestId: request.requestId,
    details: request.detailsJson === '' ? NO_DETAILS : request.detailsJson,
  };
  return request.actorType === ActorType.PARTNER
    ? {
        ...common,
        actorType: 'partner',
        ...(acting ?? requireActing(call)),
      }
    : { ...common, actorType: 'operator', operator: requireOperator(call).operator };
}

function findFaults(request: RecordAuditEntryRequest): FieldFault[] {
  const faults: FieldFault[] = [];
  const check = (path: keyof RecordAuditEntryRequest, isFit: boolean, message: string): void => {
    if (!isFit) faults.push({ path, message });
  };
  check('entryId', isUuid(request.entryId), 'must be a uuid');
  check('partnerId', request.partnerId === undefined || isUuid(request.partnerId), 'must be a uuid');
  check('action', isText(request.action), 'must be 1 to 500 characters');
  check('subject', !isLonger(request.subject ?? '', 500), 'must be at most 500 characters');
  check('requestId', isText(request.requestId), 'must be 1 to 500 characters');
  check('detailsJson', isJsonObject(request.detailsJson), 'must be a JSON object or empty');
  if (request.actorType === ActorType.PARTNER) {
    check('operator', request.operator === undefined, 'must be absent when a partner acted');
  } else if (request.actorType === ActorType.OPERATOR) {
    check('actingPartnerId', request.actingPartnerId === undefined, 'must be absent when an operator acted');
    check('actingClientId', request.actingClientId === undefined, 'must be absent when an operator acted');
  } else {
    check('actorType', false, 'must be a partner or an operator');
  }
  return faults;
}

function isText(text: string): boolean {
  return text.length >= 1 && text.length <= 500 && !hasControlCharacter(text);
}

function isJsonObject(json: string): boolean {
  if (json === '') return true;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
