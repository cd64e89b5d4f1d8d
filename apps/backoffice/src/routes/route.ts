import { routeDefiner, type RawParams, type Route } from '@reseller/http-edge';
import type { CallContext, OperatorRoleName } from '@reseller/rpc';
import type { Clients } from '../clients';

/** What every call of the operators' API has beside its shape: its place, and who may make it. A call that declares no body takes none. */
interface OperatorEndpoint {
  readonly path: `/ops/v1/${string}`;
  /** The role that it needs: `viewer` for what only reads. */
  readonly role: OperatorRoleName;
  /** Where what the path names says which of several roles it needs: the others. */
  readonly otherRoles?: readonly OperatorRoleName[];
  /** Looks that role up; undefined when the path names nothing, and then any of the roles will do. */
  readonly roleOf?: (input: {
    readonly params: RawParams;
    readonly call: CallContext;
    readonly clients: Clients;
  }) => Promise<OperatorRoleName | undefined>;
}

/** A call of the operators' API as the table holds it. */
export type OpsRoute = Route<Clients, OperatorEndpoint>;

/**
 * Declares a call of the operators' API; it exists once its noun has a line in routes/index.ts. A change names in `audit` whom and
 * what it is about, unless identity audits it itself.
 */
export const defineRoute = routeDefiner<Clients, OperatorEndpoint>();
