import ipaddr from 'ipaddr.js';
import { isIP, type Socket } from 'node:net';
import { buildConnector, Client } from 'undici';

/** A destination whose addresses were checked. */
export interface CheckedTarget {
  /** Scheme, host and port. */
  origin: string;
  /** Path and query. */
  path: string;
  /** For TLS: the name without brackets and without the root's dot. */
  host: string;
  /** At least one; nothing else is connected to, and to a few of them at most. */
  addresses: readonly string[];
}

/** How long one address may take to respond while there are others left to try. */
const NEXT_ADDRESS_AFTER_MS = 3_000;
/** Of how many addresses a connection is tried at most: whoever owns a name decides how many it has. */
const MOST_ADDRESSES = 4;

/** A client, and what ends the connecting that it may be at: destroying it does not. */
interface Line {
  readonly client: Client;
  readonly connecting: AbortController;
}

/** One connection, for one exchange at a time. */
export interface Connection {
  readonly client: Client;
  /** Ends the exchange; the connection of one that was cut off cannot be reused and is closed. */
  release(isReusable: boolean): void;
}

interface Destination {
  readonly key: string;
  /** Free ones, last used last. */
  readonly free: Line[];
  usedAt: number;
}

/**
 * Kept-alive connections, for each origin and the very addresses that were checked for it: an attempt whose name
 * resolves to something else gets connections of its own. Who may send how much at once is decided by the claim, not
 * here. Proxies of the environment have no say.
 */
export class ReceiverConnections {
  private readonly destinations = new Map<string, Destination>();
  private readonly inUse = new Set<Line>();
  private readonly sweeper: NodeJS.Timeout;

  constructor(private readonly options: { connectTimeoutMs: number; maxFree?: number; idleMs?: number }) {
    this.sweeper = setInterval(() => this.sweep(), this.idleMs / 2).unref();
  }

  /** A connection to the target, kept or to be made by its first request. */
  take(target: CheckedTarget): Connection {
    const destination = this.destinationOf(target);
    const line = destination.free.pop() ?? this.open(target);
    this.inUse.add(line);
    return { client: line.client, release: (isReusable) => this.takeBack(destination, line, isReusable) };
  }

  /** Cuts every connection. */
  async close(): Promise<void> {
    clearInterval(this.sweeper);
    const lines = [...this.inUse, ...[...this.destinations.values()].flatMap(({ free }) => free)];
    this.destinations.clear();
    await Promise.all(lines.map(cut));
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

  private takeBack(destination: Destination, line: Line, isReusable: boolean): void {
    this.inUse.delete(line);
    const isKept =
      isReusable && !line.client.destroyed && destination.free.length < (this.options.maxFree ?? 1_000);
    // One that was swept away meanwhile has no list any more.
    if (isKept && this.destinations.get(destination.key) === destination) destination.free.push(line);
    else discard(line);
  }

  private open({ origin, host, addresses }: CheckedTarget): Line {
    const connecting = new AbortController();
    const client = new Client(origin, {
      connect: connectorTo(host, addresses, this.options.connectTimeoutMs, connecting.signal),
      pipelining: 1,
      // The sender counts for itself, from the look-up to the response.
      headersTimeout: 0,
      bodyTimeout: 0,
      // Receivers close idle connections after 5 s and more; one must not be used in that very moment.
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: 4_000,
      // Far more than a response has; headers without end are none.
      maxHeaderSize: 65_536,
    });
    return { client, connecting };
  }

  private sweep(): void {
    const before = performance.now() - this.idleMs;
    for (const [key, { free, usedAt }] of this.destinations) {
      if (usedAt > before) continue;
      this.destinations.delete(key);
      for (const line of free) discard(line);
    }
  }
}

function discard(line: Line): void {
  cut(line).catch(() => undefined);
}

function cut({ client, connecting }: Line): Promise<void> {
  const destroyed = client.destroy();
  connecting.abort();
  return destroyed;
}

/**
 * Connects to one of the first three addresses or the last, in this order, with the name for TLS, and stops when the signal says so; a bad
 * certificate is refused unless the options say otherwise.
 */
export function connectorTo(
  host: string,
  addresses: readonly string[],
  timeoutMs: number,
  signal: AbortSignal,
  tls: { rejectUnauthorized?: false } = {},
): buildConnector.connector {
  const last = buildConnector({ ...tls, timeout: timeoutMs });
  const earlier = buildConnector({ ...tls, timeout: Math.min(NEXT_ADDRESS_AFTER_MS, timeoutMs) });
  const servername = isIP(host) ? {} : { servername: host };
  const tried = fewOf(addresses);
  return (options, callback) => {
    const attempt = (at: number): void => {
      const address = tried[at];
      if (address === undefined) return callback(new Error('there is no address to connect to'), null);
      const isLast = at === tried.length - 1;
      const connect = isLast ? last : earlier;
      const connected: buildConnector.Callback = (...[error]) => {
        signal.removeEventListener('abort', stop);
        if (error && !isLast && !signal.aborted) return attempt(at + 1);
        if (error) return callback(error, null);
        if (isSameAddress(socket.remoteAddress, address)) return callback(null, socket);
        socket.destroy();
        return callback(new Error('the connection leads to another address than the one checked'), null);
      };
      // undici returns it and its types do not say so.
      const socket = connect(
        { ...options, ...servername, hostname: address },
        connected,
      ) as unknown as Socket;
      const stop = (): void => void socket.destroy(unwanted());
      signal.addEventListener('abort', stop);
    };
    if (signal.aborted) return callback(unwanted(), null);
    attempt(0);
  };
}

const unwanted = (): Error => new Error('nobody waits for the connection any more');

/** IPv4 comes first, so that with the last one both families have their turn. */
function fewOf(addresses: readonly string[]): readonly string[] {
  if (addresses.length <= MOST_ADDRESSES) return addresses;
  return [...addresses.slice(0, MOST_ADDRESSES - 1), ...addresses.slice(-1)];
}

/** Whether the socket's other end is the address, however each of them spells it. */
function isSameAddress(remote: string | undefined, address: string): boolean {
  if (remote === undefined || !ipaddr.isValid(remote) || !ipaddr.isValid(address)) return false;
  return ipaddr.process(remote).toNormalizedString() === ipaddr.process(address).toNormalizedString();
}
