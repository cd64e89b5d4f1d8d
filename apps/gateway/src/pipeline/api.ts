import { AppError } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';
import type { Clients } from '../clients';
import type { RateLimits } from '../limiter/rate-limits';
import { deadlineOf, isRead, type Route } from '../routes/route';
import type { Authenticator } from '../security/authenticator';
import type { Caller } from '../security/claims';
import { auditDelegatedCall } from './audit-delegated-call';
import { callerAddress } from './caller-address';
import type { Exchange } from './exchange';
import { RouteMatcher, type RawParams } from './match-route';
import { requireOwnPartner } from './partner-match';
import { readJsonBody } from './read-body';
import { splitTarget } from './request-target';
import { compileValidator, type ValidInput, type Validator } from './validate';

export interface ApiOptions {
  routes: readonly Route[];
  authenticator: Authenticator;
  limits: RateLimits;
  clients: Clients;
  /** Holds every answer to its declared schema; for tests, since it costs more than the answer itself. */
  checksResponses: boolean;
}

interface CompiledRoute {
  readonly method: string;
  readonly path: string;
  readonly route: Route;
  readonly validate: Validator;
  readonly deadlineMs: number;
  readonly success: { state: string; status: number };
}

const OK = { state: 'SUCCESS', status: 200 };
const NO_BODY: Record<string, unknown> = Object.freeze({});

/** The public API: takes a request through the checks of decisions §1.9, in their order, to its route's handle. */
export class Api {
  private readonly matcher: RouteMatcher<CompiledRoute>;

  constructor(private readonly options: ApiOptions) {
    this.matcher = new RouteMatcher(
      options.routes.map((route) => ({
        method: route.method,
        path: route.path,
        route,
        validate: compileValidator(route),
        deadlineMs: deadlineOf(route),
        success: route.success ?? OK,
      })),
    );
  }

  /** Answers a request under /api/v1, whatever it is; never rejects. */
  async answer(exchange: Exchange): Promise<void> {
    const target = splitTarget(exchange.request.url);
    const match = this.matcher.find(exchange.request.method, target.path);
    try {
      if (match.kind !== 'route') return await this.answerUnmatched(exchange, match);
      exchange.route = match.route.path;
      const { state, status } = match.route.success;
      const payload = await this.run(exchange, match.route, match.params, target.search);
      exchange.succeed(status, state, payload);
    } catch (error) {
      exchange.fail(error);
    }
  }

  /** An unknown path or method is answered before the token, after the address limit (decisions §1.9). */
  async answerUnmatched(
    exchange: Exchange,
    match: { kind: 'none' } | { kind: 'method'; allow: string },
  ): Promise<void> {
    await this.options.limits.byAddress(callerAddress(exchange.request));
    if (match.kind === 'none') exchange.fail(new AppError('NOT_FOUND_ROUTE'));
    else exchange.fail(new AppError('METHOD_NOT_ALLOWED'), { Allow: match.allow });
  }

  private async run(
    exchange: Exchange,
    compiled: CompiledRoute,
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
    if (isRead(route)) call.signal = abortedWith(exchange);
    await auditDelegatedCall(route, input, call, this.options.clients.audit);
    return this.handle(route, input, call);
  }

  private async handle(route: Route, input: ValidInput, call: CallContext): Promise<unknown> {
    const payload = await route.handle({ ...input, call, clients: this.options.clients });
    return this.options.checksResponses ? route.response.parse(payload) : payload;
  }

  /** Without a valid token the address is limited, before it is told so (decisions §11.2). */
  private async authenticate(exchange: Exchange): Promise<Caller> {
    try {
      return await this.options.authenticator.authenticate(exchange.request.headers.authorization);
    } catch (error) {
      await this.options.limits.byAddress(callerAddress(exchange.request));
      throw error;
    }
  }

  private limit(exchange: Exchange, caller: Caller | undefined): Promise<void> {
    const { limits } = this.options;
    return caller
      ? limits.byClient(caller.limitedAs)
      : limits.tokenByAddress(callerAddress(exchange.request));
  }
}

function abortedWith({ response }: Exchange): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
