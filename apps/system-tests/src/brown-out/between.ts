import { createServer } from 'node:net';
import { TcpProxy } from './tcp-proxy';

/** The services that others call, and the vendor. */
export const SERVICES = [
  'identity',
  'orders-saga',
  'scent-commerce',
  'finance',
  'notifier',
  'vendor-simulator',
] as const;

/** Who owns a database; the event bus is one. */
export const DATABASES = [
  'identity',
  'orders-saga',
  'scent-commerce',
  'finance',
  'notifier',
  'event-bus',
] as const;

/** Something that others depend on: a service by its name, its database as `database:finance`. */
export type Part = (typeof SERVICES)[number] | `database:${(typeof DATABASES)[number]}`;

/** A proxy before each service and each database. */
export interface Between {
  /** Makes the local platform go through the proxies. */
  readonly env: Record<string, string>;
  readonly proxies: ReadonlyMap<Part, TcpProxy>;
  stop(): Promise<void>;
}

/** Starts the proxies; what they stand before may come later. */
export async function startBetween(): Promise<Between> {
  const ports = await freePorts(2 * SERVICES.length + DATABASES.length + 1);
  const take = (): number => ports.pop()!;
  const listen: Record<string, number> = { postgres: take() };
  const via: Record<string, number> = {};
  const proxies = new Map<Part, TcpProxy>();
  const stand = (part: Part, upstream: number): void => {
    via[part] = take();
    proxies.set(part, new TcpProxy(via[part], upstream));
  };
  for (const service of SERVICES) stand(service, (listen[service] = take()));
  for (const owner of DATABASES) stand(`database:${owner}`, listen['postgres']!);
  await Promise.all([...proxies.values()].map((proxy) => proxy.listen()));
  return {
    env: { PLATFORM_DETOURS: JSON.stringify({ listen, via }) },
    proxies,
    stop: async () => {
      await Promise.all([...proxies.values()].map((proxy) => proxy.close()));
    },
  };
}

/** Below the range that systems take outgoing ports from: a proxy that refuses gives its port up for a while. */
const LOWEST = 10_000;
const HIGHEST = 15_000;

async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
