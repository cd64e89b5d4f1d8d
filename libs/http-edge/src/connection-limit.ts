import type { Server, Socket } from 'node:net';
import { callerNetwork, isLoopback } from './caller-network';

interface ConnectionLimitOptions {
  /** Of one address, or of one /64; 0 for no limit. */
  readonly most: number;
  /** A proxy's connections are its callers'. */
  readonly isProxy: (address: string) => boolean;
  /** Is called for each connection that is closed. */
  readonly refused: () => void;
}

/** Closes what an address opens past its limit; this machine's own addresses and trusted proxies have none (spec §14.3). */
export function limitConnections(server: Server, { most, isProxy, refused }: ConnectionLimitOptions): void {
  if (most === 0) return;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address } = socket;
    if (isLoopback(address) || (address !== undefined && isProxy(address))) return;
    const network = callerNetwork(address);
    const count = (open.get(network) ?? 0) + 1;
    if (count > most) {
      refused();
      socket.destroy();
      return;
    }
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}
