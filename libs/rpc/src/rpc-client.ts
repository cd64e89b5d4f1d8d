import { Client, connectivityState, credentials, type ClientOptions } from '@grpc/grpc-js';
import type { CallContext } from './call-context';
import type { RpcDefinition, RpcRequest, RpcResponse } from './definition';
import { unreachable } from './error-trailer';
import type { RpcCallOptions, RpcClientOptions } from './rpc-options';
import { unaryMethod } from './unary-method';

/** Promise-shaped methods of a service; every failure is an AppError, and nothing is ever sent twice. */
export type RpcClient<D extends RpcDefinition> = {
  readonly [K in keyof D]: (
    request: RpcRequest<D[K]>,
    call: CallContext,
    options?: RpcCallOptions,
  ) => Promise<RpcResponse<D[K]>>;
} & {
  /** Ends the channel; calls under way fail with SERVICE_UNAVAILABLE. */
  close(): void;
  /** Whether the channel is connected now; asking starts an idle one connecting. */
  isReady(): boolean;
  /** Resolves once connected, otherwise rejects with SERVICE_UNAVAILABLE after so many milliseconds. */
  waitForReady(timeoutMs: number): Promise<void>;
};

const CHANNEL_OPTIONS: ClientOptions = {
  'grpc.keepalive_time_ms': 20_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.initial_reconnect_backoff_ms': 50,
  // So that a name which now leads elsewhere is followed quickly.
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  'grpc.max_reconnect_backoff_ms': 500,
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_channelz': 0,
};

const ROUND_ROBIN = JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] });

/** A client of one service at host:port (or several IP addresses, comma separated, taken in turn). */
export function createRpcClient<D extends RpcDefinition>(
  definition: D,
  address: string,
  options: RpcClientOptions,
): RpcClient<D> {
  const channel = openChannel(address);
  const methods = Object.entries(definition).map(([name, method]) => [
    name,
    unaryMethod(channel, method, options),
  ]);
  return {
    ...(Object.fromEntries(methods) as object),
    close: () => channel.close(),
    isReady: () => channel.getChannel().getConnectivityState(true) === connectivityState.READY,
    waitForReady: (timeoutMs: number) => waitForReady(channel, options.name, timeoutMs),
  } as RpcClient<D>;
}

function openChannel(address: string): Client {
  const addresses = address.split(',').map((one) => one.trim());
  if (addresses.length === 1)
    return new Client(address.trim(), credentials.createInsecure(), CHANNEL_OPTIONS);
  const scheme = address.includes('[') ? 'ipv6' : 'ipv4';
  return new Client(`${scheme}:${addresses.join(',')}`, credentials.createInsecure(), {
    ...CHANNEL_OPTIONS,
    'grpc.service_config': ROUND_ROBIN,
  });
}

function waitForReady(channel: Client, name: string, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    channel.waitForReady(Date.now() + timeoutMs, (error) => {
      if (error) reject(unreachable(name, `not reachable within ${timeoutMs} ms`));
      else resolve();
    });
  });
}
