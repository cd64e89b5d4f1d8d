import { build } from 'esbuild';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';

const APP = path.join(__dirname, '..');

/** notifier as one file that Node runs, bundled like the real one; `remove` deletes it. */
export async function bundleNotifier(): Promise<{ file: string; remove(): Promise<void> }> {
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

/** notifier as a process of its own. */
export interface NotifierProcess {
  readonly child: ChildProcess;
  /** Ends it without any clean-up; resolves when it is gone. */
  kill(): Promise<void>;
}

export async function spawnNotifier(file: string, env: Record<string, string>): Promise<NotifierProcess> {
  const child = fork(file, [], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'test', LOG_LEVEL: 'fatal', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const ready = once(child, 'message');
  await Promise.race([
    ready,
    ended.then(() => Promise.reject(new Error('notifier ended before it was ready'))),
  ]);
  return {
    child,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
