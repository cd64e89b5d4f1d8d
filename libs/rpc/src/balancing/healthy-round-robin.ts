import { connectivityState, experimental, type ChannelOptions } from '@grpc/grpc-js';
import { ConnectionReport } from './connection-report';
import { watchHealth } from './watch-health';

const NAME = 'healthy_round_robin';
const ROUND_ROBIN = experimental.parseLoadBalancingConfig({ round_robin: {} });

/** The service config that has a channel's calls shared out by this balancer. */
export const BALANCED = JSON.stringify({ loadBalancingConfig: [{ [NAME]: {} }] });

class Config implements experimental.TypedLoadBalancingConfig {
  static createFromJson(): Config {
    return new Config();
  }

  getLoadBalancerName(): string {
    return NAME;
  }

  toJsonObject(): object {
    return { [NAME]: {} };
  }
}

/**
 * grpc-js's round robin over the connected instances, less those that say NOT_SERVING by the health protocol, which grpc-js does
 * not ask by itself (docs/adr/0002). When every connected instance says so, all are used: their responses say why, and sooner.
 */
class HealthyRoundRobin implements experimental.LoadBalancer {
  private readonly instances = new Set<Instance>();
  private readonly child: experimental.ChildLoadBalancerHandler;

  constructor(helper: experimental.ChannelControlHelper) {
    const own = experimental.createChildChannelControlHelper(helper, {
      createSubchannel: (address, options) => {
        const subchannel = helper.createSubchannel(address, options);
        return new Instance(subchannel, ConnectionReport.of(options), this.instances);
      },
    });
    this.child = new experimental.ChildLoadBalancerHandler(own);
  }

  updateAddressList(
    endpoints: experimental.StatusOr<experimental.Endpoint[]>,
    _config: experimental.TypedLoadBalancingConfig,
    options: ChannelOptions,
    note: string,
  ): boolean {
    return this.child.updateAddressList(endpoints, ROUND_ROBIN, options, note);
  }

  exitIdle(): void {
    this.child.exitIdle();
  }

  resetBackoff(): void {
    this.child.resetBackoff();
  }

  destroy(): void {
    this.child.destroy();
  }

  getTypeName(): string {
    return NAME;
  }
}

/** The connection to one instance, with what it says of its health while it is up. */
class Instance extends experimental.BaseSubchannelWrapper {
  private isServing = true;
  private stopWatching: (() => void) | undefined;

  private readonly onState: experimental.ConnectivityStateListener = (
    _self,
    _before,
    state,
    _keepalive,
    reason,
  ) => {
    if (state === connectivityState.READY) this.report?.connected(this.getAddress());
    if (state === connectivityState.TRANSIENT_FAILURE)
      this.report?.failed(this.getAddress(), reason ?? 'no connection');
    this.watch(state === connectivityState.READY);
  };

  constructor(
    subchannel: experimental.SubchannelInterface,
    private readonly report: ConnectionReport | undefined,
    private readonly all: Set<Instance>,
  ) {
    super(subchannel);
    all.add(this);
    subchannel.addConnectivityStateListener(this.onState);
    this.watch(this.isConnected);
  }

  protected override destroy(): void {
    this.child.removeConnectivityStateListener(this.onState);
    this.watch(false);
    this.all.delete(this);
    this.report?.forget(this.getAddress());
    super.destroy();
  }

  private get isConnected(): boolean {
    return this.getConnectivityState() === connectivityState.READY;
  }

  private watch(isConnected: boolean): void {
    if (isConnected) this.report?.connections.add(this);
    else this.report?.connections.delete(this);
    this.stopWatching?.();
    this.stopWatching = isConnected ? watchHealth(this, (isServing) => this.heard(isServing)) : undefined;
    this.heard(true);
  }

  private heard(isServing: boolean): void {
    this.isServing = isServing;
    const connected = [...this.all].filter((instance) => instance.isConnected);
    const nobodyServes = connected.every((instance) => !instance.isServing);
    for (const instance of connected) instance.setHealthy(instance.isServing || nobodyServes);
  }
}

experimental.registerLoadBalancerType(NAME, HealthyRoundRobin, Config);
