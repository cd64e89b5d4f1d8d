import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** One request as the receiver got it. */
export interface Received {
  path: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
  at: number;
}

type Behaviour = (received: Received, response: ServerResponse, socket: Socket) => void;

/** A partner's receiver; responds 200 unless `behaviour` says otherwise. */
export class Receiver {
  readonly received: Received[] = [];
  inFlight = 0;
  mostInFlight = 0;
  behaviour: Behaviour = (_received, response) => void response.end('ok');
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(behaviour?: Behaviour): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    if (behaviour) receiver.behaviour = behaviour;
    server.on('request', (request, response) => receiver.take(request, response));
    server.on('connection', (socket) => {
      receiver.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => receiver.sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path = '/hook'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** How many connections are open. */
  get connections(): number {
    return this.sockets.size;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    response.once('close', () => (this.inFlight -= 1));
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const received = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks),
        at: performance.now(),
      };
      this.received.push(received);
      this.behaviour(received, response, request.socket);
    });
  }
}

/** Whether the request is signed with the secret, as a receiver would check it. */
export function isSignedWith(secret: string, { headers, body }: Received): boolean {
  const timestamp = String(headers['x-service-timestamp']);
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  const isRecent = Math.abs(Date.now() / 1_000 - Number(timestamp)) < 300;
  return isRecent && headers['x-service-signature'] === `sha256=${expected}`;
}
