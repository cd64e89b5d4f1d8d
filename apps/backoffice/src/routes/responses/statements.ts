import { STATEMENT_EMAIL_STATUSES } from '@reseller/presenters';
import { z } from 'zod';
import { amount, count, moment, pageOfItems } from './fields';
import { postedFields } from './wallets';

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

const statement = {
  id: z.string(),
  ...head,
  sequenceNumber: count,
  statementNumber: z.string(),
  locked: z.boolean(),
  emailStatus: z.enum(STATEMENT_EMAIL_STATUSES),
  emailStatusReason: z.string().nullable(),
  emailSentAt: moment.nullable(),
};

const document = {
  ...head,
  sequenceNumber: count.nullable(),
  statementNumber: z.string().nullable(),
  isProvisional: z.boolean(),
  platformTaxRegistrationNumber: z.string().nullable(),
  partnerTaxRegistrationNumber: z.string().nullable(),
  documentNature: z.string(),
};

/** A billing statement without its lines, as its partner reads it (spec §9.1). */
const statementResponse = z
  .strictObject({ ...statement, document: z.strictObject(document) })
  .meta({ id: 'Statement' });

const line = z.strictObject(postedFields).meta({ id: 'StatementLine' });

/** The same with its lines. */
export const statementWithLines = z
  .strictObject({ ...statement, document: z.strictObject({ ...document, lines: z.array(line) }) })
  .meta({ id: 'StatementWithLines' });

/** A page of statements. */
export const statementsPage = pageOfItems(statementResponse);
