import type { Environment, Statement } from '@reseller/contracts';
import { ALWAYS, READ_DEADLINE_MS, StreamedPayload } from '@reseller/http-edge';
import { present, statementText } from '@reseller/presenters';
import type { CallContext } from '@reseller/rpc';
import { z } from 'zod';
import { environment, EXAMPLE_ID, moment, uuid } from './fields';
import { defineRoute, type OpsRoute } from './route';
import { presentEnvironment } from './values.presenter';

// Whatever the rule reads may still be unfit by itself, and then it is silent (spec §1.2).
const body = z
  .strictObject({ partnerId: uuid, environment, periodFrom: moment, periodTo: moment })
  .refine(
    ({ periodFrom, periodTo }: { periodFrom?: unknown; periodTo?: unknown }) =>
      !(periodFrom instanceof Date && periodTo instanceof Date && periodFrom >= periodTo),
    { ...ALWAYS, path: ['periodTo'], error: 'must be after periodFrom' },
  );

const createStatement = defineRoute({
  method: 'POST',
  path: '/ops/v1/statements',
  role: 'finance',
  summary:
    'Make a billing statement; the response has its lines. CONFLICT_STATEMENT_PERIOD where it does not begin at the last one’s end',
  body,
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
    const readLines = async (piece: number) => {
      const scoped = callForPartner(call, created, whose.environment, piece);
      return (await clients.statements.listStatementLines({ statementId: created.id, piece }, scoped)).lines;
    };
    return StreamedPayload.open(statementText(created, readLines));
  },
});

/** Lines are read as their partner reads them; each piece but the first has a deadline of its own. */
function callForPartner(
  call: CallContext,
  { document }: Statement,
  environmentOfWallet: Environment,
  piece: number,
): CallContext {
  const { partnerId, partnerGlobalId } = present(document, 'document');
  const scope = { partnerId, partnerGlobalId, path: [partnerId], clientId: '' };
  const partner = { ...scope, environment: environmentOfWallet };
  return piece === 0 ? { ...call, partner } : { ...call, partner, deadlineAt: Date.now() + READ_DEADLINE_MS };
}

/** Making billing statements by hand. */
export const statementRoutes: readonly OpsRoute[] = [createStatement];
