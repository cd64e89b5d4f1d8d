import { experimental, Metadata, status, type ChannelOptions } from '@grpc/grpc-js';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { ConnectionReport } from './connection-report';

type Endpoint = experimental.Endpoint;
type Listener = experimental.ResolverListener;

/** How names are looked up; a test brings its own. */
interface LookupOptions {
  readonly find: (name: string) => Promise<readonly string[]>;
  readonly refreshMs: number;
  readonly pauseMs: number;
}

const SCHEME = 'addresses';
/** Names are looked up again so often, so that an instance that was added is found though nothing broke. */
const REFRESH_MS = 10_000;
/** And at most so often when connections break. */
const SHORTEST_PAUSE_MS = 1_000;

const SYSTEM: LookupOptions = {
  find: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
  refreshMs: REFRESH_MS,
  pauseMs: SHORTEST_PAUSE_MS,
};

/** The target of a channel to host:port, or to several, comma separated; each host is an IP address or a name of any number of them. */
export const targetOf = (addresses: string): string =>
  `${SCHEME}:${addresses
    .split(',')
    .map((one) => one.trim())
    .join(',')}`;

/** Resolves a list of addresses and names, and goes on looking the names up. */
export class AddressResolver implements experimental.Resolver {
  private readonly entries: readonly experimental.HostPort[];
  private readonly report: ConnectionReport | undefined;
  /** What each name last stood for, which holds while it cannot be looked up. */
  private readonly known = new Map<string, readonly string[]>();
  private reported: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private lookedUpAt = -Infinity;
  private run = 0;

  constructor(
    target: experimental.GrpcUri,
    private readonly listener: Listener,
    options: ChannelOptions,
    private readonly lookups: LookupOptions = SYSTEM,
  ) {
    this.report = ConnectionReport.of(options);
    this.entries = target.path.split(',').flatMap((text) => experimental.splitHostPort(text) ?? []);
  }

  static getDefaultAuthority({ path }: experimental.GrpcUri): string {
    return path.split(',')[0] ?? path;
  }

  /** Asks again now, or as soon as it may: connections that break come by here. */
  updateResolution(): void {
    const waitMs =
      this.reported === undefined ? 0 : this.lookedUpAt + this.lookups.pauseMs - performance.now();
    this.schedule(Math.max(0, waitMs));
  }

  destroy(): void {
    clearTimeout(this.timer);
    this.run += 1;
    this.reported = undefined;
  }

  private schedule(waitMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.resolve(), waitMs);
    if (waitMs > 0) this.timer.unref();
  }

  private async resolve(): Promise<void> {
    const run = (this.run += 1);
    this.lookedUpAt = performance.now();
    const found = (await Promise.all(this.entries.map((entry) => this.endpointsOf(entry)))).flat();
    // Destroyed, or called anew, meanwhile.
    if (run !== this.run) return;
    const hasNames = this.entries.some(({ host }) => isIP(host) === 0);
    if (hasNames) this.schedule(found.length > 0 ? this.lookups.refreshMs : this.lookups.pauseMs);
    this.deliver(unique(found));
  }

  // A balancer that gets the same list begins anew with it, so it is notified of changes only.
  private deliver(endpoints: Endpoint[]): void {
    const text = endpoints.map(experimental.endpointToString).sort().join();
    if (text === this.reported) return;
    this.reported = text;
    const result: experimental.StatusOr<Endpoint[]> =
      endpoints.length > 0
        ? { ok: true, value: endpoints }
        : experimental.statusOrFromError({
            code: status.UNAVAILABLE,
            details: `no address: ${this.report?.reasons ?? 'nothing was found'}`,
            metadata: new Metadata(),
          });
    this.listener(result, {}, null, '');
  }

  private async endpointsOf({ host, port = 443 }: experimental.HostPort): Promise<Endpoint[]> {
    if (isIP(host) !== 0) return [{ addresses: [{ host, port }] }];
    try {
      const hosts = await this.lookups.find(host);
      this.known.set(host, hosts);
      this.report?.connected(host);
    } catch (error) {
      this.report?.failed(host, `cannot be looked up: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`);
    }
    const addresses = (this.known.get(host) ?? []).map((address) => ({ host: address, port }));
    // One process under an address of each family, whichever it listens on.
    if (host === 'localhost') return addresses.length > 0 ? [{ addresses }] : [];
    return addresses.map((address) => ({ addresses: [address] }));
  }
}

function unique(endpoints: Endpoint[]): Endpoint[] {
  return [...new Map(endpoints.map((one) => [experimental.endpointToString(one), one])).values()];
}

experimental.registerResolver(SCHEME, AddressResolver);
