import { routeDefiner, type Route } from '@reseller/http-edge';
import type { OperatorRoleName } from '@reseller/rpc';
import type { Clients } from '../clients';

/** What every call of the operators' API has beside its shape: its place, and who may make it. A call that declares no body takes none. */
interface OperatorEndpoint {
  readonly path: `/ops/v1/${string}`;
  /** The role that it needs: `viewer` for what only reads. */
  readonly role: OperatorRoleName;
}

/** A call of the operators' API as the table holds it. */
export type OpsRoute = Route<Clients, OperatorEndpoint>;

/**
 * Declares a call of the operators' API; it exists once its noun has a line in routes/index.ts. A change names in `audit` whom and
 * what it is about, unless identity audits it itself.
 */
export const defineRoute = routeDefiner<Clients, OperatorEndpoint>();
