import { decimal, toFixedString } from '@reseller/money';
import { INK, PAGE, Sheet } from './sheet';
import { WORDS, type LineKind, type StatementLanguage, type Words } from './words';

const { margin: MARGIN } = PAGE;
const END = PAGE.width - MARGIN;
const ROW = 23;
const TABLE_TOP = { first: 316, other: 84 };
const TABLE_BOTTOM = 780;
const ROWS = {
  first: Math.floor((TABLE_BOTTOM - TABLE_TOP.first) / ROW),
  other: Math.floor((TABLE_BOTTOM - TABLE_TOP.other) / ROW),
};
const COLUMNS = { time: MARGIN, reference: 150, debit: 408, credit: 476, balance: END };
const REFERENCE_WIDTH = 195;
const REMARK_WIDTH = END - COLUMNS.reference;

/** A statement as it is printed; amounts are decimals in its currency. */
export interface PrintedStatement {
  readonly language: StatementLanguage;
  readonly statementNumber: string;
  readonly documentNature: string;
  readonly partnerName: string;
  readonly partnerGlobalId: string;
  readonly partnerTaxRegistrationNumber?: string | undefined;
  readonly platformTaxRegistrationNumber?: string | undefined;
  /** From inclusive, to exclusive. */
  readonly period: { readonly from: Date; readonly to: Date };
  readonly generatedAt: Date;
  readonly environment: 'live' | 'sandbox';
  readonly currency: string;
  readonly openingBalance: string;
  readonly closingBalance: string;
  readonly totalDebits: string;
  readonly totalCredits: string;
  readonly lineCount: number;
}

/** A line of it. */
export interface PrintedLine {
  readonly transactionId: string;
  readonly occurredAt: Date;
  readonly transactionType: 'Debit' | 'Credit';
  readonly referenceType: LineKind;
  readonly referenceId: string;
  readonly amount: string;
  readonly balanceAfter: string;
  readonly notes: string;
  readonly orderGoodsVatAmount?: string | undefined;
  readonly orderCommissionVatAmount?: string | undefined;
  readonly orderTotalAmountWithVat?: string | undefined;
  readonly orderTotalCommissionWithVat?: string | undefined;
}

/**
 * A statement as a PDF, in the parts that its reader asks for, so that one of any length takes little memory. The same statement always
 * gives the same bytes: its only date is generatedAt.
 */
export async function* statementPdf(
  statement: PrintedStatement,
  pieces: AsyncIterable<readonly PrintedLine[]>,
): AsyncGenerator<Buffer> {
  const { lineCount, language } = statement;
  const words = WORDS[language];
  const pageCount = 1 + Math.ceil(Math.max(0, lineCount - ROWS.first) / ROWS.other);
  const sheet = new Sheet({
    title: words.titleOf(statement.statementNumber),
    subject: statement.documentNature,
    date: statement.generatedAt,
    isRightToLeft: language === 'ar',
  });
  let page = 0;
  let row = 0;
  const begin = (): Buffer | null => {
    const finished = sheet.nextPage();
    page += 1;
    row = 0;
    if (page === 1) putHead(sheet, statement, words);
    putFrame(sheet, statement, words, { page, pageCount });
    return finished;
  };
  const first = begin();
  if (first) yield first;
  for await (const lines of pieces) {
    for (const line of lines) {
      if (row === (page === 1 ? ROWS.first : ROWS.other)) {
        const finished = begin();
        if (finished) yield finished;
      }
      putLine(sheet, line, words, (page === 1 ? TABLE_TOP.first : TABLE_TOP.other) + row * ROW);
      row += 1;
    }
  }
  if (lineCount === 0) sheet.put(words.nothing, MARGIN, TABLE_TOP.first + 6, { ink: INK.soft });
  yield* sheet.end();
}

function putHead(sheet: Sheet, statement: PrintedStatement, words: Words): void {
  sheet.put(words.title, MARGIN, 40, { size: 20, weight: 'bold' });
  sheet.put(statement.statementNumber, END, 46, { size: 11, weight: 'bold', at: 'end' });
  const { period } = statement;
  const facts: [string, string | readonly string[]][] = [
    [words.partner, statement.partnerName],
    [words.partnerId, statement.partnerGlobalId],
    [words.partnerTax, statement.partnerTaxRegistrationNumber ?? '-'],
    [words.platformTax, statement.platformTaxRegistrationNumber ?? '-'],
    [words.period, words.periodFromTo(time(period.from), time(period.to))],
    [words.generated, time(statement.generatedAt)],
    [words.environment, words.environments[statement.environment]],
  ];
  facts.forEach(([name, value], index) => {
    sheet.put(name, MARGIN, 76 + index * 14, { ink: INK.soft });
    sheet.putAll([value].flat(), 190, 76 + index * 14, {}, END - 190);
  });
  putFigures(sheet, statement, words);
  sheet.put(words.allAmountsIn(statement.currency), MARGIN, 258, { ink: INK.soft });
  sheet.put(statement.documentNature, MARGIN, 272, { ink: INK.soft }, END - MARGIN);
}

function putFigures(sheet: Sheet, statement: PrintedStatement, words: Words): void {
  sheet.band(184, 62);
  const net = decimal(statement.totalCredits).minus(statement.totalDebits);
  const figures: [string, string][] = [
    [words.opening, statement.openingBalance],
    [words.debits, statement.totalDebits],
    [words.credits, statement.totalCredits],
    [words.net, toFixedString(net, 2)],
    [words.closing, statement.closingBalance],
  ];
  figures.forEach(([name, value], index) => {
    const x = MARGIN + 10 + index * 102;
    sheet.put(name, x, 196, { ink: INK.soft }, 98);
    sheet.put(amount(value), x, 214, { size: 11, weight: 'bold', isWhole: true }, 98);
  });
}

function putFrame(
  sheet: Sheet,
  statement: PrintedStatement,
  words: Words,
  { page, pageCount }: { page: number; pageCount: number },
): void {
  const top = (page === 1 ? TABLE_TOP.first : TABLE_TOP.other) - 20;
  if (page > 1) {
    sheet.put(words.titleOf(statement.statementNumber), MARGIN, 36, { weight: 'bold' });
    sheet.put(statement.partnerGlobalId, END, 36, { at: 'end', ink: INK.soft });
  }
  sheet.put(words.time, COLUMNS.time, top, { weight: 'bold' });
  sheet.put(words.transaction, COLUMNS.reference, top, { weight: 'bold' });
  sheet.put(words.debit, COLUMNS.debit, top, { weight: 'bold', at: 'end' });
  sheet.put(words.credit, COLUMNS.credit, top, { weight: 'bold', at: 'end' });
  sheet.put(words.balance, COLUMNS.balance, top, { weight: 'bold', at: 'end' });
  sheet.rule(top + 13, INK.soft);
  sheet.rule(800);
  sheet.put(words.footer, MARGIN, 808, { size: 7, ink: INK.soft });
  sheet.put(words.page(page, pageCount), END, 808, { size: 7, ink: INK.soft, at: 'end' });
}

function putLine(sheet: Sheet, line: PrintedLine, words: Words, y: number): void {
  const column = line.transactionType === 'Debit' ? COLUMNS.debit : COLUMNS.credit;
  const small = { size: 6.5, ink: INK.soft };
  sheet.put(time(line.occurredAt), COLUMNS.time, y);
  const subject = [`${words.kinds[line.referenceType]} `, line.referenceId];
  sheet.putAll(subject, COLUMNS.reference, y, {}, REFERENCE_WIDTH);
  sheet.put(amount(line.amount), column, y, { at: 'end' });
  sheet.put(amount(line.balanceAfter), COLUMNS.balance, y, { at: 'end' });
  sheet.putAll([`${words.number} `, line.transactionId], COLUMNS.time, y + 10, small, REFERENCE_WIDTH);
  sheet.putAll(remarksOf(line, words), COLUMNS.reference, y + 10, small, REMARK_WIDTH);
  sheet.rule(y + ROW - 3);
}

function remarksOf(line: PrintedLine, words: Words): string[] {
  const vat: [string, string | undefined][] = [
    [words.goodsVat, line.orderGoodsVatAmount],
    [words.commissionVat, line.orderCommissionVatAmount],
    [words.totalWithVat, line.orderTotalAmountWithVat],
    [words.commissionWithVat, line.orderTotalCommissionWithVat],
  ];
  const texts: string[] = [];
  for (const [name, value] of vat) {
    if (value !== undefined) texts.push(texts.length > 0 ? words.separator : '', `${name} `, amount(value));
  }
  if (line.notes !== '') texts.push(texts.length > 0 ? words.separator : '', line.notes);
  return texts;
}

const time = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');

const amount = (value: string): string => value.replace(/\B(?=(\d{3})+(?!\d)\.)/g, ',');
