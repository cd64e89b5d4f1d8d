import { ApprovalStatus, type Approval } from '@reseller/contracts';
import { isAppError } from '@reseller/errors';
import { toJsonNumber } from '@reseller/money';
import {
  findByName,
  paginationOf,
  present,
  presentEnum,
  presentMoment,
  presentRequiredMoment,
} from '@reseller/presenters';
import type { CallContext } from '@reseller/rpc';
import { z } from 'zod';
import { actionOf, findApproval } from '../approvals';
import type { Clients } from '../clients';
import { mergeNewestFirst, type StretchBounds } from '../newest-first';
import { csvOf } from './csv-export';
import { EXAMPLE_ID, pageQuery, uuid } from './fields';
import { readPartnerNames, type PartnerNames } from './partner-names';
import { approvalResponse, approvalsPage } from './responses/approvals';
import { defineRoute, type OpsRoute } from './route';
import { presentEnvironment } from './values.presenter';

const STATUS_NAMES = {
  [ApprovalStatus.PENDING]: 'Pending',
  [ApprovalStatus.APPROVED]: 'Approved',
  [ApprovalStatus.REJECTED]: 'Rejected',
  [ApprovalStatus.LAPSED]: 'Lapsed',
} as const;

const params = z.object({ id: uuid });
const examples = { params: { id: EXAMPLE_ID } };

const listApprovals = defineRoute({
  method: 'GET',
  path: '/ops/v1/approvals',
  role: 'viewer',
  summary:
    'A page of approvals, newest first: movements of money that wait, or waited, for a second operator',
  query: z.object({ ...pageQuery, status: z.enum(Object.values(STATUS_NAMES)).optional() }),
  response: approvalsPage,
  async handle({ query: { page, pageSize, status: name }, call, clients }) {
    const status = findByName(STATUS_NAMES, name) ?? ApprovalStatus.UNSPECIFIED;
    const read =
      ({ listApprovals: list }: Clients['financeApprovals']) =>
      async (stretch: StretchBounds) => {
        const { approvals, totalCount } = await list({ status, ...stretch }, call);
        return { items: approvals, totalCount };
      };
    const stretch = { offset: (page - 1) * pageSize, limit: pageSize };
    const { financeApprovals, ordersApprovals } = clients;
    const merged = await mergeNewestFirst(read(financeApprovals), read(ordersApprovals), isNewer, stretch);
    const names = await readPartnerNames(clients, merged.items, call);
    const items = merged.items.map((approval) => presentApproval(approval, names));
    return { items, pagination: paginationOf({ page, pageSize }, merged.totalCount) };
  },
});

const getApproval = defineRoute({
  method: 'GET',
  path: '/ops/v1/approvals/{id}',
  role: 'viewer',
  summary: 'One approval',
  params,
  response: approvalResponse,
  examples,
  async handle({ params: { id }, call, clients }) {
    return presentOne(clients, (await findApproval(clients, id, call)).approval, call);
  },
});

const decisionRoute = (
  verb: 'approve' | 'reject',
  rpc: 'approveApproval' | 'rejectApproval',
  summary: string,
): OpsRoute =>
  defineRoute({
    method: 'POST',
    path: `/ops/v1/approvals/{id}/${verb}`,
    role: 'finance',
    otherRoles: ['support'],
    // The role of the movement: that of credits and adjustments, or that of orders.
    async roleOf({ params: { id = '' }, call, clients }) {
      if (!uuid.safeParse(id).success) return undefined;
      try {
        return actionOf((await findApproval(clients, id, call)).approval).role;
      } catch (error) {
        if (isAppError(error) && error.code === 'NOT_FOUND_APPROVAL') return undefined;
        throw error;
      }
    },
    summary,
    params,
    response: approvalResponse,
    examples,
    async audit({ params: { id }, call, clients }) {
      const { approval } = await findApproval(clients, id, call);
      const { partnerId, subject, amount } = approval;
      const details = { action: actionOf(approval).name, subject, amount };
      return { action: `approval.${verb}`, partnerId, subject: id, details };
    },
    async handle({ params: { id: approvalId }, call, clients }) {
      const { service } = await findApproval(clients, approvalId, call);
      const { approval } = await service[rpc]({ approvalId }, call);
      return presentOne(clients, present(approval, 'approval'), call);
    },
  });

const isNewer = (one: Approval, other: Approval): boolean => {
  const [at, otherAt] = [timeOf(one), timeOf(other)];
  return at === otherAt ? one.id > other.id : at > otherAt;
};

const timeOf = ({ requestedAt }: Approval): number => present(requestedAt, 'requested_at').getTime();

async function presentOne(clients: Clients, approval: Approval, call: CallContext) {
  return presentApproval(approval, await readPartnerNames(clients, [approval], call));
}

function presentApproval(approval: Approval, names: PartnerNames) {
  const { id, partnerId, subject, notes, requestedBy } = approval;
  return {
    id,
    status: presentEnum(STATUS_NAMES, approval.status),
    action: actionOf(approval).name,
    partnerId,
    partnerName: present(names.get(partnerId), 'name'),
    environment: presentEnvironment(approval.environment),
    amount: toJsonNumber(approval.amount),
    subject,
    notes,
    requestedBy,
    requestedAt: presentRequiredMoment(approval.requestedAt, 'requested_at'),
    expiresAt: presentRequiredMoment(approval.expiresAt, 'expires_at'),
    decidedBy: approval.decidedBy ?? null,
    decidedAt: presentMoment(approval.decidedAt),
  };
}

/** Movements of money that a second operator has to approve (spec §18.3). */
export const approvalRoutes: readonly OpsRoute[] = [
  listApprovals,
  csvOf(listApprovals, { row: approvalResponse, key: 'id' }),
  getApproval,
  decisionRoute(
    'approve',
    'approveApproval',
    'Make the movement, once; its role is finance, of an order support',
  ),
  decisionRoute('reject', 'rejectApproval', 'Decide that it shall not be made; its key is free again'),
];
