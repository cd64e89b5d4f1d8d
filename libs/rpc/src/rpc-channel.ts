import { Client, connectivityState, type ClientOptions } from '@grpc/grpc-js';
import { unreachable } from './error-trailer';
import { RetryBudget } from './retries';
import type { RpcClientOptions } from './rpc-options';
import { plainText } from './security/rpc-security';

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

/** The connections to one neighbour, shared by the clients of all its services. */
export class RpcChannel {
  readonly client: Client;
  /** Shared by all that is asked of the neighbour. */
  readonly budget = new RetryBudget();

  constructor(
    address: string,
    readonly options: RpcClientOptions,
  ) {
    const { name, defaultDeadlineMs } = options;
    if (!(defaultDeadlineMs > 0 && Number.isFinite(defaultDeadlineMs)))
      throw new Error(`a client of ${name} needs a deadline for its calls`);
    this.client = openChannel(address, options);
  }

  close(): void {
    this.client.close();
  }

  /** Whether it is connected now; asking starts an idle one connecting. */
  isReady(): boolean {
    return this.client.getChannel().getConnectivityState(true) === connectivityState.READY;
  }

  waitForReady(timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.client.waitForReady(Date.now() + timeoutMs, (error) => {
        if (error) reject(unreachable(this.options.name, `not reachable within ${timeoutMs} ms`));
        else resolve();
      });
    });
  }
}

function openChannel(address: string, { name, security = plainText }: RpcClientOptions): Client {
  const { credentials, options } = security.channelTo(name);
  const addresses = address.split(',').map((one) => one.trim());
  if (addresses.length === 1)
    return new Client(address.trim(), credentials, { ...CHANNEL_OPTIONS, ...options });
  const scheme = address.includes('[') ? 'ipv6' : 'ipv4';
  return new Client(`${scheme}:${addresses.join(',')}`, credentials, {
    ...CHANNEL_OPTIONS,
    ...options,
    'grpc.service_config': ROUND_ROBIN,
  });
}
