import { fork, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from 'undici';

/** The arguments that make this bundle the receiver, and the client that posts in a loop. */
export const RECEIVER_ROLE = 'webhook-receiver';
export const POSTER_ROLE = 'webhook-poster';

/** What a receiver has seen since it was last asked. */
export interface ReceiverReport {
  readonly count: number;
  /** Milliseconds since the epoch; 0 when nothing came. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** From occurredAt to the receipt, in milliseconds. */
  readonly delays: readonly number[];
}

/** What the poster is to do. */
export interface PosterPlan {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly connections: number;
  readonly seconds: number;
}

/** A receiver that responds with 200; what comes under /hang is never answered. Tells its port first, then a report when asked. */
export function serveReceiver(): void {
  let [count, firstAt, lastAt]: number[] = [0, 0, 0];
  let delays: number[] = [];
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
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('message', () => {
    process.send?.({ count, firstAt, lastAt, delays } as ReceiverReport);
    [count, firstAt, lastAt] = [0, 0, 0];
    delays = [];
  });
  process.once('disconnect', () => process.exit(0));
}

/** Posts the same bytes over and over on each of its connections, and tells how many were answered. */
export function servePoster(): void {
  process.once('message', (plan: PosterPlan) => {
    void postRepeatedly(plan).then((result) => process.send?.(result, () => process.exit(0)));
  });
}

async function postRepeatedly(plan: PosterPlan): Promise<{ count: number; seconds: number }> {
  const { origin, headers, body, connections, seconds } = plan;
  const startedAt = performance.now();
  const until = startedAt + seconds * 1_000;
  let count = 0;
  const options = { path: '/hook', method: 'POST', headers, body } as const;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client(origin);
      while (performance.now() < until) {
        const response = await client.request(options);
        await response.body.dump();
        count += 1;
      }
      await client.close();
    }),
  );
  return { count, seconds: (performance.now() - startedAt) / 1_000 };
}

/** The receiver in a process of its own; it ends with `stop` or with this process. */
export async function startReceiver(): Promise<{
  origin: string;
  report(): Promise<ReceiverReport>;
  stop(): void;
}> {
  const child = fork(__filename, [RECEIVER_ROLE]);
  const port = await nextMessage<number>(child);
  return {
    origin: `http://127.0.0.1:${port}`,
    report: () => {
      child.send('report');
      return nextMessage<ReceiverReport>(child);
    },
    stop: () => void child.kill(),
  };
}

/** Runs the poster once, in a process of its own as notifier is. */
export async function runPoster(plan: PosterPlan): Promise<{ count: number; seconds: number }> {
  const child = fork(__filename, [POSTER_ROLE]);
  child.send(plan);
  return nextMessage(child);
}

/** The next message of a process; rejects when it ends instead. */
export function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`a process ended early (exit ${code})`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as T);
    });
  });
}
