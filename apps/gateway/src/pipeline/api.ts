import {
  callerLeft,
  isRead,
  readJsonBody,
  StreamedPayload,
  type CompiledRoute,
  type Edge,
  type Exchange,
  type RawParams,
  type ValidInput,
} from '@reseller/http-edge';
import type { CallContext } from '@reseller/rpc';
import type { Logger } from 'pino';
import type { Clients } from '../clients';
import type { RateLimits } from '../limiter/rate-limits';
import type { Route } from '../routes/route';
import type { Authenticator } from '../security/authenticator';
import type { Caller } from '../security/claims';
import { auditDelegatedCall } from './audit-delegated-call';
import { callerAddress } from './caller-address';
import { requireOwnPartner } from './partner-match';

/** What the public API works with. */
export interface ApiDeps {
  routes: readonly Route[];
  authenticator: Authenticator;
  limits: RateLimits;
  clients: Clients;
  log: Logger;
  /** Holds every response to its declared schema; for tests, since it costs more than the response itself. */
  checksResponses: boolean;
}

const NO_BODY: Record<string, unknown> = Object.freeze({});

/** The public API: takes a request through the checks of spec §1.9, in their order, to its route's handle. */
export class Api implements Edge<Route> {
  readonly routes: readonly Route[];

  constructor(private readonly deps: ApiDeps) {
    this.routes = deps.routes;
  }

  async run(
    exchange: Exchange,
    compiled: CompiledRoute<Route>,
    params: RawParams,
    search: string,
  ): Promise<unknown> {
    const { route } = compiled;
    const deadlineAt = Date.now() + compiled.deadlineMs;
    const caller = route.access === 'anonymous' ? undefined : await this.authenticate(exchange);
    await this.limit(exchange, caller);
    const body = route.body ? await readJsonBody(exchange.request) : NO_BODY;
    const input = compiled.validate(params, search, body);
    if (caller) requireOwnPartner(input.body, caller.scope);
    const call: CallContext = { requestId: exchange.requestId, partner: caller?.scope, deadlineAt };
    // A read that nobody waits for is dropped; a change goes on to its end, so that repeating it finds it.
    if (isRead(route)) call.signal = callerLeft(exchange);
    await auditDelegatedCall(route, input, call, this.deps.clients.audit);
    return this.handle(route, input, call);
  }

  /** An unknown path or method is answered before the token, after the address limit (spec §1.9). */
  beforeUnmatched(exchange: Exchange): Promise<void> {
    return this.deps.limits.byAddress(callerAddress(exchange.request));
  }

  private async handle(route: Route, input: ValidInput, call: CallContext): Promise<unknown> {
    const { clients, log, checksResponses } = this.deps;
    const payload = await route.handle({ ...input, call, clients, log });
    if (!checksResponses) return payload;
    return route.response.parse(payload instanceof StreamedPayload ? await payload.read() : payload);
  }

  /**
   * A token that was verified before costs a look-up. Any other is verified only while its address has permits, and one that is
   * not valid uses a permit before it is refused (spec §11.2, §14.3).
   */
  private async authenticate(exchange: Exchange): Promise<Caller> {
    const { authenticator, limits } = this.deps;
    const { authorization } = exchange.request.headers;
    const remembered = authenticator.recall(authorization);
    if (remembered) return remembered;
    const address = callerAddress(exchange.request);
    await limits.checkAddress(address);
    try {
      return await authenticator.authenticate(authorization);
    } catch (error) {
      await limits.byAddress(address);
      throw error;
    }
  }

  private limit(exchange: Exchange, caller: Caller | undefined): Promise<void> {
    const { limits } = this.deps;
    return caller
      ? limits.byClient(caller.limitedAs)
      : limits.tokenByAddress(callerAddress(exchange.request));
  }
}
