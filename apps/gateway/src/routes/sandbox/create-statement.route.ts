import { ALWAYS, BESIDE_OTHERS, isInFuture, isInOrder, StreamedPayload } from '@reseller/http-edge';
import { present, statementText } from '@reseller/presenters';
import { z } from 'zod';
import { dateTime } from '../../fields/request-fields';
import { defineRoute } from '../route';
import { callOfPiece } from '../statements/read-lines';
import { exampleStatement, statement } from '../statements/statement.resource';

const body = z
  .strictObject({ periodFrom: dateTime('Inclusive.'), periodTo: dateTime('Exclusive.') })
  .refine(({ periodFrom, periodTo }) => isInOrder(periodFrom, periodTo), {
    ...ALWAYS,
    path: ['periodTo'],
    error: 'must be after periodFrom',
  })
  .refine(({ periodTo }) => !isInFuture(periodTo), {
    ...BESIDE_OTHERS,
    path: ['periodTo'],
    error: 'must not lie in the future',
  });

/** POST /api/v1/sandbox/statements */
export const createStatement = defineRoute({
  method: 'POST',
  path: '/api/v1/sandbox/statements',
  tag: 'Sandbox',
  sandboxOnly: true,
  summary: 'Make a billing statement',
  description:
    'The next statement of your sandbox wallet, with every line. It begins where the last one ended, and its period is over.',
  body,
  response: statement,
  errors: ['NOT_FOUND_WALLET', 'CONFLICT_STATEMENT_PERIOD'],
  examples: {
    body: { periodFrom: '2026-01-01T00:00:00Z', periodTo: '2026-02-01T00:00:00Z' },
    response: exampleStatement,
  },
  async handle({ body: { periodFrom, periodTo }, call, clients: { statements } }) {
    const request = { periodFromAt: periodFrom, periodToAt: periodTo };
    const made = present((await statements.createSandboxStatement(request, call)).statement, 'statement');
    const readLines = async (piece: number) =>
      (await statements.listStatementLines({ statementId: made.id, piece }, callOfPiece(call, piece))).lines;
    return StreamedPayload.open(statementText(made, readLines));
  },
});
