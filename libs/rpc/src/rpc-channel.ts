import { Client, connectivityState, type ClientOptions } from '@grpc/grpc-js';
import { targetOf } from './balancing/address-resolver';
import { ConnectionReport } from './balancing/connection-report';
import { BALANCED } from './balancing/healthy-round-robin';
import { unreachable } from './error-trailer';
import { CallSender } from './gathered/call-sender';
import { RetryBudget } from './retries';
import type { RpcClientOptions } from './rpc-options';
import { plainText } from './security/rpc-security';
import { endSilentAttempts } from './silent-attempts';

const CHANNEL_OPTIONS: ClientOptions = {
  'grpc.keepalive_time_ms': 20_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.initial_reconnect_backoff_ms': 50,
  'grpc.max_reconnect_backoff_ms': 500,
  'grpc.use_local_subchannel_pool': 1,
  'grpc.service_config': BALANCED,
  'grpc.service_config_disable_resolution': 1,
  'grpc.enable_channelz': 0,
};

/** The connections to one dependency, shared by the clients of all its services. */
export class RpcChannel {
  readonly client: Client;
  readonly sender: CallSender;
  /** Shared by all calls of the dependency. */
  readonly budget = new RetryBudget();
  /** Why it is not connected, where it is not. */
  readonly report: ConnectionReport;

  constructor(
    address: string,
    readonly options: RpcClientOptions,
  ) {
    const { name, defaultDeadlineMs } = options;
    if (!(defaultDeadlineMs > 0 && Number.isFinite(defaultDeadlineMs)))
      throw new Error(`a client of ${name} needs a deadline for its calls`);
    this.report = new ConnectionReport(name, options.log);
    const security = (options.security ?? plainText).channelTo(name);
    this.client = new Client(targetOf(address), endSilentAttempts(security.credentials), {
      ...CHANNEL_OPTIONS,
      ...security.options,
      ...this.report.asOption(),
      ...options.channelOptions,
    });
    this.sender = new CallSender(this.client.getChannel(), () => this.report.connections.size);
  }

  close(): void {
    this.client.close();
    this.report.close();
  }

  /** Whether it is connected now; reading it starts an idle one connecting. */
  isReady(): boolean {
    return this.client.getChannel().getConnectivityState(true) === connectivityState.READY;
  }

  /** What stands in the way, to be added to a cause; nothing while it is connected everywhere. */
  get trouble(): string {
    const reasons = this.report.reasons;
    return reasons === undefined ? '' : ` (${reasons})`;
  }

  waitForReady(timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.client.waitForReady(Date.now() + timeoutMs, (error) => {
        if (error)
          reject(unreachable(this.options.name, `not reachable within ${timeoutMs} ms${this.trouble}`));
        else resolve();
      });
    });
  }
}
