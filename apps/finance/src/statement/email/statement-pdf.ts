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
const PAGE_HEIGHT = 841.89;
/** From a row's top to the line its letters stand on. */
const BASELINE = 7;
const RGB = { text: '0.10 0.12 0.17', soft: '0.36 0.39 0.46', rule: '0.79 0.81 0.85' };
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
  let rows: string[] = [];
  let rules: string[] = [];
  const finish = (): void => {
    if (rows.length === 0) return;
    // Letters would stand on their heads in pdfkit's coordinates, which run from the top.
    const lines = `0.5 w ${RGB.rule} RG\n${rules.join('\n')} S`;
    doc.addContent(`q 1 0 0 -1 0 ${PAGE_HEIGHT} cm\n${lines}\nBT\n${rows.join('\n')}\nET Q`);
    rows = [];
    rules = [];
  };
  const begin = (): void => {
    finish();
    page += 1;
    row = 0;
    doc.addPage();
    if (page === 1) drawHead(doc, statement);
    drawFrame(doc, statement, page, pageCount);
  };
  begin();
  const font = regularFontOf(doc);
  for await (const lines of pieces) {
    for (const line of lines) {
      if (row === (page === 1 ? ROWS.first : ROWS.other)) {
        begin();
        const finished = doc.read() as Buffer | null;
        if (finished) yield finished;
      }
      const y = (page === 1 ? TABLE_TOP.first : TABLE_TOP.other) + row * ROW;
      rows.push(rowOf(line, y, font));
      rules.push(
        `${MARGIN} ${(PAGE_HEIGHT - y - ROW + 3).toFixed(2)} m ${RIGHT} ${(PAGE_HEIGHT - y - ROW + 3).toFixed(2)} l`,
      );
      row += 1;
    }
  }
  if (lineCount === 0)
    put(doc, 'No transactions in this period.', MARGIN, TABLE_TOP.first + 6, { ink: INK.soft });
  finish();
  doc.end();
  for await (const rest of doc) yield rest as Buffer;
}

/** The name by which every page knows Helvetica; the frame has used it there. */
function regularFontOf(doc: Doc): string {
  return (doc.font('Helvetica') as Doc & { _font: { id: string } })._font.id;
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

/**
 * One line of the table, written as the page's own operators: pdfkit's text() lays every word out anew, which for a hundred
 * thousand lines takes a minute.
 */
function rowOf(line: WalletLine, y: number, font: string): string {
  const column = line.transactionType === 'Debit' ? COLUMNS.debit : COLUMNS.credit;
  const printed = amount(line.amount);
  const balance = amount(line.balanceAfter);
  const below = PAGE_HEIGHT - y - BASELINE;
  return [
    `/${font} 8 Tf ${RGB.text} rg`,
    textAt(COLUMNS.time, below, time(line.occurredAt)),
    textAt(COLUMNS.reference, below, clip(`${line.referenceType} ${line.referenceId}`, 52)),
    textAt(column - widthOf(printed), below, printed),
    textAt(COLUMNS.balance - widthOf(balance), below, balance),
    `/${font} 6.5 Tf ${RGB.soft} rg`,
    textAt(COLUMNS.time, below - 10, `No. ${line.transactionId}`),
    textAt(COLUMNS.reference, below - 10, clip(remarkOf(line), 118)),
  ].join('\n');
}

const textAt = (x: number, y: number, text: string): string =>
  text === ''
    ? ''
    : `1 0 0 1 ${x.toFixed(2)} ${y.toFixed(2)} Tm (${toLatin(text).replace(/[\\()]/g, '\\$&')}) Tj`;

/** The width of a figure in Helvetica of 8 points: digits are of one width, and so are points and commas. */
function widthOf(figure: string): number {
  let width = 0;
  for (const sign of figure) width += sign === '.' || sign === ',' ? 0.278 : sign === '-' ? 0.333 : 0.556;
  return width * 8;
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
