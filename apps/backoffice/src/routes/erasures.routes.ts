import { ErasureStatus, RecipientKind, type Erasure } from '@reseller/contracts';
import { ALWAYS } from '@reseller/http-edge';
import {
  present,
  presentEnum,
  presentMoment,
  presentPage,
  presentRequiredMoment,
} from '@reseller/presenters';
import { z } from 'zod';
import { EXAMPLE_ID, notes, pageOf, pageQuery, uuid } from './fields';
import { erasureResponse, erasuresPage } from './responses/erasures';
import { defineRoute, type OpsRoute } from './route';

const STATUSES = {
  [ErasureStatus.RUNNING]: 'Running',
  [ErasureStatus.COMPLETED]: 'Completed',
} as const;

const body = z
  .strictObject({
    phoneNumber: z
      .string()
      .regex(/^\+[1-9]\d{6,14}$/, 'must be a phone number in E.164 format')
      .optional(),
    email: z
      .string()
      .max(254, 'must have at most 254 characters')
      .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
      .optional(),
    reason: notes,
  })
  .refine(
    ({ phoneNumber, email }: { phoneNumber?: unknown; email?: unknown }) =>
      (phoneNumber === undefined) !== (email === undefined),
    { ...ALWAYS, path: ['phoneNumber'], error: 'must be given, or email instead of it' },
  );

const recipientOf = ({
  phoneNumber,
  email = '',
}: {
  phoneNumber?: string | undefined;
  email?: string | undefined;
}) =>
  phoneNumber === undefined
    ? { kind: RecipientKind.EMAIL, recipient: email }
    : { kind: RecipientKind.PHONE_NUMBER, recipient: phoneNumber };

const requestErasure = defineRoute({
  method: 'POST',
  path: '/ops/v1/erasures',
  role: 'admin',
  summary:
    'Make one recipient unreadable in all but what the law has kept: amounts, moments, ids, references and the ledger. While one of the same recipient is Running, the response is that one',
  body,
  response: erasureResponse,
  examples: { body: { phoneNumber: '+966540004711', reason: 'Requested by the person, ticket 4711.' } },
  // By its hash: the audit keeps for ever what the erasure takes away.
  async audit({ body: requested, call, clients }) {
    const { subjectHash } = await clients.erasures.getRecipientHash(recipientOf(requested), call);
    const details = { kind: requested.phoneNumber === undefined ? 'email' : 'phoneNumber' };
    return { action: 'erasure.request', subject: subjectHash, details };
  },
  async handle({ body: requested, call, clients }) {
    const request = { ...recipientOf(requested), reason: requested.reason };
    return presentErasure((await clients.erasures.requestErasure(request, call)).erasure);
  },
});

const listErasures = defineRoute({
  method: 'GET',
  path: '/ops/v1/erasures',
  role: 'viewer',
  summary: 'A page of erasures, newest first',
  query: z.object(pageQuery),
  response: erasuresPage,
  async handle({ query, call, clients }) {
    const { erasures, page } = await clients.erasures.listErasures({ page: pageOf(query) }, call);
    return presentPage(erasures, page, presentErasure);
  },
});

const getErasure = defineRoute({
  method: 'GET',
  path: '/ops/v1/erasures/{id}',
  role: 'viewer',
  summary: 'One erasure, and how far it is in each service',
  params: z.object({ id: uuid }),
  response: erasureResponse,
  examples: { params: { id: EXAMPLE_ID } },
  async handle({ params: { id }, call, clients }) {
    return presentErasure((await clients.erasures.getErasure({ erasureId: id }, call)).erasure);
  },
});

const statusOf = (status: ErasureStatus) => presentEnum(STATUSES, status as keyof typeof STATUSES);

function presentErasure(message: Erasure | undefined) {
  const erasure = present(message, 'erasure');
  return {
    id: erasure.id,
    status: statusOf(erasure.status),
    kind: erasure.kind === RecipientKind.EMAIL ? ('email' as const) : ('phoneNumber' as const),
    subjectHash: erasure.subjectHash,
    reason: erasure.reason,
    requestedBy: erasure.requestedBy,
    requestedAt: presentRequiredMoment(erasure.requestedAt, 'requested_at'),
    completedAt: presentMoment(erasure.completedAt),
    services: erasure.parts.map(({ service: name, status, rows }) => ({
      ...{ name, status: statusOf(status) },
      rows: Number(rows),
    })),
  };
}

/** Making recipients unreadable (spec §18.10). */
export const erasureRoutes: readonly OpsRoute[] = [requestErasure, listErasures, getErasure];
