import { Environment } from '@reseller/contracts';
import { AppError, isAppError } from '@reseller/errors';
import {
  callerLeft,
  expectFile,
  HeldPayload,
  isRead,
  readJsonBody,
  receiveFile,
  StreamedPayload,
  type CompiledRoute,
  type Edge,
  type Exchange,
  type RawParams,
  type ReceivedFile,
  type ValidInput,
} from '@reseller/http-edge';
import type { CallContext } from '@reseller/rpc';
import type { Logger } from 'pino';
import type { Arrival } from '../admission/admission';
import { workOf, type Doors } from '../admission/doors';
import { FilePlaces } from '../admission/file-places';
import { Place } from '../admission/place';
import type { SightingLog } from '../certification/sighting-log';
import { watchOutcome } from '../certification/watch-outcome';
import type { Clients } from '../clients';
import type { CreateLog } from '../creates/create-log';
import type { RateLimits } from '../limiter/rate-limits';
import type { Route } from '../routes/route';
import {
  faultOf,
  isLostBy,
  RETRY_AFTER_SECONDS,
  withFault,
  type SandboxFault,
} from '../sandbox/sandbox-fault';
import type { Authenticator } from '../security/authenticator';
import type { Caller } from '../security/claims';
import { auditDelegatedCall, needsAudit } from './audit-delegated-call';
import { callerAddress } from './caller-address';
import { fingerprintOf, keyOf, noteReplay, requireUnusedKey } from './idempotency-key';
import { requireOwnPartner } from './partner-match';

/** What the public API works with. */
interface ApiDeps {
  routes: readonly Route[];
  authenticator: Authenticator;
  limits: RateLimits;
  doors: Doors;
  clients: Clients;
  creates: Pick<CreateLog, 'record'>;
  sightings: Pick<SightingLog, 'watches' | 'called' | 'limited' | 'see'>;
  log: Logger;
  /** Holds every response to its declared schema; for tests, since it costs more than the response itself. */
  checksResponses: boolean;
}

/** A request whose caller is known and has a permit. */
interface AdmittedRequest {
  readonly compiled: CompiledRoute<Route>;
  readonly params: RawParams;
  readonly search: string;
  readonly caller: Caller | undefined;
  readonly deadlineAt: number;
  readonly fault: SandboxFault | undefined;
}

/** What a request brought, and the call that its work goes by. */
interface Received {
  readonly body: Record<string, unknown>;
  readonly call: CallContext;
  readonly file: ReceivedFile | undefined;
}

/** What a request has until its response is there. */
interface Held {
  readonly caller: Caller | undefined;
  readonly exchange: Exchange;
  readonly place: Place;
}

/** Under what a request is counted that has waited: that is no latency of its route. */
const WAITED = 'long-poll';

const NO_BODY: Record<string, unknown> = Object.freeze({});

/** The public API: takes a request through the checks of spec §1.9, in their order, to its route's handle. */
export class Api implements Edge<Route> {
  readonly routes: readonly Route[];
  private readonly files = new FilePlaces();

  constructor(private readonly deps: ApiDeps) {
    this.routes = deps.routes;
  }

  /** A refusal costs next to nothing: neither token nor body are looked at (spec §14.2). */
  turnAway(exchange: Exchange, { route, deadlineMs }: CompiledRoute<Route>): number | undefined {
    const { doors, authenticator } = this.deps;
    if (workOf(route) === 'orders') this.count(exchange);
    return doors.look(workOf(route), deadlineMs, () =>
      turnOf(exchange, authenticator.recall(exchange.request.headers.authorization)),
    );
  }

  async run(
    exchange: Exchange,
    compiled: CompiledRoute<Route>,
    params: RawParams,
    search: string,
  ): Promise<unknown> {
    const { route } = compiled;
    if (route.file) expectFile(exchange, route.file);
    const deadlineAt = Date.now() + compiled.deadlineMs;
    // What needs no waiting is not awaited: each turn of the queue of promises is work for every request.
    const renewal = route.access === 'anonymous' ? undefined : this.deps.authenticator.renewal();
    if (renewal) await renewal;
    const remembered = this.deps.authenticator.recall(exchange.request.headers.authorization);
    const caller =
      route.access === 'anonymous' ? undefined : (remembered ?? (await this.authenticate(exchange)));
    const permit = this.limit(exchange, caller);
    if (permit) await permit;
    if (route.sandboxOnly && caller?.scope.environment !== Environment.SANDBOX)
      throw new AppError('FORBIDDEN_SANDBOX_ONLY');
    const fault = faultOf(exchange, caller);
    const perform = () => this.perform(exchange, { compiled, params, search, caller, deadlineAt, fault });
    if (caller && fault === 'rate-limited')
      this.deps.sightings.limited(caller, exchange.requestId, RETRY_AFTER_SECONDS);
    return fault ? withFault(fault, exchange, perform) : perform();
  }

  /** What comes of a request once its caller is known and has a permit: from its body on. */
  private async perform(exchange: Exchange, admitted: AdmittedRequest): Promise<unknown> {
    const { compiled, caller, deadlineAt } = admitted;
    const { route } = compiled;
    const body = route.body ? await readJsonBody(exchange.request) : NO_BODY;
    const call: CallContext = { requestId: exchange.requestId, partner: caller?.scope, deadlineAt };
    if (!route.file) return this.performIn(exchange, admitted, { body, call, file: undefined });
    // What else is wrong with the request is said before its file is taken.
    compiled.validate(admitted.params, admitted.search, body, keyOf(exchange, route).faults);
    return this.files.hold(turnOf(exchange, caller), async () => {
      const file = await receiveFile(exchange.request);
      // A file takes its time to arrive; the work begins with its last byte.
      call.deadlineAt = Date.now() + compiled.deadlineMs;
      return this.performIn(exchange, admitted, { body, call, file });
    });
  }

  private async performIn(
    exchange: Exchange,
    admitted: AdmittedRequest,
    { body, call, file }: Received,
  ): Promise<unknown> {
    const { compiled, caller } = admitted;
    const { route } = compiled;
    const { doors } = this.deps;
    // Only now, for whoever sends its body slowly takes no place from others.
    const place = new Place({
      doors,
      work: workOf(route),
      call,
      deadlineMs: compiled.deadlineMs,
      arrivalAt: (at) => arrivalOf(exchange, caller, at),
    });
    const turn = place.take(call.deadlineAt ?? admitted.deadlineAt);
    if (turn) await turn;
    return inPlace(place, async () => {
      const { key, faults } = keyOf(exchange, route);
      const input = compiled.validate(admitted.params, admitted.search, body, faults);
      if (key !== undefined)
        call.idempotency = { key, fingerprint: fingerprintOf(route, admitted.params, admitted.search, body) };
      if (caller) requireOwnPartner(input.body, caller.scope);
      // A read that nobody waits for is dropped; a change goes on to its end, so that repeating it finds it.
      if (isRead(route)) call.signal = callerLeft(exchange);
      if (needsAudit(route, input, call))
        await auditDelegatedCall(route, input, call, this.deps.clients.audit);
      // Not begun for a caller that has gone meanwhile (spec §14.2).
      if (exchange.response.destroyed) throw new AppError('SERVICE_UNAVAILABLE');
      const serve = () => this.handle(route, input, { call, caller, exchange, place, file });
      const isLost = () => isLostBy(admitted.fault) || exchange.response.destroyed;
      const payload =
        caller && this.deps.sightings.watches(caller)
          ? await watchOutcome(
              this.deps.sightings,
              { route, caller, params: input.params, call, isLost },
              serve,
            )
          : await serve();
      noteReplay(exchange, call);
      return payload;
    });
  }

  /** A create is counted at its response, under its token's environment: one that says none counts nowhere (spec §18.7). */
  private count(exchange: Exchange): void {
    const { authenticator, creates } = this.deps;
    exchange.settled = (code) => {
      const caller = authenticator.lookUp(exchange.request.headers.authorization);
      if (caller) creates.record(caller.scope.environment, code, performance.now() - exchange.startedAt);
    };
  }

  /** An unknown path or method is refused before the token, after the address limit (spec §1.9). */
  async beforeUnmatched(exchange: Exchange): Promise<void> {
    await this.deps.limits.byAddress(callerAddress(exchange));
  }

  private async handle(
    route: Route,
    input: ValidInput,
    { call, caller, exchange, place, file }: Pick<Received, 'call' | 'file'> & Held,
  ): Promise<unknown> {
    const { authenticator, clients, log, checksResponses } = this.deps;
    // Only who requests a token is known by address (spec §18.6).
    const callerAddress = route.access === 'anonymous' ? exchange.address : undefined;
    const comeBack = async (): Promise<void> => {
      await place.comeBack();
      if (caller) await authenticator.requireUnrevoked(caller);
    };
    if (call.idempotency) await requireUnusedKey(call, clients, log);
    const serve = () => route.handle({ ...input, file, call, clients, log, callerAddress, comeBack });
    const payload = checksResponses && !route.produces ? await checked(route, serve) : await serve();
    if (payload instanceof HeldPayload) exchange.route = WAITED;
    return payload;
  }

  /**
   * A token that was not verified before is verified only while its address has permits, and one that is
   * not valid uses a permit before it is refused (spec §11.2, §14.3). One that cannot be checked may be good, and uses none: whoever tried
   * again and again while identity was away would be kept out when it is back.
   */
  private async authenticate(exchange: Exchange): Promise<Caller> {
    const { authenticator, limits } = this.deps;
    const { authorization } = exchange.request.headers;
    const address = callerAddress(exchange);
    await limits.checkAddress(address);
    try {
      return await authenticator.authenticate(authorization);
    } catch (error) {
      const isUnchecked = isAppError(error) && error.code === 'SERVICE_UNAVAILABLE';
      if (!isUnchecked) await limits.byAddress(address);
      throw error;
    }
  }

  private limit(exchange: Exchange, caller: Caller | undefined): Promise<void> | undefined {
    const { limits, sightings } = this.deps;
    if (!caller) return limits.tokenByAddress(callerAddress(exchange));
    if (!sightings.watches(caller)) return limits.byClient(caller.limitedAs);
    sightings.called(caller);
    const refuse = (refusal: unknown): never => {
      const seconds = isAppError(refusal) && refusal.details['retryAfterSeconds'];
      if (typeof seconds === 'number') sightings.limited(caller, exchange.requestId, seconds);
      throw refusal;
    };
    try {
      return limits.byClient(caller.limitedAs)?.catch(refuse);
    } catch (refusal) {
      return refuse(refusal);
    }
  }
}

/** Serves a request in its place, which it leaves afterwards, also for as long as it is held. */
async function inPlace(place: Place, serve: () => Promise<unknown>): Promise<unknown> {
  try {
    const payload = await serve();
    return payload instanceof HeldPayload ? payload.within((resume) => inPlace(place, resume)) : payload;
  } finally {
    place.leave();
  }
}

/** Holds a route's response to its schema. */
async function checked(route: Route, serve: () => Promise<unknown>): Promise<unknown> {
  const payload = await serve();
  if (payload instanceof HeldPayload) return payload.within((resume) => checked(route, resume));
  return route.response.parse(payload instanceof StreamedPayload ? await payload.read() : payload);
}

/** Whose turn a request takes: a partner's take turns with the other partners', also where it acts for those below it. */
const turnOf = (exchange: Exchange, caller: Caller | undefined): string =>
  caller?.scope.actingPartnerId ?? caller?.scope.partnerId ?? callerAddress(exchange);

/** A request as it comes to the door of its work. */
function arrivalOf(exchange: Exchange, caller: Caller | undefined, deadlineAt: number): Arrival {
  return {
    key: turnOf(exchange, caller),
    deadlineAt,
    isGone: () => exchange.response.destroyed,
  };
}
