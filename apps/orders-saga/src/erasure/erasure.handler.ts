import {
  ErasureStatus,
  RecipientKind,
  type Erasure,
  type ErasureServiceService,
  type GetRecipientHashRequest,
} from '@reseller/contracts';
import { toPageInfo } from '@reseller/database';
import { AppError, validationFailed } from '@reseller/errors';
import { isUuid, requireOperator, type RpcHandlers } from '@reseller/rpc';
import { v7 as uuid } from 'uuid';
import type { RecipientKind as KindName } from './domain/erased-request';
import type { ErasureRecord, ErasureRepository } from './erasure.repository';
import type { RecipientKeys } from './recipient-keys';

/** What serving erasures works with. */
export interface ErasureHandlersDeps {
  readonly erasures: ErasureRepository;
  /** Has the job look for them at once, for it looks seldom while there are none. */
  readonly wakeErasures: () => void;
  /** Undefined where the service has none, and erases nothing. */
  readonly recipientKeys: RecipientKeys | undefined;
}

const NAMES: Partial<Record<RecipientKind, KindName>> = {
  [RecipientKind.PHONE_NUMBER]: 'phoneNumber',
  [RecipientKind.EMAIL]: 'email',
};
const KINDS: Readonly<Record<KindName, RecipientKind>> = {
  phoneNumber: RecipientKind.PHONE_NUMBER,
  email: RecipientKind.EMAIL,
};
const FORMS: Readonly<Record<KindName, RegExp>> = {
  phoneNumber: /^\+[1-9]\d{6,14}$/,
  email: /^[^\s@]+@[^\s@]+$/,
};
const LONGEST_REASON = 500;

/** ErasureService over its repository; a job does the rest. */
export function createErasureHandlers({
  erasures,
  wakeErasures,
  recipientKeys,
}: ErasureHandlersDeps): RpcHandlers<typeof ErasureServiceService> {
  const keysOrRefuse = (): RecipientKeys => {
    if (!recipientKeys) throw new AppError('SERVICE_UNAVAILABLE');
    return recipientKeys;
  };
  return {
    async getRecipientHash(request, call) {
      requireOperator(call);
      const { kind, recipient } = readRecipient(request);
      return { subjectHash: keysOrRefuse().subjectHash(kind, recipient) };
    },
    async requestErasure({ reason, ...request }, call) {
      const requestedBy = requireOperator(call);
      const { kind, recipient } = readRecipient(request);
      requireReason(reason, recipient);
      const keys = keysOrRefuse();
      const id = uuid();
      const subjectHash = keys.subjectHash(kind, recipient);
      const sealed = keys.seal(id, recipient);
      const whose = { kind, subjectHash, reason, requestedBy, requestId: call.requestId };
      const erasure = toErasure(await erasures.request({ id, ...whose, sealed }));
      wakeErasures();
      return { erasure };
    },
    async getErasure({ erasureId }, call) {
      requireOperator(call);
      const erasure = isUuid(erasureId) ? await erasures.find(erasureId) : null;
      if (!erasure) throw new AppError('NOT_FOUND_ERASURE');
      return { erasure: toErasure(erasure) };
    },
    async listErasures({ page }, call) {
      requireOperator(call);
      const [found, count] = await erasures.list(page);
      return { erasures: found.map(toErasure), page: toPageInfo(page, count) };
    },
  };
}

function readRecipient({ kind: requested, recipient }: GetRecipientHashRequest): {
  kind: KindName;
  recipient: string;
} {
  const kind = NAMES[requested];
  if (!kind) throw validationFailed([{ path: 'kind', message: 'must be phoneNumber or email' }]);
  if (!FORMS[kind].test(recipient)) throw validationFailed([{ path: kind, message: 'is none' }]);
  return { kind, recipient: kind === 'email' ? recipient.toLowerCase() : recipient };
}

function requireReason(reason: string, recipient: string): void {
  const isFit = reason !== '' && reason.length <= LONGEST_REASON;
  if (!isFit) throw validationFailed([{ path: 'reason', message: 'must have 1 to 500 characters' }]);
  if (reason.toLowerCase().includes(recipient))
    throw validationFailed([{ path: 'reason', message: 'must not name the recipient, for it is kept' }]);
}

function toErasure(record: ErasureRecord): Erasure {
  const status = record.status === 'Running' ? ErasureStatus.RUNNING : ErasureStatus.COMPLETED;
  return {
    ...{ id: record.id, subjectHash: record.subjectHash, reason: record.reason, status },
    kind: KINDS[record.kind as KindName],
    requestedBy: record.requestedBy,
    requestedAt: record.requestedAt,
    completedAt: record.completedAt ?? undefined,
    parts: [{ service: 'orders-saga', status, rows: String(record.orders) }],
  };
}
