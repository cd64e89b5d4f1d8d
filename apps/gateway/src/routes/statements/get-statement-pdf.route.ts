import { present, statementPdf } from '@reseller/presenters';
import { StreamedPayload } from '@reseller/http-edge';
import { z } from 'zod';
import { uuid } from '../../fields/request-fields';
import { defineRoute } from '../route';
import { callOfPiece } from './read-lines';
import { exampleStatement } from './statement.resource';

/** GET /api/v1/statements/{id}/pdf */
export const getStatementPdf = defineRoute({
  method: 'GET',
  path: '/api/v1/statements/{id}/pdf',
  tag: 'Statements',
  summary: 'Print a statement',
  description:
    'A persisted statement as a PDF, the same bytes each time and those of its e-mail, in the language that the partner had when it was made. Success is the file itself, without the envelope.',
  params: z.object({ id: uuid('The statement’s id.') }),
  response: z.string(),
  produces: 'application/pdf',
  errors: ['NOT_FOUND_STATEMENT'],
  examples: { params: { id: exampleStatement.id }, response: '%PDF-1.3' },
  async handle({ params, call, clients: { statements } }) {
    const { statement } = await statements.getStatement({ statementId: params.id }, call);
    const found = present(statement, 'statement');
    const readLines = async (piece: number) =>
      (await statements.listStatementLines({ statementId: found.id, piece }, callOfPiece(call, piece))).lines;
    const name = `${present(found.document?.statementNumber, 'statement_number')}.pdf`;
    return StreamedPayload.open(statementPdf(found, readLines), 'application/pdf', name);
  },
});
