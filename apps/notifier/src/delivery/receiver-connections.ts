import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { buildConnector, Client } from 'undici';

/** A destination whose addresses were checked. */
export interface CheckedTarget {
  /** Scheme, host and port. */
  origin: string;
  /** Path and query. */
  path: string;
  /** For TLS: the name without brackets and without the root's dot. */
  host: string;
  /** At least one; nothing else is connected to. */
  addresses: readonly string[];
}

/** How long one address may take to respond while there are others left to try. */
const NEXT_ADDRESS_AFTER_MS = 3_000;

/** One connection, for one exchange at a time. */
export interface Connection {
  readonly client: Client;
  /** Ends the exchange; the connection of one that was cut off cannot be reused and is closed. */
  release(isReusable: boolean): void;
}

interface Destination {
  readonly key: string;
  /** Free ones, last used last. */
  readonly free: Client[];
  usedAt: number;
}

/**
 * Kept-alive connections, for each origin and the very addresses that were checked for it: an attempt whose name
 * resolves to something else gets connections of its own. Who may send how much at once is decided by the claim, not
 * here. Proxies of the environment have no say.
 */
export class ReceiverConnections {
  private readonly destinations = new Map<string, Destination>();
  private readonly inUse = new Set<Client>();
  private readonly sweeper: NodeJS.Timeout;

  constructor(private readonly options: { connectTimeoutMs: number; maxFree?: number; idleMs?: number }) {
    this.sweeper = setInterval(() => this.sweep(), this.idleMs / 2).unref();
  }

  /** A connection to the target, kept or to be made by its first request. */
  take(target: CheckedTarget): Connection {
    const destination = this.destinationOf(target);
    const client = destination.free.pop() ?? this.open(target);
    this.inUse.add(client);
    return { client, release: (isReusable) => this.takeBack(destination, client, isReusable) };
  }

  /** Cuts every connection. */
  async close(): Promise<void> {
    clearInterval(this.sweeper);
    const clients = [...this.inUse, ...[...this.destinations.values()].flatMap(({ free }) => free)];
    this.destinations.clear();
    await Promise.all(clients.map((client) => client.destroy()));
  }

  private get idleMs(): number {
    return this.options.idleMs ?? 30_000;
  }

  private destinationOf({ origin, host, addresses }: CheckedTarget): Destination {
    const key = `${origin} ${host} ${addresses.join(' ')}`;
    const known = this.destinations.get(key);
    const destination = known ?? { key, free: [], usedAt: 0 };
    destination.usedAt = performance.now();
    if (!known) this.destinations.set(key, destination);
    return destination;
  }

  private takeBack(destination: Destination, client: Client, isReusable: boolean): void {
    this.inUse.delete(client);
    const isKept =
      isReusable && !client.destroyed && destination.free.length < (this.options.maxFree ?? 1_000);
    // One that was swept away meanwhile has no list any more.
    if (isKept && this.destinations.get(destination.key) === destination) destination.free.push(client);
    else discard(client);
  }

  private open({ origin, host, addresses }: CheckedTarget): Client {
    return new Client(origin, {
      connect: connectorTo(host, addresses, this.options.connectTimeoutMs),
      pipelining: 1,
      // The sender counts for itself, from the look-up to the response.
      headersTimeout: 0,
      bodyTimeout: 0,
      // Receivers close idle connections after 5 s and more; one must not be used in that very moment.
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: 4_000,
      maxHeaderSize: 16_384,
    });
  }

  private sweep(): void {
    const before = performance.now() - this.idleMs;
    for (const [key, { free, usedAt }] of this.destinations) {
      if (usedAt > before) continue;
      this.destinations.delete(key);
      for (const client of free) discard(client);
    }
  }
}

function discard(client: Client): void {
  client.destroy().catch(() => undefined);
}

/** Connects to one of the addresses, in their order, with the name for TLS; a bad certificate is refused unless the options say otherwise. */
export function connectorTo(
  host: string,
  addresses: readonly string[],
  timeoutMs: number,
  tls: { rejectUnauthorized?: false } = {},
): buildConnector.connector {
  const last = buildConnector({ ...tls, timeout: timeoutMs });
  const earlier = buildConnector({ ...tls, timeout: Math.min(NEXT_ADDRESS_AFTER_MS, timeoutMs) });
  const servername = isIP(host) ? {} : { servername: host };
  return (options, callback) => {
    const attempt = (at: number): void => {
      const address = addresses[at];
      if (address === undefined) return callback(new Error('there is no address to connect to'), null);
      const isLast = at === addresses.length - 1;
      const connect = isLast ? last : earlier;
      connect({ ...options, ...servername, hostname: address }, (error, socket) => {
        if (error && !isLast) return attempt(at + 1);
        if (error) return callback(error, null);
        if (isSameAddress(socket?.remoteAddress, address)) return callback(null, socket!);
        socket?.destroy();
        return callback(new Error('the connection leads to another address than the one checked'), null);
      });
    };
    attempt(0);
  };
}

/** Whether the socket's other end is the address, however each of them spells it. */
function isSameAddress(remote: string | undefined, address: string): boolean {
  if (remote === undefined || !ipaddr.isValid(remote) || !ipaddr.isValid(address)) return false;
  return ipaddr.process(remote).toNormalizedString() === ipaddr.process(address).toNormalizedString();
}
