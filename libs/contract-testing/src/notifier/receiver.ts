import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../prelude';

/** A request as a partner's receiver got it. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A partner's receiver on loopback, one path a subscription; a path under /refuse/ responds 500. */
export class Receiver {
  private readonly received = new Map<string, Received[]>();
  private readonly server = createServer((request, response) => {
    const path = request.url ?? '';
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const all = this.received.get(path) ?? [];
      this.received.set(path, [...all, { headers: request.headers, body: Buffer.concat(chunks).toString() }]);
      response.writeHead(path.startsWith('/refuse/') ? 500 : 200).end();
    });
  });
  private started: Promise<string> | undefined;

  /** The address, listening from the first time it is read; it does not keep the process alive. */
  url(path: string): Promise<string> {
    this.started ??= new Promise((resolve) =>
      this.server.listen(0, '127.0.0.1', () => {
        this.server.unref();
        resolve(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}`);
      }),
    );
    return this.started.then((origin) => `${origin}${path}`);
  }

  /** What came to a path, once there are so many. */
  got(path: string, count: number): Promise<Received[]> {
    return eventually(() => {
      const all = this.received.get(path) ?? [];
      if (all.length < count) throw new Error(`${all.length} of ${count} requests came to ${path}`);
      return all;
    });
  }
}

/** Whether a request carries the signature that the partners' documentation describes. */
export function isSignedWith(secret: unknown, sent: Received | undefined): boolean {
  const timestamp = String(sent?.headers['x-service-timestamp']);
  const expected = createHmac('sha256', String(secret)).update(`${timestamp}.${sent?.body}`).digest('hex');
  return sent?.headers['x-service-signature'] === `sha256=${expected}`;
}
