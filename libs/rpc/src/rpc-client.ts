import type { CallContext } from './call-context';
import type { RpcDefinition, RpcRequest, RpcResponse } from './definition';
import { RpcChannel } from './rpc-channel';
import type { RpcCallOptions, RpcClientOptions } from './rpc-options';
import { unaryMethod } from './unary-method';

/** Promise-shaped methods of a service; every failure is an AppError. */
export type RpcClient<D extends RpcDefinition> = {
  readonly [K in keyof D]: (
    request: RpcRequest<D[K]>,
    call: CallContext,
    options?: RpcCallOptions,
  ) => Promise<RpcResponse<D[K]>>;
} & {
  /** Ends the channel, also for other clients that share it; calls under way fail with SERVICE_UNAVAILABLE. */
  close(): void;
  /** Whether the channel is connected now; reading it starts an idle one connecting. */
  isReady(): boolean;
  /** Resolves once connected, otherwise rejects with SERVICE_UNAVAILABLE after so many milliseconds. */
  waitForReady(timeoutMs: number): Promise<void>;
};

/** A client of one service at host:port (or several, comma separated, taken in turn). */
export function createRpcClient<D extends RpcDefinition>(
  definition: D,
  address: string,
  options: RpcClientOptions,
): RpcClient<D> {
  return clientOn(new RpcChannel(address, options), definition);
}

/** A client of one service over a channel that others may use too. */
export function clientOn<D extends RpcDefinition>(channel: RpcChannel, definition: D): RpcClient<D> {
  const methods = Object.entries(definition).map(([name, method]) => [name, unaryMethod(channel, method)]);
  return {
    ...(Object.fromEntries(methods) as object),
    close: () => channel.close(),
    isReady: () => channel.isReady(),
    waitForReady: (timeoutMs: number) => channel.waitForReady(timeoutMs),
  } as RpcClient<D>;
}
