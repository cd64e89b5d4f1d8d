import { z } from 'zod';
import { APPROVAL_ACTIONS } from '../../approvals';
import { amount, environmentName, moment, pageOfItems } from './fields';

/** A movement of money that needs, or needed, a second operator (spec §18.3). */
export const approvalResponse = z
  .strictObject({
    id: z.string(),
    status: z.enum(['Pending', 'Approved', 'Rejected', 'Lapsed']),
    action: z.enum(APPROVAL_ACTIONS),
    partnerId: z.string(),
    partnerName: z.string(),
    environment: environmentName,
    amount,
    subject: z.string(),
    notes: z.string(),
    requestedBy: z.string(),
    requestedAt: moment,
    expiresAt: moment,
    decidedBy: z.string().nullable(),
    decidedAt: moment.nullable(),
  })
  .meta({ id: 'Approval' });

/** A page of approvals. */
export const approvalsPage = pageOfItems(approvalResponse);
