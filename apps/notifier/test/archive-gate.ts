import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** Where a request is held: it never reaches the store, or its response never comes back. */
export type Hold = 'request' | 'response';

/** Stands before an object store and holds what a test says, so that a process can be killed right there. */
export class ArchiveGate {
  /** What is held; all else passes. */
  holds: (request: IncomingMessage) => Hold | undefined = () => undefined;
  /** Changes what comes back of a read. */
  alter: (content: Buffer) => Buffer = (content) => content;
  private readonly events = new EventEmitter();
  private readonly server: Server;

  private constructor(private readonly endpoint: string) {
    this.server = createServer((incoming, outgoing) => void this.pass(incoming, outgoing));
  }

  static async before(endpoint: string): Promise<ArchiveGate> {
    const gate = new ArchiveGate(endpoint);
    gate.server.listen(0, '127.0.0.1');
    await once(gate.server, 'listening');
    return gate;
  }

  address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Resolves when the next request is held. */
  async held(): Promise<void> {
    await once(this.events, 'held');
  }

  /** Lets everything pass from now on; what was held is cut off. */
  open(): void {
    this.holds = () => undefined;
    this.alter = (content) => content;
    this.server.closeAllConnections();
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const hold = this.holds(incoming);
    if (hold === 'request') return void this.events.emit('held');
    const { method, url, headers } = incoming;
    const forwarded = request(`${this.endpoint}${url}`, { method, headers });
    incoming.pipe(forwarded);
    forwarded.on('error', () => outgoing.destroy());
    const [response] = (await once(forwarded, 'response')) as [IncomingMessage];
    if (hold === 'response') return void this.events.emit('held');
    const content = Buffer.concat((await response.toArray()) as Buffer[]);
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    outgoing.end(method === 'GET' ? this.alter(content) : content);
  }
}
