import { defineRoute, type AnyRoute, type RouteInput } from '@reseller/http-edge';
import type { CallContext } from '@reseller/rpc';
import type { Logger } from '@reseller/service-kit';
import type { Clients } from '../clients';
import type { Operator } from '../operators';

/** What routes are made with. */
export interface RouteDeps {
  clients: Clients;
  log: Logger;
}

/** A route of the operators' API. */
export type OpsRoute = AnyRoute<Operator>;

/** Declares a route of the operators' API; it exists once it has its line in routes/index.ts. */
export const defineOpsRoute = defineRoute<Operator>();

/** The call to pass on to a neighbour: who asks, and until when. */
export function callOf(
  input: Pick<RouteInput<Operator, unknown, unknown, unknown>, 'requestId' | 'caller' | 'deadlineAt'>,
): CallContext {
  return { requestId: input.requestId, operator: input.caller.name, deadlineAt: input.deadlineAt };
}
