import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '@reseller/testing';
import { APP_NAMES, type AppName } from '../src/app-names';
import { ROOT } from './settings';

/** Makes the bundle of every app in a folder outside of the clone, where no node_modules above helps out. */
export function makeBundles() {
  const directory = mkdtempSync(path.join(tmpdir(), 'bundles-'));
  for (const app of APP_NAMES) {
    const args = ['deploy/bundle/bundle.mjs', app, '--link', '--out', path.join(directory, app)];
    const result = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
    if (result.status !== 0) throw new Error(`bundling ${app} failed: ${result.stdout}${result.stderr}`);
  }
  return {
    folder: (app: AppName): string => path.join(directory, app),
    files: (app: AppName): string[] =>
      readdirSync(path.join(directory, app), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(path.join(directory, app), path.join(entry.parentPath, entry.name))),
    remove: (): void => rmSync(directory, { recursive: true, force: true }),
  };
}

/** A file of a bundle running as the container would run it: its own folder, its own environment, nothing inherited. */
export function runInBundle(folder: string, args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  return { ended, output: () => output, kill: (signal: NodeJS.Signals) => child.kill(signal), child };
}

/** Waits until a process that serves health on `port` is ready; fails with its output when it is not, or ends instead. */
export async function awaitReady(running: ReturnType<typeof runInBundle>, port: number): Promise<void> {
  await eventually(
    async () => {
      if (running.child.exitCode !== null) throw new Error(`it ended: ${running.output()}`);
      const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
      if (response?.status !== 200)
        throw new Error(
          `not ready: ${(await response?.text()) ?? 'it does not listen'}\n${running.output()}`,
        );
    },
    { timeoutMs: 90_000 },
  );
}
