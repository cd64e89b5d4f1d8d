import { decimal, toFixedString } from '@reseller/money';
import PDFDocument from 'pdfkit';
import type { WalletLine } from '../../wallet/domain/wallet-transaction';
import type { Statement } from '../domain/statement';

const MARGIN = 40;
const WIDTH = 595.28;
const RIGHT = WIDTH - MARGIN;
const ROW = 23;
const TABLE_TOP = { first: 316, other: 84 };
const TABLE_BOTTOM = 780;
const ROWS = {
  first: Math.floor((TABLE_BOTTOM - TABLE_TOP.first) / ROW),
  other: Math.floor((TABLE_BOTTOM - TABLE_TOP.other) / ROW),
};
const COLUMNS = { time: MARGIN, reference: 150, debit: 408, credit: 476, balance: RIGHT };
const INK = { text: '#1a1f2b', soft: '#5b6475', rule: '#c9ced8', band: '#f1f3f7' };

type Doc = InstanceType<typeof PDFDocument>;

/**
 * A statement as a PDF, in the parts that its reader asks for, so that one of any length takes little memory. The same
 * statement always gives the same bytes: its only date is generatedAt.
 */
export async function* statementPdf(
  statement: Statement,
  pieces: AsyncIterable<WalletLine[]>,
): AsyncGenerator<Buffer> {
  const { document } = statement;
  const lineCount = Number(document.upToSeq - document.afterSeq);
  const pageCount = 1 + Math.ceil(Math.max(0, lineCount - ROWS.first) / ROWS.other);
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    info: {
      Title: `Statement ${document.statementNumber}`,
      Subject: document.documentNature,
      Producer: 'Partner Reseller',
      Creator: 'Partner Reseller',
      CreationDate: document.generatedAt,
      ModDate: document.generatedAt,
    },
  });
  let page = 0;
  let row = 0;
  const begin = (): void => {
    page += 1;
    row = 0;
    doc.addPage();
    if (page === 1) drawHead(doc, statement);
    drawFrame(doc, statement, page, pageCount);
  };
  begin();
  for await (const lines of pieces) {
    for (const line of lines) {
      if (row === (page === 1 ? ROWS.first : ROWS.other)) {
        begin();
        const finished = doc.read() as Buffer | null;
        if (finished) yield finished;
      }
      drawRow(doc, line, (page === 1 ? TABLE_TOP.first : TABLE_TOP.other) + row * ROW);
      row += 1;
    }
  }
  if (lineCount === 0)
    put(doc, 'No transactions in this period.', MARGIN, TABLE_TOP.first + 6, { ink: INK.soft });
  doc.end();
  for await (const rest of doc) yield rest as Buffer;
}

function drawHead(doc: Doc, statement: Statement): void {
  const { document, partnerName, openingBalance, closingBalance } = statement;
  put(doc, 'Billing statement', MARGIN, 40, { size: 20, bold: true });
  put(doc, document.statementNumber ?? '', RIGHT, 46, { size: 11, bold: true, right: true });
  const facts: [string, string][] = [
    ['Partner', partnerName],
    ['Partner id', document.partnerGlobalId],
    ['Partner tax registration no.', document.partnerTaxRegistrationNumber ?? '-'],
    ['Platform tax registration no.', document.platformTaxRegistrationNumber ?? '-'],
    ['Period (UTC)', `${time(document.period.from)} to ${time(document.period.to)}, exclusive`],
    ['Generated (UTC)', time(document.generatedAt)],
    ['Environment', statement.environment],
  ];
  facts.forEach(([name, value], index) => {
    put(doc, name, MARGIN, 76 + index * 14, { ink: INK.soft });
    put(doc, clip(value, 80), 190, 76 + index * 14);
  });
  doc.rect(MARGIN, 184, RIGHT - MARGIN, 62).fill(INK.band);
  const net = decimal(document.totalCredits).minus(document.totalDebits);
  const figures: [string, string][] = [
    ['Opening balance', openingBalance],
    ['Total debits', document.totalDebits],
    ['Total credits', document.totalCredits],
    ['Net position', toFixedString(net, 2)],
    ['Closing balance', closingBalance],
  ];
  figures.forEach(([name, value], index) => {
    const x = MARGIN + 10 + index * 102;
    put(doc, name, x, 196, { ink: INK.soft });
    put(doc, amount(value), x, 214, { size: 11, bold: true });
  });
  put(doc, `All amounts in ${document.currency}.`, MARGIN, 258, { ink: INK.soft });
  put(doc, document.documentNature, MARGIN, 272, { ink: INK.soft });
}

function drawFrame(doc: Doc, { document }: Statement, page: number, pageCount: number): void {
  const top = (page === 1 ? TABLE_TOP.first : TABLE_TOP.other) - 20;
  if (page > 1) {
    put(doc, `Billing statement ${document.statementNumber}`, MARGIN, 36, { bold: true });
    put(doc, document.partnerGlobalId, RIGHT, 36, { right: true, ink: INK.soft });
  }
  const bold = { bold: true };
  put(doc, 'Time (UTC)', COLUMNS.time, top, bold);
  put(doc, 'Transaction and reference', COLUMNS.reference, top, bold);
  put(doc, 'Debit', COLUMNS.debit, top, { ...bold, right: true });
  put(doc, 'Credit', COLUMNS.credit, top, { ...bold, right: true });
  put(doc, 'Balance', COLUMNS.balance, top, { ...bold, right: true });
  rule(doc, top + 13, INK.soft);
  rule(doc, 800, INK.rule);
  put(doc, 'Commercial billing document, not a legal tax invoice', MARGIN, 808, { size: 7, ink: INK.soft });
  put(doc, `Page ${page} of ${pageCount}`, RIGHT, 808, { size: 7, ink: INK.soft, right: true });
}

function drawRow(doc: Doc, line: WalletLine, y: number): void {
  put(doc, time(line.occurredAt), COLUMNS.time, y);
  put(doc, clip(`${line.referenceType} ${line.referenceId}`, 52), COLUMNS.reference, y);
  const column = line.transactionType === 'Debit' ? COLUMNS.debit : COLUMNS.credit;
  put(doc, amount(line.amount), column, y, { right: true });
  put(doc, amount(line.balanceAfter), COLUMNS.balance, y, { right: true });
  const small = { size: 6.5, ink: INK.soft };
  put(doc, `No. ${line.transactionId}`, COLUMNS.time, y + 11, small);
  put(doc, clip(remarkOf(line), 118), COLUMNS.reference, y + 11, small);
  rule(doc, y + ROW - 3, INK.rule);
}

function remarkOf(line: WalletLine): string {
  const vat: [string, string | undefined][] = [
    ['goods VAT', line.orderGoodsVatAmount],
    ['commission VAT', line.orderCommissionVatAmount],
    ['total with VAT', line.orderTotalAmountWithVat],
    ['commission with VAT', line.orderTotalCommissionWithVat],
  ];
  const figures = vat.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${amount(value)}`]));
  return [...figures, line.notes].filter((text) => text !== '').join(', ');
}

function put(
  doc: Doc,
  text: string,
  x: number,
  y: number,
  { size = 8, bold = false, ink = INK.text, right = false } = {},
): void {
  const latin = toLatin(text);
  doc
    .font(bold ? 'Helvetica-Bold' : 'Helvetica')
    .fontSize(size)
    .fillColor(ink);
  doc.text(latin, right ? x - doc.widthOfString(latin) : x, y, { lineBreak: false });
}

function rule(doc: Doc, y: number, ink: string): void {
  doc.moveTo(MARGIN, y).lineTo(RIGHT, y).lineWidth(0.5).strokeColor(ink).stroke();
}

const time = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');

const amount = (value: string): string => value.replace(/\B(?=(\d{3})+(?!\d)\.)/g, ',');

const clip = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 3)}...` : text;

/** The fonts that every reader has know Latin letters only; the e-mail and the API have the text as it is. */
const toLatin = (text: string): string =>
  text
    .replace(/[–—]/g, '-')
    .replace(/[‘’]/g, "'")
    .replace(/[^\x20-\x7e\u00a0-\u00ff]/gu, '?');
