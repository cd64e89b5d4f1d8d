export { statementPdf, type PrintedLine, type PrintedStatement } from './statement-pdf';
export type { LineKind, StatementLanguage } from './words';
