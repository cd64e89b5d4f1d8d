import {
  callerLeft,
  isRead,
  readJsonBody,
  type CompiledRoute,
  type Edge,
  type Exchange,
  type RawParams,
} from '@reseller/http-edge';
import type { CallContext, OperatorRoleName } from '@reseller/rpc';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Clients } from './clients';
import { requireRole } from './operator-roles';
import { authenticate, type OperatorsDeps } from './operators';
import { recordChange } from './record-change';
import type { OpsRoute } from './routes/route';
import { acceptsStale, rememberChange } from './stale-reads';

/** What the operators' API works with. */
interface OperatorsApiDeps extends OperatorsDeps {
  readonly routes: readonly OpsRoute[];
  /** How old what is read may be, where a replica serves it; 0 for never. */
  readonly stalenessMs: number;
  readonly log: Logger;
}

const noFields = z.strictObject({});

/** The operators' API: token, role, shape, the audit entry of a change, then the route's handle (spec §12, §18.2). */
export class OperatorsApi implements Edge<OpsRoute> {
  readonly routes: readonly OpsRoute[];

  constructor(private readonly deps: OperatorsApiDeps) {
    this.routes = deps.routes.map((route) => ({ body: noFields, ...route }));
  }

  async run(
    exchange: Exchange,
    { route, validate, deadlineMs }: CompiledRoute<OpsRoute>,
    params: RawParams,
    search: string,
  ): Promise<unknown> {
    const { clients, log, stalenessMs } = this.deps;
    const deadlineAt = Date.now() + deadlineMs;
    const {
      name: operator,
      account,
      roles,
    } = await authenticate(this.deps, exchange, { isChange: !isRead(route), deadlineAt });
    const call: CallContext = {
      requestId: exchange.requestId,
      operator,
      operatorAccount: account,
      deadlineAt,
    };
    requireRole(roles, await roleNeeded(route, roles, { params, call, clients }));
    const input = validate(params, search, await readJsonBody(exchange.request));
    if (isRead(route)) {
      // A read that nobody waits for is dropped; a change goes on to its end.
      call.signal = callerLeft(exchange);
      call.acceptsStale = acceptsStale(exchange, stalenessMs);
    } else rememberChange(exchange, stalenessMs);
    const routeInput = { ...input, call, clients, log };
    if (route.audit) await recordChange(clients, await route.audit(routeInput), call);
    return route.handle(routeInput);
  }
}

async function roleNeeded(
  { role, otherRoles = [], roleOf }: OpsRoute,
  roles: readonly OperatorRoleName[],
  input: { params: RawParams; call: CallContext; clients: Clients },
): Promise<OperatorRoleName> {
  const named = await roleOf?.(input);
  return named ?? otherRoles.find((other) => roles.includes(other)) ?? role;
}
