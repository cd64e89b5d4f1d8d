import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** One request as it came in. */
interface ReceivedWebhook {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The bytes as they came, as text. */
  readonly body: string;
  readonly event: WebhookEvent;
}

/** The envelope of the specification. */
export interface WebhookEvent {
  readonly eventId: string;
  readonly eventType: string;
  readonly occurredAt: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A partner's receiver on 127.0.0.1, which keeps what it gets and responds with 204 unless it is to do otherwise. */
export interface WebhookReceiver {
  readonly url: string;
  readonly received: ReceivedWebhook[];
  /** What it returns from now on. */
  response: { status: number; headers?: Record<string, string> };
  /** What its responses wait for, if anything. */
  held?: Promise<void>;
  /** Waits until so many have come in and returns them. */
  waitFor(count: number): Promise<ReceivedWebhook[]>;
  stop(): Promise<void>;
}

const LIMIT_MS = 20_000;

/** Starts a receiver on a free port. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const { method = '', headers } = request;
      received.push({ method, headers, body, event: JSON.parse(body) as WebhookEvent });
      const respond = (): void =>
        void response.writeHead(receiver.response.status, receiver.response.headers).end();
      if (receiver.held) void receiver.held.then(respond);
      else respond();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    response: { status: 204 },
    waitFor: async (count) => {
      const until = performance.now() + LIMIT_MS;
      while (received.length < count) {
        if (performance.now() > until) throw new Error(`${received.length} of ${count} webhooks came in`);
        await pause(20);
      }
      return received;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

/** The signature the specification has a receiver compute over what came in. */
export function signatureOf({ headers, body }: ReceivedWebhook, secret: string): string {
  const timestamp = String(headers['x-service-timestamp']);
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}
