import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

const HOST = '127.0.0.1';

/** A stretch of network before a server, with a port of its own to go to instead. */
export class Wire {
  /** How many connections were begun over it. */
  connections = 0;
  /** The sockets, each with the one that it goes on by. */
  private readonly sockets = new Map<Socket, Socket>();
  private isHeld = false;
  private readonly server: Server;

  private constructor(port: number, host: string) {
    this.server = createServer((near) => {
      this.connections += 1;
      const far = connect(port, host);
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        socket.on('error', () => undefined).on('close', () => (this.sockets.delete(socket), other.destroy()));
        this.sockets.set(socket, other);
        if (!this.isHeld) socket.pipe(other);
      }
    });
  }

  /** Lays one to a port, of this machine unless another is named. */
  static async to(port: number, host = HOST): Promise<Wire> {
    const wire = new Wire(port, host);
    await once(wire.server.listen(0, HOST), 'listening');
    return wire;
  }

  /** Where it begins, on this machine. */
  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** The same URL by way of it. */
  over(url: string): string {
    return Object.assign(new URL(url), { hostname: HOST, port: String(this.port) }).href;
  }

  /** What is connected is forgotten, as by a firewall: nothing of it arrives any more, and neither side is notified. */
  forget(): void {
    for (const socket of this.sockets.keys()) socket.unpipe().resume();
  }

  /** Nothing arrives, on connections old and new, until it is released; then all of it does. */
  hold(): void {
    this.isHeld = true;
    for (const socket of this.sockets.keys()) socket.unpipe().pause();
  }

  release(): void {
    this.isHeld = false;
    for (const [socket, other] of this.sockets) socket.pipe(other);
  }

  /** Connections break, and new ones are let through. */
  cut(): void {
    for (const socket of this.sockets.keys()) socket.destroy();
  }

  close(): void {
    this.cut();
    this.server.close();
  }
}
