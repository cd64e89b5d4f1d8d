import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';

/** A Redis server of a test's own, so that it can be stopped and started. */
export class TestRedis {
  private process: ChildProcess | undefined;
  private constructor(
    readonly port: number,
    private readonly directory: string,
  ) {}

  static async create(): Promise<TestRedis> {
    const redis = new TestRedis(await freePort(), mkdtempSync(path.join(tmpdir(), 'gateway-redis-')));
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const settings = [
      '--port',
      String(this.port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--dir',
      this.directory,
    ];
    this.process = spawn('redis-server', settings, { stdio: 'ignore' });
    const probe = new Redis(this.url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    probe.on('error', () => undefined);
    await probe.ping();
    probe.disconnect();
  }

  /** Stops answering while connections stay open, as a machine that hangs does. */
  freeze(): void {
    this.process?.kill('SIGSTOP');
  }

  async stop(): Promise<void> {
    const { process } = this;
    if (!process || process.exitCode !== null) return;
    const ended = new Promise((resolve) => process.once('exit', resolve));
    process.kill('SIGKILL');
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Why no Redis can be had here; undefined when one can. */
export function redisMissing(): string | undefined {
  const { error } = spawnSync('redis-server', ['--version'], { stdio: 'ignore' });
  return error ? 'redis-server is not on the PATH; install it from the system’s packages' : undefined;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
