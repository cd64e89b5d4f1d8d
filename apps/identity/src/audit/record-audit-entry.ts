import { ActorType, type RecordAuditEntryRequest } from '@reseller/contracts';
import { validationFailed, type FieldFault } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';
import { validate as isUuid } from 'uuid';
import type { AuditChainRepository } from './audit-chain.repository';
import type { AuditRepository, NewAuditEntry } from './audit.repository';
import { NO_DETAILS, type AuditRecord } from './domain/audit-entry';
import { requireActing, requireOperator } from './operator';

const CONTROL_CHARACTERS = /\p{Cc}/u;

/** What the audit's use cases need. */
export interface AuditDeps {
  audit: AuditRepository;
  chain: Pick<AuditChainRepository, 'listInSequence'>;
}

/**
 * Appends an entry on behalf of an edge; idempotent by entry id; throws VALIDATION_FAILED with every fault found. Who acted is
 * the one of the verified call, whatever the request says.
 */
export async function recordAuditEntry(
  { audit }: Pick<AuditDeps, 'audit'>,
  request: RecordAuditEntryRequest,
  call: CallContext,
): Promise<AuditRecord> {
  // A call that names nobody is a fault of the caller's code, whatever its request is like.
  if (!call.partner?.actingPartnerId) requireOperator(call);
  const faults = findFaults(request);
  if (faults.length > 0) throw validationFailed(faults);
  return audit.append(toNewEntry(request, call), undefined, call);
}

function toNewEntry(request: RecordAuditEntryRequest, call: CallContext): NewAuditEntry {
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
        ...requireActing(call),
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
  check('subject', (request.subject?.length ?? 0) <= 500, 'must be at most 500 characters');
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
  return text.length >= 1 && text.length <= 500 && !CONTROL_CHARACTERS.test(text);
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
