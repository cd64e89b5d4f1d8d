import { ErasureServiceService, ErasureStatus, RecipientKind } from '@reseller/contracts';
import { AT } from './samples';
import type { Services } from './services';

/** The hash of every recipient. */
export const SUBJECT_HASH = 'ab'.repeat(32);

const anErasure = {
  id: '019a2f3c-0000-7000-8000-000000000050',
  kind: RecipientKind.PHONE_NUMBER,
  subjectHash: SUBJECT_HASH,
  reason: 'ticket 4711',
  status: ErasureStatus.RUNNING,
  requestedBy: 'olga',
  requestedAt: AT,
  completedAt: undefined,
  parts: [{ service: 'orders-saga', status: ErasureStatus.RUNNING, rows: '3' }],
};

/** One erasure of orders-saga's. */
export function serveErasures(fakes: Services): void {
  fakes.of('orders-saga').on(ErasureServiceService, {
    getRecipientHash: () => ({ subjectHash: SUBJECT_HASH }),
    requestErasure: ({ kind, reason }) => ({ erasure: { ...anErasure, kind, reason } }),
    getErasure: () => ({ erasure: anErasure }),
    listErasures: () => ({
      erasures: [anErasure],
      page: { page: 1, pageSize: 20, totalCount: 1, totalPages: 1 },
    }),
  });
}
