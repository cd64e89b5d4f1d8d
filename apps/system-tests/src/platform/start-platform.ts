import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readPlatformFile } from './platform-file';
import type { PlatformDescription } from './platform-file';

/** A platform of our own. */
export interface StartedPlatform {
  /** Path of its platform.json. */
  readonly file: string;
  readonly description: PlatformDescription;
  /** Of the process that started all others. */
  readonly pid: number;
  /** From the start of the process until platform.json was there, in milliseconds. */
  readonly readyAfterMs: number;
  /** What the starter has said lately. */
  said(): string;
  /** Stops it and removes its data; rejects when it did not stop cleanly. */
  stop(): Promise<void>;
}

const START_LIMIT_MS = 120_000;

/** Limits out of the way of tests that are not about them. */
const NO_LIMITS = { RATE_LIMIT_TOKEN: '1000000', RATE_LIMIT_DEFAULT: '1000000' };

/** Webhooks may reach receivers of the tests, which listen on this one address. */
const LOCAL_RECEIVERS = { WEBHOOK_ALLOWED_PRIVATE_TARGETS: '127.0.0.1/32' };

/** Where a platform has its data, when that is to be kept, and its bundles, when these are others than those of dist. */
export interface PlatformPlace {
  readonly kept?: string;
  readonly apps?: string;
}

/** Starts a platform on free ports with a data directory of its own; `env` goes to every service. */
export async function startPlatform(
  env: Record<string, string> = {},
  { kept, apps }: PlatformPlace = {},
): Promise<StartedPlatform> {
  const root = findRoot();
  const bundle = path.join(apps ?? path.join(root, 'dist/apps'), 'local-platform/main.js');
  if (!existsSync(bundle)) throw new Error(`${bundle} does not exist: build first (npm test does)`);
  const directory = kept ?? mkdtempSync(path.join(tmpdir(), 'reseller-system-'));
  const file = path.join(directory, 'platform.json');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [bundle], {
    cwd: root,
    // By the channel it notices when this process is gone, and ends.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      PLATFORM_JSON: '',
      GATEWAY_PORT: '0',
      BACKOFFICE_PORT: '0',
      LOG_LEVEL: 'warn',
      NODE_ENV: 'development',
      ...NO_LIMITS,
      ...LOCAL_RECEIVERS,
      ...env,
      PLATFORM_DATA_DIR: directory,
    },
  });
  let said = '';
  const listen = (chunk: Buffer): void => void (said = (said + chunk.toString()).slice(-20_000));
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);

  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    }
    if (kept === undefined && process.env.KEEP_PLATFORM_DATA !== 'true')
      rmSync(directory, { recursive: true, force: true });
    if (child.exitCode !== 0) throw new Error(`the platform stopped with ${child.exitCode}:\n${said}`);
  };
  while (!existsSync(file)) {
    if (child.exitCode !== null)
      throw new Error(`the platform did not start (exit ${child.exitCode}):\n${said}`);
    if (performance.now() - startedAt > START_LIMIT_MS) {
      await stop().catch(() => undefined);
      throw new Error(`the platform is not ready after ${START_LIMIT_MS} ms:\n${said}`);
    }
    await pause(20);
  }
  const readyAfterMs = performance.now() - startedAt;
  const description = readPlatformFile(file);
  return { file, pid: child.pid ?? 0, description, readyAfterMs, said: () => said, stop };
}

/** The workspace's root, whether this runs from source or from a bundle. */
export function findRoot(): string {
  for (let directory = __dirname; ; directory = path.dirname(directory)) {
    if (existsSync(path.join(directory, 'nx.json'))) return directory;
    if (directory === path.dirname(directory)) throw new Error('nx.json is not above this file');
  }
}
