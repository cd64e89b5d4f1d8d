import { STATEMENT_EMAIL_STATUSES } from '@reseller/presenters';
import { z } from 'zod';
import { amount, count, moment, pageOfItems } from './fields';

const head = {
  partnerId: z.string(),
  partnerGlobalId: z.string(),
  periodFrom: moment,
  periodTo: moment,
  generatedAt: moment,
  currency: z.string(),
  totalDebits: amount,
  totalCredits: amount,
  netPosition: amount,
};

/** A billing statement without its lines, as its partner reads it (spec §9.1). */
const statementResponse = z
  .strictObject({
    id: z.string(),
    ...head,
    sequenceNumber: count,
    statementNumber: z.string(),
    locked: z.boolean(),
    emailStatus: z.enum(STATEMENT_EMAIL_STATUSES),
    emailStatusReason: z.string().nullable(),
    emailSentAt: moment.nullable(),
    document: z.strictObject({
      ...head,
      sequenceNumber: count.nullable(),
      statementNumber: z.string().nullable(),
      isProvisional: z.boolean(),
      platformTaxRegistrationNumber: z.string().nullable(),
      partnerTaxRegistrationNumber: z.string().nullable(),
      documentNature: z.string(),
    }),
  })
  .meta({ id: 'Statement' });

/** A page of statements. */
export const statementsPage = pageOfItems(statementResponse);
