import { build } from 'esbuild';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';

/** A program as one file that Node runs; `remove` deletes it. */
export interface Program {
  readonly file: string;
  remove(): Promise<void>;
}

/** Bundles a program of a project the way apps are; `project` is the folder that has its tsconfig.json. */
export async function bundleProgram(project: string, entry: string): Promise<Program> {
  // Below the project, so that packages are found where the project finds them.
  await mkdir(path.join(project, 'dist'), { recursive: true });
  const folder = await mkdtemp(path.join(project, 'dist', 'test-'));
  const file = path.join(folder, 'main.js');
  await build({
    entryPoints: [path.join(project, entry)],
    outfile: file,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    packages: 'external',
    tsconfig: path.join(project, 'tsconfig.json'),
    logLevel: 'warning',
  });
  return { file, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Bundles a service with its migrations beside it. */
export async function bundleService(app: string): Promise<Program> {
  const program = await bundleProgram(app, 'src/main.ts');
  const migrations = path.join(path.dirname(program.file), 'migrations');
  await cp(path.join(app, 'prisma/migrations'), migrations, { recursive: true });
  return program;
}

/** Runs a program with this environment and nothing else of ours but the PATH; its errors go to ours. */
export function spawnProgram(file: string, env: Record<string, string>): ChildProcess {
  return fork(file, [], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** A service as a process of its own. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  readonly grpcPort: number;
  /** Resolves with the signal that ended it. */
  readonly ended: Promise<string | null>;
  /** Ends it without any clean-up; resolves when it is gone. */
  kill(): Promise<void>;
}

/** Runs a service until it says that it is ready; rejects when it ends before. */
export async function spawnService(file: string, env: Record<string, string>): Promise<ServiceProcess> {
  const child = spawnProgram(file, { NODE_ENV: 'test', LOG_LEVEL: 'fatal', ...env });
  const ended = once(child, 'exit').then(([, signal]) => signal as string | null);
  const ready = once(child, 'message').then(([message]) => message as { grpcPort: number });
  const { grpcPort } = await Promise.race([
    ready,
    ended.then(() => Promise.reject(new Error('the service ended before it was ready'))),
  ]);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return { child, grpcPort, ended, kill };
}
