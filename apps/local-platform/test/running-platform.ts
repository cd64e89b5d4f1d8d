import { commandOf } from '@reseller/local-postgres';
import { eventually } from '@reseller/testing';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PlatformDescription } from '../src/platform-file';

const root = path.resolve(__dirname, '../../..');
const bundle = path.join(root, 'dist/apps/local-platform/main.js');
export const START_LIMIT_MS = 90_000;

const directories: string[] = [];

/** A data directory of the test's own; removed by removeDataDirectories. */
export function newDataDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'platform-'));
  directories.push(directory);
  return directory;
}

export function removeDataDirectories(): void {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
}

/** Starts the built platform as `npm start` does, on free ports by default. */
export function launch(dataDirectory: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [bundle], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      GATEWAY_PORT: '0',
      BACKOFFICE_PORT: '0',
      PLATFORM_DATA_DIR: dataDirectory,
      RATE_LIMIT_DEFAULT: '100000',
      RATE_LIMIT_TOKEN: '100000',
      ...env,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  const file = path.join(dataDirectory, 'platform.json');
  const read = (): PlatformDescription => JSON.parse(readFileSync(file, 'utf8')) as PlatformDescription;
  return {
    file,
    read,
    exited,
    output: () => output,
    starterPid: child.pid ?? 0,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** As when the process that started it dies. */
    letGo: () => child.disconnect(),
    async ready(): Promise<PlatformDescription> {
      await eventually(
        () => {
          if (child.exitCode !== null) throw new Error(`the platform ended:\n${output}`);
          if (!existsSync(file)) throw new Error(`not ready:\n${output}`);
          if (!output.includes('A first call')) throw new Error('nothing printed');
        },
        { timeoutMs: START_LIMIT_MS },
      );
      return read();
    },
    async stop(): Promise<number | NodeJS.Signals | null> {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT');
      return exited;
    },
  };
}

export type RunningPlatform = ReturnType<typeof launch>;

/** The pids out of a list under which something still runs. */
export const alive = (pids: number[]): number[] => pids.filter((pid) => commandOf(pid) !== undefined);

/** A partner's available balance, requested as the partner would. */
export async function balanceOf(platform: PlatformDescription, name: string): Promise<number | string> {
  const partner = platform.partners.find((one) => one.name === name);
  if (!partner) throw new Error(`no partner ${name}`);
  const post = await fetch(`${platform.gatewayUrl}/api/v1/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(partner.credentials.sandbox),
  });
  const token = (await post.json()) as { state: string; payload: { accessToken: string } | null };
  if (!token.payload) return token.state;
  const get = await fetch(`${platform.gatewayUrl}/api/v1/wallet/balance`, {
    headers: { authorization: `Bearer ${token.payload.accessToken}` },
  });
  const balance = (await get.json()) as { state: string; payload: { availableBalance: number } | null };
  return balance.payload?.availableBalance ?? balance.state;
}
