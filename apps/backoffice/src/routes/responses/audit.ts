import { z } from 'zod';
import { moment, pageOfItems } from './fields';

/** Who did what as whom, in the chain of its service (spec §18.4). */
export const auditEntryResponse = z
  .strictObject({
    id: z.string(),
    occurredAt: moment,
    actorType: z.enum(['Partner', 'Operator']),
    operator: z.string().nullable(),
    actingPartnerId: z.string().nullable(),
    actingClientId: z.string().nullable(),
    partnerId: z.string().nullable(),
    action: z.string(),
    subject: z.string().nullable(),
    requestId: z.string(),
    details: z.unknown(),
    service: z.string(),
    sequence: z.int(),
    previousHash: z.string(),
    hash: z.string(),
  })
  .meta({ id: 'AuditEntry' });

/** A page of the audit. */
export const auditPage = pageOfItems(auditEntryResponse);
