import { z } from 'zod';
import { ALWAYS, isInOrder, StreamedPayload } from '@reseller/http-edge';
import { present, presentListedStatement, presentPage, reportText } from '@reseller/presenters';
import type { CallContext } from '@reseller/rpc';
import type { Clients } from '../../clients';
import { pageOf } from '../../fields/response-fields';
import { pageQuery, queryDateTime } from '../../fields/request-fields';
import { listedStatement, statementDocument, exampleListedStatement } from './statement.resource';
import { examplePagination } from '../examples';
import { defineRoute } from '../route';
import { callOfPiece } from './read-lines';

const fields = z.object({
  ...pageQuery,
  mode: z
    .enum(['report'])
    .optional()
    .meta({ description: 'report returns a provisional document instead of the list.' }),
  periodFrom: queryDateTime('With mode=report: lines posted at or after this moment.').optional(),
  periodTo: queryDateTime(
    'With mode=report: lines posted before this moment, which may lie ahead.',
  ).optional(),
});

// Looked at whatever else is at fault, so that all faults are named at once (spec §1.2).
type Unsure = { [K in keyof z.output<typeof fields>]?: unknown };
const isMissing = (query: Unsure, name: 'periodFrom' | 'periodTo'): boolean =>
  query.mode === 'report' && query[name] === undefined;

const query = fields
  .refine((given: Unsure) => !isMissing(given, 'periodFrom'), {
    ...ALWAYS,
    path: ['periodFrom'],
    error: 'is required with mode=report',
  })
  .refine((given: Unsure) => !isMissing(given, 'periodTo'), {
    ...ALWAYS,
    path: ['periodTo'],
    error: 'is required with mode=report',
  })
  .refine(({ mode, periodFrom, periodTo }: Unsure) => mode !== 'report' || isInOrder(periodFrom, periodTo), {
    ...ALWAYS,
    path: ['periodTo'],
    error: 'must be after periodFrom',
  });

/** GET /api/v1/statements */
export const listStatements = defineRoute({
  method: 'GET',
  path: '/api/v1/statements',
  tag: 'Statements',
  summary: 'List statements, or report a period',
  description:
    'Persisted statements of the token’s environment without their lines, the newest number first. With mode=report, periodFrom and periodTo the payload is a provisional document of that period with its lines, which is persisted nowhere.',
  query,
  response: z.union([pageOf(listedStatement), statementDocument]),
  errors: ['NOT_FOUND_WALLET'],
  examples: { query: {}, response: { items: [exampleListedStatement], pagination: examplePagination } },
  async handle({ query: { page, pageSize, mode, periodFrom, periodTo }, call, clients }) {
    if (mode === 'report') return report({ periodFromAt: periodFrom, periodToAt: periodTo }, call, clients);
    const list = await clients.statements.listStatements({ page: { page, pageSize } }, call);
    return presentPage(list.statements, list.page, presentListedStatement);
  },
});

async function report(
  period: { periodFromAt: Date | undefined; periodToAt: Date | undefined },
  call: CallContext,
  { statements }: Clients,
): Promise<StreamedPayload> {
  const reply = await statements.getStatementReport(period, call);
  const document = present(reply.document, 'document');
  const { afterPosition, upToPosition } = document;
  const readLines = async (piece: number) =>
    (await statements.listReportLines({ afterPosition, upToPosition, piece }, callOfPiece(call, piece)))
      .lines;
  return StreamedPayload.open(reportText(document, readLines));
}
