import { build } from 'esbuild';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { connect, type Clients } from './start-orders';

const APP = path.join(__dirname, '..');

/** orders-saga as one file that Node runs, bundled like the real one; `remove` deletes it. */
export async function bundleOrders(): Promise<{ file: string; remove(): Promise<void> }> {
  // Below the app, so that packages are found where the app finds them.
  await mkdir(path.join(APP, 'dist'), { recursive: true });
  const folder = await mkdtemp(path.join(APP, 'dist', 'test-'));
  const file = path.join(folder, 'main.js');
  await build({
    entryPoints: [path.join(APP, 'src/main.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    packages: 'external',
    tsconfig: path.join(APP, 'tsconfig.json'),
    logLevel: 'warning',
  });
  await cp(path.join(APP, 'prisma/migrations'), path.join(folder, 'migrations'), { recursive: true });
  return { file, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** orders-saga as a process of its own. */
export interface OrdersProcess extends Clients {
  readonly child: ChildProcess;
  /** Resolves with the signal that ended it. */
  readonly ended: Promise<string | null>;
  stop(): Promise<void>;
}

export async function spawnOrders(file: string, env: Record<string, string>): Promise<OrdersProcess> {
  const child = fork(file, [], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'test', LOG_LEVEL: 'fatal', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([, signal]) => signal as string | null);
  const ready = once(child, 'message').then(([message]) => message as { grpcPort: number });
  const { grpcPort } = await Promise.race([
    ready,
    ended.then(() => Promise.reject(new Error('orders-saga ended before it was ready'))),
  ]);
  const clients = connect(`127.0.0.1:${grpcPort}`);
  return {
    ...clients,
    child,
    ended,
    async stop() {
      for (const client of Object.values(clients)) client.close();
      child.kill('SIGKILL');
      await ended;
    },
  };
}
