import { CertificationStep, EvidenceType } from '@reseller/contracts';
import { z } from 'zod';
import { StreamedPayload } from '@reseller/http-edge';
import { present, statementText } from '@reseller/presenters';
import { showsWhole } from '../../certification/sight';
import { uuid } from '../../fields/request-fields';
import { statement, exampleStatement } from './statement.resource';
import { defineRoute } from '../route';
import { callOfPiece } from './read-lines';

/** GET /api/v1/statements/{id} */
export const getStatement = defineRoute({
  method: 'GET',
  path: '/api/v1/statements/{id}',
  tag: 'Statements',
  shows: showsWhole(CertificationStep.STATEMENT_READ, EvidenceType.STATEMENT),
  summary: 'Read a statement',
  description: 'A persisted statement with every line. It is locked: what you read once never changes.',
  params: z.object({ id: uuid('The statement’s id.') }),
  response: statement,
  errors: ['NOT_FOUND_STATEMENT'],
  examples: { params: { id: exampleStatement.id }, response: exampleStatement },
  async handle({ params, call, clients }) {
    const { statements } = clients;
    const found = present(
      (await statements.getStatement({ statementId: params.id }, call)).statement,
      'statement',
    );
    const readLines = async (piece: number) =>
      (await statements.listStatementLines({ statementId: found.id, piece }, callOfPiece(call, piece))).lines;
    return StreamedPayload.open(statementText(found, readLines));
  },
});
