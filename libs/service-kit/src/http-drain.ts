import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const IDLE_SWEEP_MS = 25;
/** For responses to leave that were given at the last moment. */
const FLUSH_MS = 250;

/** What Node keeps with a connection: the response that is under way on it. */
type ServingSocket = Socket & { _httpMessage?: ServerResponse | null };

/** Ends an HTTP server without losing a request that it has accepted; made before the server listens. */
export class HttpDrain {
  private readonly sockets = new Set<ServingSocket>();
  private isLast = false;

  constructor(
    private readonly server: Server,
    private readonly cutOff?: (response: ServerResponse) => void,
  ) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /**
   * From now on every response, those under way included, has its client open another connection for its next
   * request. Requests are still taken: clients find out one by one, and load balancers at their next look.
   */
  sendAway(): void {
    if (this.isLast) return;
    this.isLast = true;
    this.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
    for (const response of this.underWay()) response.setHeader('connection', 'close');
  }

  /** Takes no more connections; resolves when requests under way have their responses, the late ones by `cutOff` after the grace. */
  close(graceMs: number): Promise<void> {
    return new Promise((resolve) => {
      if (!this.server.listening) {
        resolve();
        return;
      }
      this.sendAway();
      // Clients that keep connections alive would hold the server open until they let go of them.
      const sweep = setInterval(() => this.server.closeIdleConnections(), IDLE_SWEEP_MS);
      let forced: NodeJS.Timeout | undefined;
      const grace = setTimeout(() => {
        if (this.cutOff) for (const response of this.underWay()) this.cutOff(response);
        forced = setTimeout(() => this.server.closeAllConnections(), this.cutOff ? FLUSH_MS : 0);
      }, graceMs);
      this.server.close(() => {
        clearInterval(sweep);
        clearTimeout(grace);
        clearTimeout(forced);
        resolve();
      });
      this.server.closeIdleConnections();
    });
  }

  /** The responses of which nothing has left yet. */
  private underWay(): ServerResponse[] {
    return [...this.sockets].flatMap(({ _httpMessage: response }) =>
      response && !response.headersSent ? [response] : [],
    );
  }
}
