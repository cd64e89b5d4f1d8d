import { connectivityState, experimental, type ChannelOptions } from '@grpc/grpc-js';
import { ConnectionReport } from './connection-report';
import { InstanceSocket } from './instance-socket';
import { askForLife, watchHealth } from './watch-health';
import { watchSilence } from './watch-silence';

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
 * not ask by itself (docs/adr/0002), and those whose connection is silent. When that is every one that is connected, all are used:
 * their responses say why, and sooner.
 */
class HealthyRoundRobin implements experimental.LoadBalancer {
  private readonly instances = new Set<Instance>();
  private readonly sockets = new Map<string, InstanceSocket>();
  private readonly child: experimental.ChildLoadBalancerHandler;

  constructor(helper: experimental.ChannelControlHelper) {
    const own = experimental.createChildChannelControlHelper(helper, {
      createSubchannel: (address, options) => {
        const socket = this.socketTo(experimental.subchannelAddressToString(address));
        const subchannel = helper.createSubchannel(address, { ...options, ...socket.asOption() });
        return new Instance(subchannel, socket, ConnectionReport.of(options), this.instances);
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

  /** The same for an address as long as it is connected: grpc-js goes on with a connection whose options have not changed. */
  private socketTo(address: string): InstanceSocket {
    const known = this.sockets.get(address);
    if (known) return known;
    for (const [other, { isOpen }] of this.sockets) if (!isOpen) this.sockets.delete(other);
    const socket = new InstanceSocket();
    this.sockets.set(address, socket);
    return socket;
  }
}

/** The connection to one instance, with what it says of its health while it is up. */
class Instance extends experimental.BaseSubchannelWrapper {
  private isServing = true;
  private isSilent = false;
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
    private readonly socket: InstanceSocket,
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
    this.isServing = true;
    this.isSilent = false;
    this.stopWatching = isConnected ? this.watchConnection() : undefined;
    this.share();
  }

  private watchConnection(): () => void {
    const stopHealth = watchHealth(this, (isServing) => {
      this.isServing = isServing;
      this.share();
    });
    const stopSilence = watchSilence({
      socket: this.socket,
      ask: (onResponse) => askForLife(this, onResponse),
      onSilence: (isSilent) => {
        this.isSilent = isSilent;
        this.share();
      },
      onDead: () => this.report?.replaced(this.getAddress()),
    });
    return () => {
      stopHealth();
      stopSilence();
    };
  }

  /** Has calls shared out among those that are of use, or among all that are connected when none is. */
  private share(): void {
    const connected = [...this.all].filter((instance) => instance.isConnected);
    const isNoneOfUse = !connected.some((instance) => instance.isOfUse);
    for (const instance of connected) instance.setHealthy(instance.isOfUse || isNoneOfUse);
  }

  private get isOfUse(): boolean {
    return this.isServing && !this.isSilent;
  }
}

experimental.registerLoadBalancerType(NAME, HealthyRoundRobin, Config);
