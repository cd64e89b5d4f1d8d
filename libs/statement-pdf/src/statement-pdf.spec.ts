import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { inflateSync } from 'node:zlib';
import { printedRows } from '@reseller/testing';
import { statementPdf, type PrintedLine, type PrintedStatement } from './statement-pdf';

const STATEMENT: PrintedStatement = {
  language: 'en',
  statementNumber: 'ST-PRT-000001-000001',
  documentNature: 'A commercial billing document.',
  partnerName: 'مؤسسة الرياض التجارية',
  partnerGlobalId: 'PRT-000001',
  period: { from: new Date('2026-01-01'), to: new Date('2026-02-01') },
  generatedAt: new Date('2026-02-01T01:00:00Z'),
  environment: 'live',
  currency: 'SAR',
  openingBalance: '0.00',
  closingBalance: '90.00',
  totalDebits: '10.00',
  totalCredits: '100.00',
  lineCount: 0,
};

const LINE: PrintedLine = {
  transactionId: '1',
  occurredAt: new Date('2026-01-02T03:04:05Z'),
  transactionType: 'Debit',
  referenceType: 'Order',
  referenceId: 'ORD-1',
  amount: '10.00',
  balanceAfter: '90.00',
  notes: 'دفعة — Überweisung 付款',
};

async function* piecesOf(lineCount: number, line = LINE): AsyncGenerator<PrintedLine[]> {
  for (let left = lineCount; left > 0; left -= 500)
    yield Array.from({ length: Math.min(500, left) }, () => line);
}

function print(statement: Partial<PrintedStatement>, line = LINE): Promise<Buffer> {
  const printed = { ...STATEMENT, ...statement };
  return pdfOf(printed, piecesOf(printed.lineCount, line));
}

async function pdfOf(statement: PrintedStatement, pieces: AsyncIterable<PrintedLine[]>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of statementPdf(statement, pieces)) parts.push(part);
  return Buffer.concat(parts);
}

const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;

/** Where the text of each page begins, from the left. */
const leftEnds = (pdf: Buffer): number[] => found(pdf, /1 0 0 1 ([\d.-]+) [\d.-]+ Tm/g).map(Number);

/** Of how many glyphs each text is, at four digits each. */
const lengths = (pdf: Buffer): number[] => found(pdf, /<([\da-f]+)> Tj/g).map((hex) => hex.length / 4);

function found(pdf: Buffer, operator: RegExp): string[] {
  const streams = pdf.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g);
  return [...streams].flatMap(([, bytes = '']) => {
    const text = inflated(Buffer.from(bytes, 'latin1'));
    return [...text.matchAll(operator)].map(([, operand = '']) => operand);
  });
}

function inflated(bytes: Buffer): string {
  try {
    return inflateSync(bytes).toString('latin1');
  } catch {
    return '';
  }
}

describe('a statement as a PDF (spec §9.4)', () => {
  it('shows every figure and every line where its heading says', async () => {
    const credit: PrintedLine = { ...LINE, transactionType: 'Credit', referenceType: 'Deposit', notes: '' };
    const vat = {
      orderGoodsVatAmount: '1.30',
      orderCommissionVatAmount: '0.13',
      orderTotalAmountWithVat: '10.00',
      orderTotalCommissionWithVat: '1.00',
    };
    const lines = [
      {
        ...credit,
        transactionId: '7',
        referenceId: 'DEP-1',
        amount: '1234567.00',
        balanceAfter: '1234567.00',
      },
      { ...LINE, ...vat, transactionId: '8', balanceAfter: '1234557.00', notes: 'for Noura' },
    ];
    const figures = { totalCredits: '1234567.00', closingBalance: '1234557.00', lineCount: 2 };
    const statement = { ...STATEMENT, ...figures, partnerName: 'Acme', partnerTaxRegistrationNumber: '311' };
    expect(printedRows(await pdfOf(statement, Readable.from([lines])))).toEqual([
      [
        '436 ST-PRT-000001-000001',
        '40 Billing statement',
        '40 Partner | 190 Acme',
        '40 Partner id | 190 PRT-000001',
        '40 Partner tax registration no. | 190 311',
        '40 Platform tax registration no. | 190 -',
        '40 Period (UTC) | 190 2026-01-01 00:00:00 | 266  to  | 277 2026-02-01 00:00:00 | 353 , exclusive',
        '40 Generated (UTC) | 190 2026-02-01 01:00:00',
        '40 Environment | 190 live',
        '50 Opening balance | 152 Total debits | 254 Total credits | 356 Net position | 458 Closing balance',
        '50 0.00 | 152 10.00 | 254 1,234,567.00 | 356 1,234,557.00 | 458 1,234,557.00',
        '40 All amounts in SAR.',
        '40 A commercial billing document.',
        '40 Time (UTC) | 150 Transaction and reference | 386 Debit | 452 Credit | 524 Balance',
        '40 2026-01-02 03:04:05 | 150 Deposit  | 181 DEP-1 | 428 1,234,567.00 | 508 1,234,567.00',
        '40 No.  | 52 7',
        '40 2026-01-02 03:04:05 | 150 Order  | 174 ORD-1 | 388 10.00 | 508 1,234,557.00',
        '40 No.  | 52 8 | 150 goods VAT  | 184 1.30 | 197 ,  | 200 commission VAT  | 252 0.13 | 265 ,  | ' +
          '268 total with VAT  | 312 10.00 | 329 ,  | 332 commission with VAT  | 399 1.00 | 412 ,  | 415 for Noura',
        '40 Commercial billing document, not a legal tax invoice | 519 Page 1 of 1',
      ],
    ]);
  });

  it('when it is printed twice, then the bytes are the same', async () => {
    const first = await print({ lineCount: 3 });
    expect(first.equals(await print({ lineCount: 3 }))).toBe(true);
    expect(first.subarray(0, 5).toString()).toBe('%PDF-');
    expect(first.subarray(-6).toString()).toBe('%%EOF\n');
  });

  it('when it has more lines than a page takes, then each page is of its own, and parts come before all lines were read', async () => {
    let read = 0;
    const counted = (async function* () {
      for await (const piece of piecesOf(1_500)) {
        read += 1;
        yield piece;
      }
    })();
    const parts = statementPdf({ ...STATEMENT, lineCount: 1_500 }, counted);
    await parts.next();
    expect(read).toBeLessThanOrEqual(1);
    for await (const part of parts) expect(part.length).toBeGreaterThan(0);
    expect(pagesOf(await print({ lineCount: 20 }))).toBe(1);
    const [, second = []] = printedRows(await print({ lineCount: 21 }, { ...LINE, notes: '' }));
    expect(second).toEqual([
      '40 Billing statement ST-PRT-000001-000001 | 511 PRT-000001',
      '40 Time (UTC) | 150 Transaction and reference | 386 Debit | 452 Credit | 524 Balance',
      '40 2026-01-02 03:04:05 | 150 Order  | 174 ORD-1 | 388 10.00 | 535 90.00',
      '40 No.  | 52 1',
      '40 Commercial billing document, not a legal tax invoice | 519 Page 2 of 2',
    ]);
  });

  it('when it has no line, then it says so', async () => {
    const [rows = []] = printedRows(await print({ partnerName: 'Acme' }));
    expect(rows.at(-2)).toBe('40 No transactions in this period.');
  });

  it('when it is in Arabic, then its fonts and its words are embedded, and it begins at the right', async () => {
    const [english, arabic] = [await print({}), await print({ language: 'ar' })];
    expect(arabic.toString('latin1')).toContain('NotoSansArabic-Bold');
    expect(english.toString('latin1')).not.toContain('NotoSansArabic-Bold');
    expect(leftEnds(english)[0]).toBe(40);
    expect(leftEnds(arabic)[0]).toBeGreaterThan(400);
  });

  it('when figures are as large as may be, then every digit of them is printed, within their places', async () => {
    const figure = '-9999999999999.99';
    const pdf = await print({ openingBalance: figure, closingBalance: figure });
    expect(lengths(pdf).filter((length) => length === '-9,999,999,999,999.99'.length)).toHaveLength(2);
    expect(lengths(await print({})).filter((length) => length === 21)).toEqual([]);
    const sizes = found(pdf, /\/F\d+ ([\d.]+) Tf\n1 0 0 1 [\d. ]+ Tm <.{84}> Tj/g).map(Number);
    // At 11 points they would be wider than the 98 of their places.
    expect(sizes.map((size) => size.toFixed(1))).toEqual(['9.5', '9.5']);
  });

  it('when notes are longer than their column, then as much is printed as fits, and an ellipsis', async () => {
    const line = { ...LINE, notes: 'ملاحظة طويلة '.repeat(60), referenceId: 'R'.repeat(200) };
    for (const language of ['en', 'ar'] as const) {
      const ends = leftEnds(await print({ lineCount: 2, language }, line));
      expect(Math.min(...ends)).toBeGreaterThanOrEqual(39);
      expect(Math.max(...ends)).toBeLessThan(556);
    }
    const [rows = []] = printedRows(await print({ lineCount: 1 }, { ...line, notes: 'W'.repeat(100) }));
    expect(rows.slice(-3, -1)).toEqual([
      `40 2026-01-02 03:04:05 | 150 Order  | 174 ${'R'.repeat(33)}… | 388 10.00 | 535 90.00`,
      `40 No.  | 52 1 | 150 ${'W'.repeat(66)} | 549 …`,
    ]);
  });
});
