import { describe, expect, it } from '@jest/globals';
import { AppError } from '@reseller/errors';
import {
  Environment,
  Statement,
  ReferenceType,
  TransactionType,
  WalletTransaction,
} from '@reseller/contracts';
import { printedRows } from '@reseller/testing';
import { statementPdf } from './statement';

const STATEMENT = Statement.fromPartial({
  environment: Environment.LIVE,
  language: 'en',
  partnerName: 'Acme',
  openingBalance: '5.00',
  closingBalance: '95.00',
  document: {
    partnerGlobalId: 'PRT-1',
    partnerTaxRegistrationNumber: '311',
    platformTaxRegistrationNumber: '300',
    documentNature: 'A document.',
    statementNumber: 'ST-PRT-1-000001',
    afterPosition: '0',
    upToPosition: '2',
    periodFromAt: new Date('2026-10-01T00:00:00.000Z'),
    periodToAt: new Date('2026-11-01T00:00:00.000Z'),
    generatedAt: new Date('2026-11-01T00:10:00.000Z'),
    currency: 'SAR',
    totalDebits: '10.00',
    totalCredits: '100.00',
    netPosition: '90.00',
  },
});

const LINES = [
  {
    transactionId: '1',
    transactionType: TransactionType.CREDIT,
    referenceType: ReferenceType.DEPOSIT,
    referenceId: 'DEP-1',
    amount: '100.00',
    balanceAfter: '105.00',
  },
  {
    transactionId: '2',
    transactionType: TransactionType.DEBIT,
    referenceType: ReferenceType.ORDER,
    referenceId: 'TU-1',
    amount: '10.00',
    balanceAfter: '95.00',
    notes: 'Top-up',
  },
].map((line) => WalletTransaction.fromPartial({ ...line, occurredAt: new Date('2026-10-02T03:04:05.678Z') }));

async function pdfOf(changes: Partial<Statement>): Promise<Buffer> {
  const parts: Buffer[] = [];
  const pieces = statementPdf({ ...STATEMENT, ...changes }, (piece) =>
    Promise.resolve(LINES.slice(piece, piece + 1)),
  );
  for await (const part of pieces) parts.push(part);
  return Buffer.concat(parts);
}

describe('a statement as a PDF', () => {
  it('when it is printed, then its number, period, totals and lines are those of the message', async () => {
    expect(printedRows(await pdfOf({}))).toEqual([
      [
        '468 ST-PRT-1-000001',
        '40 Billing statement',
        '40 Partner | 190 Acme',
        '40 Partner id | 190 PRT-1',
        '40 Partner tax registration no. | 190 311',
        '40 Platform tax registration no. | 190 300',
        '40 Period (UTC) | 190 2026-10-01 00:00:00 | 266  to  | 277 2026-11-01 00:00:00 | 353 , exclusive',
        '40 Generated (UTC) | 190 2026-11-01 00:10:00',
        '40 Environment | 190 live',
        '50 Opening balance | 152 Total debits | 254 Total credits | 356 Net position | 458 Closing balance',
        '50 5.00 | 152 10.00 | 254 100.00 | 356 90.00 | 458 95.00',
        '40 All amounts in SAR.',
        '40 A document.',
        '40 Time (UTC) | 150 Transaction and reference | 386 Debit | 452 Credit | 524 Balance',
        '40 2026-10-02 03:04:05 | 150 Deposit  | 181 DEP-1 | 451 100.00 | 530 105.00',
        '40 No.  | 52 1',
        '40 2026-10-02 03:04:05 | 150 Order  | 174 TU-1 | 388 10.00 | 535 95.00',
        '40 No.  | 52 2 | 150 Top-up',
        '40 Commercial billing document, not a legal tax invoice | 519 Page 1 of 1',
      ],
    ]);
  });

  it('when it is the sandbox’s, or in Arabic, then it is printed so', async () => {
    const [rows = []] = printedRows(await pdfOf({ environment: Environment.SANDBOX }));
    expect(rows).toContain('40 Environment | 190 sandbox');
    expect((await pdfOf({ language: 'ar' })).toString('latin1')).toContain('NotoSansArabic-Bold');
  });

  it('when its first lines cannot be read, then nothing of it is made, so that the refusal can be the response', async () => {
    const refusal = new AppError('SERVICE_UNAVAILABLE');
    const parts = statementPdf(STATEMENT, () => Promise.reject(refusal));
    await expect(parts.next()).rejects.toBe(refusal);
  });
});
