import type { Environment } from '@reseller/contracts';
import {
  ALWAYS,
  BESIDE_OTHERS,
  isInFuture,
  isInOrder,
  READ_DEADLINE_MS,
  StreamedPayload,
} from '@reseller/http-edge';
import {
  present,
  presentListedStatement,
  presentPage,
  statementPdf,
  statementText,
  type ReadLines,
} from '@reseller/presenters';
import type { CallContext } from '@reseller/rpc';
import { z } from 'zod';
import type { Clients } from '../clients';
import { environment, EXAMPLE_ID, moment, pageOf, pageQuery, uuid } from './fields';
import { statementsPage, statementWithLines } from './responses/statements';
import { defineRoute, type OpsRoute } from './route';
import { presentEnvironment } from './values.presenter';

const body = z
  .strictObject({ partnerId: uuid, environment, periodFrom: moment, periodTo: moment })
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

const createStatement = defineRoute({
  method: 'POST',
  path: '/ops/v1/statements',
  role: 'finance',
  summary:
    'Make a billing statement; the response has its lines. CONFLICT_STATEMENT_PERIOD where it does not begin at the last one’s end',
  body,
  response: statementWithLines,
  examples: {
    body: {
      partnerId: EXAMPLE_ID,
      environment: 'live',
      periodFrom: '2026-01-01T00:00:00Z',
      periodTo: '2026-02-01T00:00:00Z',
    },
  },
  async audit({ body: { partnerId, periodFrom, periodTo, environment: name }, call, clients }) {
    await clients.partners.getPartner({ partnerId }, call);
    const details = {
      environment: presentEnvironment(name),
      periodFrom: periodFrom.toISOString(),
      periodTo: periodTo.toISOString(),
    };
    return { action: 'statement.create', partnerId, details };
  },
  async handle({ body: { periodFrom, periodTo, ...whose }, call, clients }) {
    const request = { ...whose, periodFromAt: periodFrom, periodToAt: periodTo };
    const { statement } = await clients.statementOperations.createStatement(request, call);
    const created = present(statement, 'statement');
    const { partnerGlobalId } = present(created.document, 'document');
    const scoped = callForPartner(call, whose, partnerGlobalId);
    return StreamedPayload.open(statementText(created, linesReader(clients, created.id, scoped)));
  },
});

const listStatements = defineRoute({
  method: 'GET',
  path: '/ops/v1/statements',
  role: 'viewer',
  summary: 'A page of one wallet’s billing statements, without their lines, the newest number first',
  query: z.object({ ...pageQuery, partnerId: uuid, environment }),
  response: statementsPage,
  async handle({ query: { partnerId, environment: name, ...query }, call, clients }) {
    const globalId = await globalIdOf(clients, partnerId, call);
    const scoped = callForPartner(call, { partnerId, environment: name }, globalId);
    const { statements, page } = await clients.statements.listStatements({ page: pageOf(query) }, scoped);
    return presentPage(statements, page, presentListedStatement);
  },
});

const getStatementPdf = defineRoute({
  method: 'GET',
  path: '/ops/v1/statements/{id}/pdf',
  role: 'viewer',
  summary: 'A billing statement as its partner’s PDF, byte for byte',
  params: z.object({ id: uuid }),
  query: z.object({ partnerId: uuid, environment }),
  produces: 'application/pdf',
  examples: { params: { id: EXAMPLE_ID } },
  async handle({ params: { id }, query, call, clients }) {
    const globalId = await globalIdOf(clients, query.partnerId, call);
    const scoped = callForPartner(call, query, globalId);
    const { statement } = await clients.statements.getStatement({ statementId: id }, scoped);
    const found = present(statement, 'statement');
    const name = `${present(found.document?.statementNumber, 'statement_number')}.pdf`;
    const pdf = statementPdf(found, linesReader(clients, id, scoped));
    return StreamedPayload.open(pdf, 'application/pdf', name);
  },
});

async function globalIdOf({ partners }: Clients, partnerId: string, call: CallContext): Promise<string> {
  return present((await partners.getPartner({ partnerId }, call)).partner, 'partner').globalId;
}

/** A call as the partner itself makes it, with which statements are read. */
function callForPartner(
  call: CallContext,
  { partnerId, environment: environmentOfWallet }: { partnerId: string; environment: Environment },
  partnerGlobalId: string,
): CallContext {
  const scope = { partnerId, partnerGlobalId, path: [partnerId], clientId: '' };
  return { ...call, partner: { ...scope, environment: environmentOfWallet } };
}

/** Each piece but the first has a deadline of its own. A document's lines are the same wherever they are, so a replica may serve them. */
const linesReader =
  ({ statements }: Clients, statementId: string, call: CallContext): ReadLines =>
  async (piece) => {
    const deadlineAt = piece === 0 ? call.deadlineAt : Date.now() + READ_DEADLINE_MS;
    const ofPiece = { ...call, deadlineAt, acceptsStale: true };
    return (await statements.listStatementLines({ statementId, piece }, ofPiece)).lines;
  };

/** Making billing statements by hand, and reading those of any partner. */
export const statementRoutes: readonly OpsRoute[] = [createStatement, listStatements, getStatementPdf];
