import {
  callerLeft,
  isRead,
  readJsonBody,
  type CompiledRoute,
  type Edge,
  type Exchange,
  type RawParams,
} from '@reseller/http-edge';
import type { Authenticate } from './operators';
import type { OpsRoute } from './routes/ops-route';

/** The operators' API: token, then shape, then the route's handle (spec §1.9, §12). */
export class OperatorsApi implements Edge<OpsRoute> {
  constructor(
    readonly routes: readonly OpsRoute[],
    private readonly authenticate: Authenticate,
  ) {}

  async run(
    exchange: Exchange,
    { route, validate, deadlineMs }: CompiledRoute<OpsRoute>,
    rawParams: RawParams,
    search: string,
  ): Promise<unknown> {
    const deadlineAt = Date.now() + deadlineMs;
    const caller = this.authenticate(exchange.request.headers.authorization);
    const input = validate(rawParams, search, await readJsonBody(exchange.request));
    const { requestId } = exchange;
    // A read that nobody waits for is dropped; a change goes on to its end.
    const signal = isRead(route) ? callerLeft(exchange) : undefined;
    return route.handle({ ...input, caller, requestId, deadlineAt, signal });
  }
}
