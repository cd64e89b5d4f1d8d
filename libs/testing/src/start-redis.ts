import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port';

/** A Redis server of a test's own, at the same address through all its lives. */
export interface TestRedis {
  url: string;
  /** Ends it without warning, as SIGKILL does; what it held is gone. */
  kill(): Promise<void>;
  /** Brings it back after `kill`; resolves when it responds. */
  start(): Promise<void>;
  /** Stops it answering while connections stay open, as a machine that hangs does. */
  freeze(): void;
  /** Lets it answer again after `freeze`. */
  thaw(): void;
  /** Ends it for good. */
  remove(): Promise<void>;
}

const IMAGE = 'redis:8-alpine';
const READY_LIMIT_MS = 60_000;

const canRun = (command: string, args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore', timeout: 5_000 }).status === 0;

/** Why `startRedis` would fail here; undefined when it would not. */
export function redisMissing(): string | undefined {
  const isThere = canRun('docker', ['info']) || canRun('redis-server', ['--version']);
  return isThere ? undefined : 'neither does Docker respond nor is redis-server on the PATH';
}

/**
 * Starts a server for a test that needs one of its own, such as one that kills it: a container where Docker responds,
 * else redis-server of the PATH. Rejects with what is missing where there is neither.
 */
export async function startRedis(): Promise<TestRedis> {
  const missing = redisMissing();
  if (missing) throw new Error(missing);
  const port = await freePort();
  const server = canRun('docker', ['info']) ? await inDocker(port) : onThisMachine(port);
  await server.start();
  return { url: `redis://127.0.0.1:${port}`, ...server };
}

type Server = Omit<TestRedis, 'url'>;

function onThisMachine(port: number): Server {
  const directory = mkdtempSync(path.join(tmpdir(), 'reseller-redis-'));
  let child: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const endWithUs = (): void => void child?.kill('SIGKILL');
  process.once('exit', endWithUs);
  return {
    kill,
    start: async () => {
      const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', directory];
      child = spawn('redis-server', settings, { stdio: 'ignore' });
      await untilReady(port);
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    remove: async () => {
      process.off('exit', endWithUs);
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function inDocker(port: number): Promise<Server> {
  const { GenericContainer } = await import('testcontainers');
  const container = await new GenericContainer(IMAGE)
    .withExposedPorts({ container: 6379, host: port })
    .withCommand(['redis-server', '--save', ''])
    .start();
  const docker = (...args: string[]): void => {
    const { status, stderr } = spawnSync('docker', [...args, container.getId()], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`docker ${args.join(' ')}: ${stderr}`);
  };
  return {
    kill: () => Promise.resolve(docker('kill')),
    start: async () => {
      docker('start');
      await untilReady(port);
    },
    freeze: () => docker('pause'),
    thaw: () => docker('unpause'),
    remove: async () => {
      await container.stop();
    },
  };
}

async function untilReady(port: number): Promise<void> {
  const until = performance.now() + READY_LIMIT_MS;
  while (!(await pings(port))) {
    if (performance.now() > until) throw new Error('Redis for tests does not respond');
    await pause(20);
  }
}

function pings(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const end = (pong: boolean): void => {
      socket.destroy();
      resolve(pong);
    };
    socket.setTimeout(1_000, () => end(false));
    socket.on('data', (data) => end(data.toString().startsWith('+PONG')));
    socket.on('error', () => end(false));
  });
}
