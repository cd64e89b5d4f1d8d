import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');

/** Servers of echo as processes, bundled the way apps are. */
export class EchoProcesses {
  private readonly directory = mkdtempSync(path.join(tmpdir(), 'rpc-'));
  private readonly file = path.join(this.directory, 'main.js');
  private readonly children = new Set<ChildProcess>();

  constructor() {
    execFileSync(path.join(root, 'node_modules/.bin/esbuild'), [
      path.join(__dirname, 'echo-main.ts'),
      '--bundle',
      '--platform=node',
      '--format=cjs',
      '--packages=external',
      '--log-level=warning',
      `--tsconfig=${path.join(__dirname, '../tsconfig.json')}`,
      `--outfile=${this.file}`,
    ]);
  }

  /** Starts one that responds with its name; on a port of its choice by default. */
  async start(name: string, port = 0): Promise<EchoProcess> {
    const child = fork(this.file, [], {
      env: { NODE_PATH: path.join(root, 'node_modules'), NAME: name, PORT: String(port) },
    });
    this.children.add(child);
    const [ready] = (await once(child, 'message')) as [{ port: number }];
    return new EchoProcess(child, name, ready.port);
  }

  endAll(): void {
    for (const child of this.children) child.kill('SIGKILL');
    this.children.clear();
  }

  remove(): void {
    this.endAll();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** One of them. */
export class EchoProcess {
  readonly exited: Promise<unknown>;

  constructor(
    private readonly child: ChildProcess,
    readonly name: string,
    readonly port: number,
  ) {
    this.exited = once(child, 'exit');
  }

  tell(what: 'serve' | 'stop serving' | 'drain'): void {
    this.child.send(what);
  }

  /** Resolves when a call has stopped its event loop, for a second and a half. */
  async blocked(): Promise<void> {
    await once(this.child, 'message');
  }

  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    this.child.kill(name);
  }
}
