import { RPC_POLICIES, type RpcPolicy } from '@reseller/contracts';
import type { CallContext } from './call-context';

/** One method as ts-proto's grpc-js output describes it: one message in return for one, or for a stream of them. */
export interface RpcMethod {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: false;
  readonly requestSerialize: (value: never) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => unknown;
  readonly responseSerialize: (value: never) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => unknown;
  /** Of a method that is not in our contracts; without one it is never sent twice, and nobody may call it. */
  readonly policy?: RpcPolicy;
}

/** A generated `XService` constant. */
export type RpcDefinition = Readonly<Record<string, RpcMethod>>;

/** The request message of a method, or the stream of them. */
export type RpcRequest<M extends RpcMethod> = M['requestStream'] extends true
  ? AsyncIterable<ReturnType<M['requestDeserialize']>>
  : ReturnType<M['requestDeserialize']>;

/** The response message of a method. */
export type RpcResponse<M extends RpcMethod> = ReturnType<M['responseDeserialize']>;

/** One function for each method of a service; a missing one does not compile. */
export type RpcHandlers<D extends RpcDefinition> = {
  readonly [K in keyof D]: (request: RpcRequest<D[K]>, call: CallContext) => Promise<RpcResponse<D[K]>>;
};

/** A handler whose types were checked by defineRpc already. */
export type UntypedHandler = (request: unknown, call: CallContext) => Promise<unknown>;

/** A service ready to be served by an RpcServer. */
export interface RpcService {
  readonly name: string;
  readonly definition: RpcDefinition;
  readonly handlers: Readonly<Record<string, UntypedHandler>>;
}

/** Joins a generated definition with its handlers. */
export function defineRpc<D extends RpcDefinition>(definition: D, handlers: RpcHandlers<D>): RpcService {
  const first = Object.values(definition)[0];
  if (!first) throw new Error('an RPC definition without methods cannot be served');
  // Handlers may be methods of a class, so they are bound.
  const bound = Object.keys(definition).map((name) => {
    const handler = handlers[name] as UntypedHandler;
    return [name, handler.bind(handlers)] as const;
  });
  return { name: splitPath(first.path).service, definition, handlers: Object.fromEntries(bound) };
}

const UNKNOWN: RpcPolicy = { idempotency: 'IDEMPOTENCY_UNKNOWN', callers: [] };

/** What the contract says of a method beyond its messages. */
export const policyOf = ({ path, policy }: RpcMethod): RpcPolicy => policy ?? RPC_POLICIES[path] ?? UNKNOWN;

/** Service and method of a path such as "/reseller.finance.v1.FundsService/CheckFunds". */
export function splitPath(path: string): { service: string; method: string } {
  const [, service = '', method = ''] = path.split('/');
  return { service, method };
}

/** Whether the contract lets a response of the method be older, for a caller that accepts it. */
export const mayBeStale = (rpc: RpcMethod): boolean => policyOf(rpc).mayBeStale === true;
