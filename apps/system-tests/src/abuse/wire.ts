import { connect } from 'node:net';

/** What came back on a connection of its own until it ended. */
export interface Reply {
  readonly bytes: Buffer;
  /** closed: by either side, in order. reset: cut off. timeout: still open, and cut off by us. */
  readonly end: 'closed' | 'reset' | 'timeout';
  readonly ms: number;
}

/** Where an edge listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The address of an edge by its url. */
export function addressOf(url: string): Address {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}

/** Sends bytes on a connection of their own and reads until the other side ends it; `hangsUp` says first that no more will come. */
export function sendBytes(
  to: Address,
  bytes: Buffer,
  options: { limitMs: number; hangsUp: boolean },
): Promise<Reply> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const received: Buffer[] = [];
    let end: Reply['end'] = 'closed';
    const socket = connect(to);
    socket.setTimeout(options.limitMs, () => {
      end = 'timeout';
      socket.destroy();
    });
    socket.on('data', (data) => received.push(data));
    // A reset after the response is the edge's way to stop a sender; what was read before it counts.
    socket.on('error', () => (end = end === 'timeout' ? end : 'reset'));
    socket.on('close', () =>
      resolve({ bytes: Buffer.concat(received), end, ms: performance.now() - startedAt }),
    );
    if (options.hangsUp) socket.end(bytes);
    else socket.write(bytes);
  });
}
