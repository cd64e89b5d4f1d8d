import { createServer, connect, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * What befalls a connection. `slow`: each response comes that much later. `refusing`: nobody listens, and what was connected is
 * reset. `half-open`: accepted and without a response, in the end neither, as when a firewall has forgotten a connection: new ones are
 * served then, and whoever waits on an old one has to notice by itself. `full`: a
 * PostgreSQL that has no connection left (53300).
 */
export type Mode = 'through' | 'slow' | 'refusing' | 'half-open' | 'full';

const HOST = '127.0.0.1';
const SLOW_MS = 2_000;

/** Stands between processes on a port of its own and behaves as it was last set to, for connections old and new. */
export class TcpProxy {
  private mode: Mode = 'through';
  private server: Server | undefined;
  private readonly pairs = new Set<Pair>();

  constructor(
    readonly port: number,
    private readonly upstreamPort: number,
    /** Where it listens; the other side is always on 127.0.0.1. */
    readonly host = HOST,
  ) {}

  /** Behaves this way from now on. */
  async set(mode: Mode): Promise<void> {
    this.mode = mode;
    if (mode === 'half-open') for (const pair of this.pairs) pair.silence();
    if (mode === 'refusing' || mode === 'full') for (const pair of this.pairs) pair.reset();
    if (mode === 'refusing') await this.close();
    else if (!this.server) await this.listen();
  }

  /** Begins to listen. */
  async listen(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        this.server = await listenOn(this, (socket) => this.accept(socket));
        return;
      } catch (error) {
        if (tries === 100) throw error;
        await pause(50);
      }
    }
  }

  /** Ends all of it. */
  async close(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    for (const pair of this.pairs) pair.reset();
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  private accept(socket: Socket): void {
    const pair = new Pair(socket, this.upstreamPort, () => this.mode);
    this.pairs.add(pair);
    socket.once('close', () => this.pairs.delete(pair));
  }
}

function listenOn(
  { host, port }: { host: string; port: number },
  accept: (socket: Socket) => void,
): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer({ noDelay: true }, accept);
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

/** A connection and the one that it goes on by. */
class Pair {
  private isSilent = false;
  private readonly upstream: Socket | undefined;
  /** What is to be passed on and when; without a chunk, that there is no more. */
  private readonly waiting: { readonly chunk: Buffer | undefined; readonly at: number }[] = [];

  constructor(
    private readonly client: Socket,
    upstreamPort: number,
    private readonly mode: () => Mode,
  ) {
    client.on('error', () => this.reset());
    client.once('close', () => this.upstream?.destroy());
    client.on('data', (chunk: Buffer) => this.forward(chunk));
    this.isSilent = mode() === 'half-open';
    if (this.isSilent || mode() === 'full') return;
    const upstream = connect({ host: HOST, port: upstreamPort, noDelay: true });
    this.upstream = upstream;
    upstream.on('error', () => this.isSilent || this.reset());
    upstream.on('data', (chunk: Buffer) => this.delay(chunk));
    upstream.once('end', () => this.delay(undefined));
  }

  /** Nothing of it is heard again, from either side. */
  silence(): void {
    this.isSilent = true;
    this.upstream?.destroy();
  }

  reset(): void {
    this.client.resetAndDestroy();
    this.upstream?.destroy();
  }

  private forward(chunk: Buffer): void {
    if (this.isSilent) return;
    if (this.mode() === 'full') this.client.end(TOO_MANY_CONNECTIONS);
    else this.upstream?.write(chunk);
  }

  private delay(chunk: Buffer | undefined): void {
    if (this.isSilent) return;
    this.waiting.push({ chunk, at: performance.now() + (this.mode() === 'slow' ? SLOW_MS : 0) });
    if (this.waiting.length === 1) this.passOn();
  }

  /** In order, also when what was slow is slow no more. */
  private passOn(): void {
    for (let first = this.waiting[0]; first; first = this.waiting[0]) {
      const waitMs = first.at - performance.now();
      if (waitMs > 0) return void setTimeout(() => this.passOn(), waitMs);
      this.waiting.shift();
      if (this.isSilent || this.client.destroyed) return;
      if (first.chunk) this.client.write(first.chunk);
      else this.client.end();
    }
  }
}

/** What PostgreSQL says to whom it has no connection for. */
const TOO_MANY_CONNECTIONS = errorResponse('SFATAL\0VFATAL\0C53300\0Msorry, too many clients already\0\0');

function errorResponse(fields: string): Buffer {
  const body = Buffer.from(fields);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
