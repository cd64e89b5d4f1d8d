import { createServer, type Server } from 'node:net';
import { StartRefused } from './settings';

const HOST = '127.0.0.1';
/** Below the range that systems take outgoing ports from, so that a port stays free for the restart of its service. */
const LOWEST = 15_000;
const HIGHEST = 32_000;

function tryListen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, HOST, () => resolve(server));
  });
}

const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/** As many different free loopback ports; all are held while they are chosen, and free again when answered. */
export async function chooseFreePorts(count: number): Promise<number[]> {
  const held: { port: number; server: Server }[] = [];
  for (let tries = 0; held.length < count; tries += 1) {
    if (tries > 2_000)
      throw new StartRefused('no free ports on 127.0.0.1; end some programs and start again');
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    const server = await tryListen(port);
    if (server) held.push({ port, server });
  }
  await Promise.all(held.map(({ server }) => close(server)));
  return held.map(({ port }) => port);
}

/** Throws StartRefused naming the port and the variable when the port cannot be listened on. */
export async function requireFreePort(port: number, variable: string): Promise<void> {
  const server = await tryListen(port);
  if (!server) {
    throw new StartRefused(`port ${port} on ${HOST} is taken or not allowed: set ${variable} to a free port`);
  }
  await close(server);
}
