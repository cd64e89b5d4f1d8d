import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectSecurely } from 'node:tls';
import type { CertificatePaths } from './certificate-authority';
import { freePort } from './free-port';

/** A Redis server of a test's own, at the same address through all its lives. */
export interface TestRedis {
  url: string;
  /** Ends it without warning, as SIGKILL does; what it held is gone. */
  kill(): Promise<void>;
  /** Brings it back after `kill`; resolves when it responds. */
  start(): Promise<void>;
  /** Stops its responses while connections stay open, as a machine that hangs does. */
  freeze(): void;
  /** Lets it respond again after `freeze`. */
  thaw(): void;
  /** Ends it for good. */
  remove(): Promise<void>;
}

/** More of a server, which then is redis-server of the PATH: the lines of an ACL file, and a certificate for TLS alone. */
interface TestRedisOptions {
  users?: string;
  tls?: CertificatePaths;
}

const IMAGE = 'redis:8.8.0-alpine@sha256:9d317178eceac8454a2284a9e6df2466b93c745529947f0cd42a0fa9609d7005';
const READY_LIMIT_MS = 60_000;

const canRun = (command: string, args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore', timeout: 5_000 }).status === 0;

/** Why `startRedis` would fail here; undefined when it would not. */
export function redisMissing(options: TestRedisOptions = {}): string | undefined {
  if (isSpecial(options))
    return canRun('redis-server', ['--version']) ? undefined : 'redis-server is not on the PATH';
  const isThere = canRun('docker', ['info']) || canRun('redis-server', ['--version']);
  return isThere ? undefined : 'neither does Docker respond nor is redis-server on the PATH';
}

/**
 * Starts a server for a test that needs one of its own, such as one that kills it: a container where Docker responds,
 * else redis-server of the PATH. Rejects with what is missing where there is neither.
 */
export async function startRedis(options: TestRedisOptions = {}): Promise<TestRedis> {
  const missing = redisMissing(options);
  if (missing) throw new Error(missing);
  const port = await freePort();
  const isLocal = isSpecial(options) || !canRun('docker', ['info']);
  const server = isLocal ? onThisMachine(port, options) : await inDocker(port);
  await server.start();
  return { url: options.tls ? `rediss://localhost:${port}` : `redis://127.0.0.1:${port}`, ...server };
}

const isSpecial = ({ users, tls }: TestRedisOptions): boolean => Boolean(users ?? tls);

function settingsOf(port: number, { users, tls }: TestRedisOptions, directory: string): string[] {
  const settings = ['--bind', '127.0.0.1', '--save', '', '--dir', directory];
  if (users) {
    const file = path.join(directory, 'users.acl');
    writeFileSync(file, users);
    settings.push('--aclfile', file);
  }
  if (!tls) return [...settings, '--port', String(port)];
  settings.push('--tls-cert-file', tls.certFile, '--tls-key-file', tls.keyFile);
  settings.push('--tls-ca-cert-file', tls.caFile, '--tls-auth-clients', 'no');
  return [...settings, '--port', '0', '--tls-port', String(port)];
}

type Server = Omit<TestRedis, 'url'>;

function onThisMachine(port: number, options: TestRedisOptions): Server {
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
      child = spawn('redis-server', settingsOf(port, options, directory), { stdio: 'ignore' });
      await untilReady(port, options.tls !== undefined);
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

async function untilReady(port: number, isSecure = false): Promise<void> {
  const until = performance.now() + READY_LIMIT_MS;
  while (!(await pings(port, isSecure))) {
    if (performance.now() > until) throw new Error('Redis for tests does not respond');
    await pause(20);
  }
}

/** One that wants to know who comes is there as well. */
function pings(port: number, isSecure: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const ping = (): unknown => socket.write('PING\r\n');
    const socket = isSecure
      ? connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false }, ping)
      : connect(port, '127.0.0.1', ping);
    const end = (pong: boolean): void => {
      socket.destroy();
      resolve(pong);
    };
    socket.setTimeout(1_000, () => end(false));
    socket.on('data', (data) => end(/^(\+PONG|-NOAUTH)/.test(data.toString())));
    socket.on('error', () => end(false));
  });
}
