import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { bundleProgram, type Program } from '@reseller/testing';

interface Message {
  event: string;
  grpcPort: number;
  httpPort: number;
  appPort: number;
}

/** The fixture bundled the way apps are, and its processes. */
export class Fixture {
  private readonly children: ChildService[] = [];

  private constructor(private readonly program: Program) {}

  static async bundle(): Promise<Fixture> {
    return new Fixture(await bundleProgram(path.join(__dirname, '..'), 'test/fixture-service.ts'));
  }

  start(env: Record<string, string> = {}): ChildService {
    const child = new ChildService(this.program.file, env);
    this.children.push(child);
    return child;
  }

  endAll(): void {
    for (const child of this.children.splice(0)) child.process.kill('SIGKILL');
  }

  remove(): Promise<void> {
    return this.program.remove();
  }
}

/** One process of the fixture. */
class ChildService {
  readonly process: ChildProcess;
  readonly exited: Promise<number | null>;
  private output = '';
  private errors = '';
  private readonly heard: Message[] = [];

  constructor(file: string, env: Record<string, string>) {
    this.process = fork(file, [], {
      env: { NODE_ENV: 'test', SIGNING_SECRET: 'long enough', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.process.stdout?.on('data', (data) => (this.output += String(data)));
    this.process.stderr?.on('data', (data) => (this.errors += String(data)));
    this.process.on('message', (message) => this.heard.push(message as Message));
    // Not "close": it never comes when the parent closed the channel.
    const ends = [this.process.stdout, this.process.stderr].map((stream) => stream && once(stream, 'end'));
    this.exited = Promise.all([once(this.process, 'exit'), ...ends]).then(
      ([[code]]) => code as number | null,
    );
  }

  /** Resolves with the message once it has come so many times; rejects when the process ends without it. */
  async message(event: string, times = 1): Promise<Message> {
    for (;;) {
      const found = this.heard.filter((message) => message.event === event)[times - 1];
      if (found) return found;
      const ended = await Promise.race([
        once(this.process, 'message').then(() => false),
        this.exited.then(() => true),
      ]);
      if (ended) throw new Error(`the process ended without "${event}":\n${this.output}${this.errors}`);
    }
  }

  lines(): { event?: string; msg: string; level: number }[] {
    return this.output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { event?: string; msg: string; level: number });
  }

  errorLines(): string[] {
    return this.errors.split('\n').filter((line) => line !== '');
  }
}
