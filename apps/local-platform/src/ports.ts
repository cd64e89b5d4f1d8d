import { createServer, type Server } from 'node:net';
import { StartRefused } from './settings';

const HOST = '127.0.0.1';
/** Below the range that systems take outgoing ports from, so that a port stays free for the restart of its service. */
const LOWEST = 15_000;
const HIGHEST = 32_000;
/** Ports are chosen by the block; a block's first port is its lock. */
const BLOCK = 50;

function tryListen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(undefined));
    server.listen(port, HOST, () => resolve(server));
  });
}

const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

async function isFree(port: number): Promise<boolean> {
  const server = await tryListen(port);
  if (server) await close(server);
  return server !== undefined;
}

/**
 * As many different free loopback ports. They are of blocks that no other platform chooses from while this process lives, so two
 * that start at the same time do not take each other's ports before their services listen.
 */
export async function chooseFreePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let tries = 0; ports.length < count; tries += 1) {
    if (tries > 2_000)
      throw new StartRefused('no free ports on 127.0.0.1; end some programs and start again');
    const first = LOWEST + BLOCK * Math.floor((Math.random() * (HIGHEST - LOWEST)) / BLOCK);
    const lock = await tryListen(first);
    lock?.unref();
    for (let port = first + 1; lock && port < first + BLOCK && ports.length < count; port += 1)
      if (await isFree(port)) ports.push(port);
  }
  return ports;
}

/** Throws StartRefused naming the port and the variable when the port cannot be listened on. */
export async function requireFreePort(port: number, variable: string): Promise<void> {
  if (!(await isFree(port)))
    throw new StartRefused(`port ${port} on ${HOST} is taken or not allowed: set ${variable} to a free port`);
}
