import { STATEMENT_EMAIL_STATUSES } from '@reseller/presenters';
import { z } from 'zod';
import { id, moment, money } from './envelope';
import { walletTransaction } from './wallet';

const taxNumber = (whose: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `${whose} tax registration number; null without one.` });

const period = {
  periodFrom: moment('Inclusive.'),
  periodTo: moment('Exclusive.'),
  generatedAt: moment('When it was made.'),
};

const totals = {
  currency: z.string(),
  totalDebits: money('The sum of the Debit lines.'),
  totalCredits: money('The sum of the Credit lines.'),
  netPosition: money('totalCredits less totalDebits.'),
};

const documentHead = z.strictObject({
  partnerId: id('Your partner id.'),
  partnerGlobalId: z.string(),
  sequenceNumber: z.int().nullable().meta({ description: 'From 1 without gaps; null on a report.' }),
  statementNumber: z.string().nullable().meta({ description: 'Null on a report.' }),
  isProvisional: z.boolean().meta({ description: 'True on a report, which is persisted nowhere.' }),
  ...period,
  ...totals,
  platformTaxRegistrationNumber: taxNumber('The platform’s'),
  partnerTaxRegistrationNumber: taxNumber('Your'),
  documentNature: z
    .string()
    .meta({ description: 'A commercial billing document for reconciliation, not a legal tax invoice.' }),
});

/** A billing document with its lines, oldest first. */
export const statementDocument = documentHead
  .extend({ lines: z.array(walletTransaction).meta({ description: 'Oldest first.' }) })
  .meta({ id: 'StatementDocument' });

const fields = {
  id: id('The statement’s id.'),
  partnerId: id('Your partner id.'),
  partnerGlobalId: z.string(),
  sequenceNumber: z.int().meta({ description: 'From 1 without gaps in each environment.' }),
  statementNumber: z.string().meta({ description: 'ST-<partnerGlobalId>-<six digits>.' }),
  ...period,
  locked: z.boolean().meta({ description: 'Always true: a statement never changes.' }),
  ...totals,
  emailStatus: z.enum(STATEMENT_EMAIL_STATUSES),
  emailStatusReason: z.string().nullable().meta({ description: 'Why it was Skipped or Failed.' }),
  emailSentAt: z.iso.datetime().nullable().meta({ description: 'Null until it was sent.' }),
};

/** A persisted statement as lists show it. */
export const listedStatement = z
  .strictObject({ ...fields, document: documentHead.meta({ description: 'Without its lines.' }) })
  .meta({ id: 'ListedStatement' });

/** A persisted statement. */
export const statement = z.strictObject({ ...fields, document: statementDocument }).meta({ id: 'Statement' });
