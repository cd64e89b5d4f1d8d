import * as contracts from '@reseller/contracts';
import { AppError, type ErrorCode } from '@reseller/errors';
import {
  defineRpc,
  RpcServer,
  type CallContext,
  type RpcDefinition,
  type RpcRequest,
  type RpcResponse,
  type RpcService,
} from '@reseller/rpc';
import { silentLog } from '@reseller/testing';
import { Golden } from '../golden';
import { isValid } from '../schema/field-rules';
import { ALWAYS_POSSIBLE, RPCS, rpcComment } from '../schema/promised-errors';
import { completeReply, type Partially } from './complete-reply';
import { methodOf } from '../reader';
import { SERVICES } from '../schema/schema';

/** The handlers of one service of a fake: a test replaces what it is about and gives only the fields that matter. */
export type FakeHandlers<D extends RpcDefinition> = {
  -readonly [K in keyof D]: (
    request: RpcRequest<D[K]>,
    call: CallContext,
  ) => Partially<RpcResponse<D[K]>> | Promise<Partially<RpcResponse<D[K]>>>;
};

/** A call that arrived at a fake; `method` as in the generated client. */
export interface FakeCall {
  readonly method: string;
  readonly request: unknown;
  readonly call: CallContext;
}

/** What a call fails with: an error before its effect, or after it ('lost-reply', which the caller sees as unavailable). */
export type Fault = ErrorCode | 'lost-reply';

interface Served {
  readonly definition: RpcDefinition;
  readonly handlers: object;
}

type LooseHandlers = Record<string, (request: unknown, call: CallContext) => unknown>;

/**
 * A downstream service in a consumer's tests, on a real RPC server. It replies only in the forms of the provider's golden file and
 * fails only with errors that the RPC's comment lists; anything else is a fault of the test, which becomes INTERNAL_ERROR with the
 * reason on the standard error stream. What no test handles replies as the golden file has it.
 */
export class Fake {
  address = '';
  /** Whether it refuses what the comments of the .proto files say is invalid, as its service does. */
  protected readonly isValidating: boolean = false;
  private readonly golden: Golden;
  private readonly services = new Map<string, Served>();
  private readonly faults = new Map<string, { fault: Fault; times: number; of: string | undefined }>();
  private readonly barriers = new Map<string, Promise<void>>();
  private readonly unlogged = new Set<string>();
  private server: RpcServer | undefined;

  constructor(
    readonly app: string,
    readonly log: FakeCall[] = [],
  ) {
    this.golden = new Golden(app);
    const definitions: Readonly<Record<string, unknown>> = contracts;
    for (const service of servicesOf(app)) {
      const definition = definitions[`${service}Service`] as RpcDefinition | undefined;
      if (!definition) throw new Error(`no .proto file declares ${service}`);
      const handlers = Object.fromEntries(Object.keys(definition).map((name) => [name, () => ({})]));
      this.services.set(service, { definition, handlers });
    }
  }

  /** The handlers of a service, to be replaced while it runs or before. */
  handlers<D extends RpcDefinition>(definition: D): FakeHandlers<D> {
    const service = [...this.services.values()].find((one) => one.definition === definition);
    if (!service) throw new Error(`${this.app} does not serve ${Object.values(definition)[0]?.path}`);
    return service.handlers as FakeHandlers<D>;
  }

  /** Replaces some handlers of a service. */
  on<D extends RpcDefinition>(definition: D, handlers: Partial<FakeHandlers<D>>): this {
    Object.assign(this.handlers(definition), handlers);
    return this;
  }

  /** Listens; on a free port unless an address is given. */
  async start(address = '127.0.0.1:0'): Promise<this> {
    const at = address.lastIndexOf(':');
    const [host, port] = [address.slice(0, at), Number(address.slice(at + 1))];
    const services = [...this.services.values()].map((service) => this.served(service));
    this.server = new RpcServer({ services, log: silentLog });
    this.address = `${host}:${await this.server.listen(host, port)}`;
    this.server.setServing(true);
    return this;
  }

  async stop(graceMs = 0): Promise<void> {
    await this.server?.drain(graceMs);
  }

  /** How often each method was called. */
  get calls(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { method } of this.log) counts[method] = (counts[method] ?? 0) + 1;
    return counts;
  }

  /** The next calls of a method fail; with `of` only those that hold this text in a field of the request. Returns what ends it. */
  fail(method: string, fault: Fault, times = Number.POSITIVE_INFINITY, of?: string): () => void {
    const key = `${method} ${of}`;
    this.faults.set(key, { fault, times, of });
    return () => void this.faults.delete(key);
  }

  /** Calls of a method wait until the returned function is called. */
  hold(method: string): () => void {
    let open = (): void => undefined;
    const barrier = new Promise<void>((resolve) => (open = resolve));
    this.barriers.set(method, barrier);
    return () => {
      // Another one may hold it by now.
      if (this.barriers.get(method) === barrier) this.barriers.delete(method);
      open();
    };
  }

  /** Leaves out of the log what is called in the background, whenever the caller likes to. */
  leaveOut(method: string): this {
    this.unlogged.add(method);
    return this;
  }

  /** No call fails any more. */
  recover(): void {
    this.faults.clear();
  }

  private served({ definition, handlers }: Served): RpcService {
    const entries = Object.entries(definition).map(([method, { path, responseSerialize }]) => {
      const rpc = path.split('.').pop()?.replace('/', '.') ?? '';
      const declared = RPCS.get(rpc);
      // Read here and not by the first call, which has a deadline.
      const { response } = methodOf(rpc);
      const handle = async (request: unknown, call: CallContext): Promise<unknown> => {
        if (!this.unlogged.has(method)) this.log.push({ method, request, call });
        await this.barriers.get(method);
        const fault = this.takeFault(method, request);
        if (this.isValidating && declared && !isValid(declared, request as Record<string, unknown>))
          throw new AppError('VALIDATION_FAILED');
        if (fault && fault !== 'lost-reply') refuseUnlisted(rpc, new AppError(fault));
        const given = await Promise.resolve()
          .then(() => (handlers as LooseHandlers)[method]?.(request, call))
          .catch((error: unknown) => refuseUnlisted(rpc, error));
        const reply = completeReply(rpc, given as object, this.golden);
        const bytes = responseSerialize(reply as never);
        const strange = this.golden.strangeForms(rpc, response.decode(bytes));
        if (strange.length > 0) throw notOfContract(strange.join('; '));
        if (fault) throw new AppError('SERVICE_UNAVAILABLE');
        return reply;
      };
      return [method, handle];
    });
    return defineRpc(definition, Object.fromEntries(entries));
  }

  private takeFault(method: string, request: unknown): Fault | undefined {
    const texts = Object.values(request as object);
    for (const [key, planned] of this.faults) {
      if (!key.startsWith(`${method} `) || planned.times <= 0) continue;
      if (planned.of !== undefined && !texts.includes(planned.of)) continue;
      planned.times -= 1;
      return planned.fault;
    }
    return undefined;
  }
}

/** The services of an app: those of the package that the first word of its name names, and the common ones. */
const servicesOf = (app: string): string[] =>
  SERVICES.filter(({ file }) =>
    [`reseller.${app.split('-')[0]}.v1`, 'reseller.common.v1'].includes(file.proto.package),
  ).map(({ name }) => name);

function refuseUnlisted(rpc: string, error: unknown): never {
  const method = RPCS.get(rpc);
  if (error instanceof AppError && method) {
    const codes: readonly string[] = [
      ...ALWAYS_POSSIBLE,
      ...rpcComment(method).errors.map(({ code }) => code),
    ];
    if (!codes.includes(error.code)) throw notOfContract(`${rpc} never fails with ${error.code}`);
  }
  throw error;
}

function notOfContract(reason: string): Error {
  process.stderr.write(`not of the contract: ${reason}\n`);
  return new Error(`not of the contract: ${reason}`);
}
