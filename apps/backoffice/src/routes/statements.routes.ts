import { StreamedPayload } from '@reseller/http-edge';
import { present, statementText } from '@reseller/presenters';
import type { CallContext } from '@reseller/rpc';
import type { Environment, Statement } from '@reseller/contracts';
import { z } from 'zod';
import { presentEnvironment } from '../presenters/partner.presenter';
import { recordChange } from '../record-change';
import { environment, moment, uuid } from './fields';
import { callOf, defineOpsRoute, type OpsRoute, type RouteDeps } from './ops-route';

/** Time for each further piece of a statement's lines. */
const PIECE_DEADLINE_MS = 2_000;

// Whatever the rule reads may still be unfit by itself, and then it is silent (spec §1.2).
const body = z
  .strictObject({ partnerId: uuid, environment, periodFrom: moment, periodTo: moment })
  .refine(
    ({ periodFrom, periodTo }: { periodFrom?: unknown; periodTo?: unknown }) =>
      !(periodFrom instanceof Date && periodTo instanceof Date && periodFrom >= periodTo),
    { when: () => true, path: ['periodTo'], error: 'must be after periodFrom' },
  );

/** Making billing statements by hand. */
export function statementRoutes({ clients }: RouteDeps): OpsRoute[] {
  return [
    defineOpsRoute({
      method: 'POST',
      path: '/ops/v1/statements',
      body,
      async handle(input) {
        const call = callOf(input);
        const { partnerId, periodFrom, periodTo } = input.body;
        await clients.partners.getPartner({ partnerId }, call);
        const details = {
          environment: presentEnvironment(input.body.environment),
          periodFrom: periodFrom.toISOString(),
          periodTo: periodTo.toISOString(),
        };
        await recordChange(clients, { action: 'statement.create', partnerId, details }, call);
        const { statement } = await clients.statementOperations.createStatement(
          { partnerId, environment: input.body.environment, periodFromAt: periodFrom, periodToAt: periodTo },
          call,
        );
        const made = present(statement, 'statement');
        const readLines = async (piece: number) => {
          const scoped = callForPartner(call, made, input.body.environment, piece);
          return (await clients.statements.listStatementLines({ statementId: made.id, piece }, scoped)).lines;
        };
        return StreamedPayload.open(statementText(made, readLines));
      },
    }),
  ];
}

/** Lines are read as their partner reads them. */
function callForPartner(
  call: CallContext,
  { document }: Statement,
  environment: Environment,
  piece: number,
): CallContext {
  const { partnerId, partnerGlobalId } = present(document, 'document');
  const partner = { partnerId, partnerGlobalId, path: [partnerId], environment, clientId: '' };
  return piece === 0
    ? { ...call, partner }
    : { ...call, partner, deadlineAt: Date.now() + PIECE_DEADLINE_MS };
}
