import pino, { type Logger } from 'pino';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { z } from 'zod';
import {
  createEdgeServer,
  edgeConfig,
  Observer,
  type ApplicationPage,
  type Edge,
  type EdgeRoute,
  type Page,
} from '../src';

/** What a line of the log says. */
export interface Logged {
  requestId?: string;
  level: number;
  err?: { message: string };
}

/** An edge on a port of its own. */
export class RunningEdge {
  readonly logged: Logged[] = [];
  readonly metrics = new Registry();
  readonly log: Logger = pino(
    { level: 'info' },
    { write: (line) => void this.logged.push(JSON.parse(line)) },
  );
  server!: Server;
  port!: number;

  /** Sends a request; what has come back, a body of JSON parsed. */
  async send(target: string, init: RequestInit = {}) {
    const response = await fetch(`http://127.0.0.1:${this.port}${target}`, { redirect: 'manual', ...init });
    const text = await response.text();
    const body = text.startsWith('{') ? (JSON.parse(text) as { state: string; details: object }) : undefined;
    return { status: response.status, headers: response.headers, text, state: body?.state, body };
  }

  /** Writes bytes and reads until the other side closes. */
  raw(bytes: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, '127.0.0.1');
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.on('error', reject);
      socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
      socket.write(bytes);
    });
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

interface StartOptions {
  pages?: (edge: RunningEdge) => Iterable<[string, Page]>;
  applications?: ApplicationPage[];
  /** As in the environment. */
  settings?: Record<string, string>;
}

/** Starts an edge; whoever does closes it. */
export async function startEdge<Route extends EdgeRoute>(
  edge: Edge<Route>,
  { pages = () => [], applications = [], settings = {} }: StartOptions = {},
): Promise<RunningEdge> {
  const running = new RunningEdge();
  running.server = createEdgeServer({
    edge,
    pages: new Map(pages(running)),
    applications,
    observer: new Observer(running.metrics, running.log, 'faults'),
    connections: z.object(edgeConfig).parse(settings),
  });
  await new Promise<void>((resolve) => running.server.listen(0, '127.0.0.1', resolve));
  running.port = (running.server.address() as AddressInfo).port;
  return running;
}
