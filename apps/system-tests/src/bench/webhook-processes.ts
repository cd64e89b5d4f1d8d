import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from 'undici';
import { nextMessage, runRole, startRole } from './role-process';

/** The arguments that make this bundle the receiver, and the client that posts in a loop. */
export const RECEIVER_ROLE = 'webhook-receiver';
export const POSTER_ROLE = 'webhook-poster';

const WARM_UP_MS = 2_000;

/** What a receiver has seen since its last report. */
interface ReceiverReport {
  readonly count: number;
  /** Milliseconds since the epoch; 0 when nothing came. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** The most connections that were open at once. */
  readonly connections: number;
  /** From occurredAt to the receipt, in milliseconds. */
  readonly delays: readonly number[];
}

/** What the poster is to do. */
interface PosterPlan {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly connections: number;
  readonly seconds: number;
}

/** A receiver that responds with 200; what comes under /hang gets no response. Sends its port first, then a report on request. */
export function serveReceiver(): void {
  let [count, firstAt, lastAt]: number[] = [0, 0, 0];
  let delays: number[] = [];
  let [open, connections] = [0, 0];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/hang') return;
      response.end();
      lastAt = Date.now();
      firstAt ||= lastAt;
      count = (count ?? 0) + 1;
      if (request.url !== '/timed') return;
      const { occurredAt } = JSON.parse(Buffer.concat(chunks).toString()) as { occurredAt: string };
      delays.push(lastAt - Date.parse(occurredAt));
    });
  });
  server.on('connection', (socket) => {
    open += 1;
    connections = Math.max(connections, open);
    socket.once('close', () => (open -= 1));
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('message', (message) => {
    if (message !== 'report') return;
    process.send?.({ count, firstAt, lastAt, connections, delays } as ReceiverReport);
    connections = open;
    [count, firstAt, lastAt] = [0, 0, 0];
    delays = [];
  });
  process.once('disconnect', () => process.exit(0));
}

/** Posts the same bytes over and over on each of its connections, one request at a time, and reports how many got a response. */
export function servePoster(): void {
  process.once('message', (plan: PosterPlan) => {
    void postRepeatedly(plan).then((result) => process.send?.(result, () => process.exit(0)));
  });
}

async function postRepeatedly(plan: PosterPlan): Promise<{ count: number; seconds: number }> {
  const { origin, headers, body, connections, seconds } = plan;
  const options = { path: '/hook', method: 'POST', headers, body } as const;
  const clients = Array.from({ length: connections }, () => new Client(origin, { pipelining: 1 }));
  const post = async (until: number): Promise<number> => {
    const counts = await Promise.all(
      clients.map(async (client) => {
        let count = 0;
        while (performance.now() < until) {
          const response = await client.request(options);
          await response.body.dump();
          count += 1;
        }
        return count;
      }),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  };
  // Beforehand, as notifier's connections are open and its code is compiled.
  await post(performance.now() + WARM_UP_MS);
  const startedAt = performance.now();
  const count = await post(startedAt + seconds * 1_000);
  const took = (performance.now() - startedAt) / 1_000;
  await Promise.all(clients.map((client) => client.close()));
  return { count, seconds: took };
}

/** The receiver in a process of its own; it ends with `stop` or with this process. */
export async function startReceiver(): Promise<{
  origin: string;
  report(): Promise<ReceiverReport>;
  stop(): void;
}> {
  const { url, child, stop } = await startRole(RECEIVER_ROLE);
  return {
    origin: url,
    report: () => {
      child.send('report');
      return nextMessage<ReceiverReport>(child);
    },
    stop,
  };
}

/** Runs the poster once, in a process of its own as notifier is. */
export const runPoster = (plan: PosterPlan): Promise<{ count: number; seconds: number }> =>
  runRole(POSTER_ROLE, plan);
