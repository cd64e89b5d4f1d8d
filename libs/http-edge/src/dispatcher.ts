import { AppError } from '@reseller/errors';
import { deadlineOf } from './deadlines';
import type { Exchange } from './exchange';
import { HeldPayload } from './held-payload';
import { RouteMatcher, type Match, type Matchable, type RawParams } from './match-route';
import { StreamedPayload } from './streamed-payload';
import { compileValidator, type RequestShape, type Validator } from './validate';

/** What every edge's route has; what else it has is the edge's own. */
export interface EdgeRoute extends Matchable, RequestShape {
  /** 200 SUCCESS when absent. */
  readonly success?: { readonly state: string; readonly status: number };
  /** By the method when absent: reads 2 s, everything else 12 s. */
  readonly deadlineMs?: number;
}

/** A route with all that can be worked out of it once at start. */
export interface CompiledRoute<R> {
  readonly method: string;
  readonly path: string;
  readonly route: R;
  readonly validate: Validator;
  readonly deadlineMs: number;
  readonly success: { readonly state: string; readonly status: number };
}

/** What one edge does its own way: its table, and the checks between a request's arrival and its route's handle. */
export interface Edge<R extends EdgeRoute> {
  readonly routes: readonly R[];
  /** Takes a matched request to its payload, a value, a StreamedPayload or a HeldPayload; what it throws becomes the error envelope. */
  run(exchange: Exchange, route: CompiledRoute<R>, params: RawParams, search: string): Promise<unknown>;
  /**
   * Comes before anything else of a matched request, its body and its span included: the seconds after which it may come again
   * when there is no room for it now (spec §14.2). Under overload most requests end here.
   */
  turnAway?(exchange: Exchange, route: CompiledRoute<R>): number | undefined;
  /** Comes before 404 and 405; throws to have something else returned. */
  beforeUnmatched?(exchange: Exchange): Promise<void>;
}

const OK = { state: 'SUCCESS', status: 200 };

/** Looks requests up in an edge's table and returns each in the envelope. */
export class Dispatcher<R extends EdgeRoute> {
  private readonly matcher: RouteMatcher<CompiledRoute<R>>;

  constructor(private readonly edge: Edge<R>) {
    this.matcher = new RouteMatcher(
      edge.routes.map((route) => ({
        method: route.method,
        path: route.path,
        route,
        validate: compileValidator(route),
        deadlineMs: deadlineOf(route),
        success: route.success ?? OK,
      })),
    );
  }

  /** What a request is for. */
  find(exchange: Exchange, path: string): Match<CompiledRoute<R>> {
    const match = this.matcher.find(exchange.request.method, path);
    if (match.kind === 'route') exchange.route = match.route.path;
    return match;
  }

  /** Refuses a request that the edge has no room for; returns whether it has its response. Never throws. */
  turnsAway(exchange: Exchange, match: Match<CompiledRoute<R>>): boolean {
    if (match.kind !== 'route' || !this.edge.turnAway) return false;
    try {
      const retryAfterSeconds = this.edge.turnAway(exchange, match.route);
      if (retryAfterSeconds === undefined) return false;
      exchange.turnAway(retryAfterSeconds);
    } catch (error) {
      exchange.fail(error);
    }
    return true;
  }

  /** Responds to a request, whatever it is, or leaves it to be responded to once its payload is there; never rejects. */
  async respond(exchange: Exchange, match: Match<CompiledRoute<R>>, search: string): Promise<void> {
    if (match.kind === 'route') {
      const { route, params } = match;
      return respondWith(exchange, route.success, () => this.edge.run(exchange, route, params, search));
    }
    try {
      await this.respondUnmatched(exchange, match);
    } catch (error) {
      exchange.fail(error);
    }
  }

  /** Returns 404, or 405 with Allow, unless the edge has something to say first (spec §1.9). */
  async respondUnmatched(
    exchange: Exchange,
    match: Exclude<Match<unknown>, { kind: 'route' }>,
  ): Promise<void> {
    await this.edge.beforeUnmatched?.(exchange);
    if (match.kind === 'none') exchange.fail(new AppError('NOT_FOUND_ROUTE'));
    else exchange.fail(new AppError('METHOD_NOT_ALLOWED'), { Allow: match.allow });
  }
}

/** Responds with what `serve` returns or throws; never rejects. */
async function respondWith(
  exchange: Exchange,
  success: CompiledRoute<unknown>['success'],
  serve: () => Promise<unknown>,
): Promise<void> {
  const { state, status } = success;
  try {
    const payload = await serve();
    if (payload instanceof HeldPayload) {
      exchange.forgetToken();
      const goOn = (): Promise<void> => respondWith(exchange, success, () => payload.resume());
      void payload.until.then(goOn, goOn);
    } else if (payload instanceof StreamedPayload) await exchange.stream(status, state, payload);
    else exchange.succeed(status, state, payload);
  } catch (error) {
    exchange.fail(error);
  }
}
