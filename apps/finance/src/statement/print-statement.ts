import type { WalletLine } from '../wallet/domain/wallet-transaction';
import { piecesOf, toWalletLine, type Statement, type StoredLine } from './domain/statement';

/** The statement as a PDF, from pieces of its lines; never held whole. Its library is loaded with the first. */
export async function* printStatement(
  statement: Statement,
  read: (piece: number) => Promise<StoredLine[]>,
): AsyncGenerator<Buffer> {
  const { statementPdf } = await import('@reseller/statement-pdf');
  const { document } = statement;
  const { statementNumber = '', afterSeq, upToSeq } = document;
  const lineCount = Number(upToSeq - afterSeq);
  yield* statementPdf({ ...statement, ...document, statementNumber, lineCount }, linesOf(document, read));
}

async function* linesOf(
  document: Pick<Statement['document'], 'afterSeq' | 'upToSeq'>,
  read: (piece: number) => Promise<StoredLine[]>,
): AsyncGenerator<WalletLine[]> {
  for (let piece = 0; piece < piecesOf(document); piece += 1) yield (await read(piece)).map(toWalletLine);
}
