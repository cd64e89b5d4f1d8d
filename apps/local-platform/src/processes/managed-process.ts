import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { explainDeath } from './explain-death';
import { logSize, tailLog } from './log-file';

/** Started again within two seconds whatever happens (spec §13.4), and at once after a first death. */
const FIRST_RESTART_MS = 100;
const MAX_RESTART_MS = 1_500;
/** A process that lived this long is no crash loop. */
const STABLE_MS = 10_000;

/** On a machine with much memory V8 lets garbage pile up to hundreds of MiB; nine processes share a small one here. */
const NODE_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=8',
  '--max-old-space-size=200',
];

/** How a process is started; `env` is read at each start. */
export interface ProcessPlan {
  name: string;
  script: string;
  args?: string[];
  env: () => Record<string, string | undefined>;
  logFile: string;
  /** How long it may take to end after SIGTERM before it is killed. */
  stopMs: number;
  /** It stands for another process and reports that one's pid by itself. */
  reportsOwnPid?: boolean;
}

/** What the owner of the processes hears of one. */
interface ProcessEvents {
  /** A new process is running under this pid. */
  onSpawn: (name: string, pid: number) => void;
  /** It ended although nobody stopped it, and is about to be started again. */
  onDeath: (name: string, how: string, lastLines: string[]) => void;
}

type ChildMessage = { event?: string; pid?: number };

/** A child with an IPC channel that is started again for as long as it is wanted; it ends when this process does. */
export class ManagedProcess {
  private child: ChildProcess | undefined;
  private wanted = false;
  private deaths = 0;
  private readyCount = 0;
  private waiters: (() => void)[] = [];

  constructor(
    readonly plan: ProcessPlan,
    private readonly events: ProcessEvents,
  ) {}

  get name(): string {
    return this.plan.name;
  }

  /** How often it has died since the start. */
  get deathCount(): number {
    return this.deaths;
  }

  /** Resolves when the process has said for the first time that it is ready. */
  start(): Promise<void> {
    this.wanted = true;
    this.spawn(FIRST_RESTART_MS);
    return this.untilReady();
  }

  /** Ends it for good; resolves when it is gone, at the latest some time after the plan's stopMs. */
  async stop(): Promise<void> {
    this.wanted = false;
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const kill = setTimeout(() => child.kill('SIGKILL'), this.plan.stopMs);
    await exited;
    clearTimeout(kill);
  }

  private untilReady(): Promise<void> {
    return this.readyCount > 0 ? Promise.resolve() : new Promise((resolve) => this.waiters.push(resolve));
  }

  private spawn(nextRestartMs: number): void {
    if (!this.wanted) return;
    const { script, args = [], env, logFile } = this.plan;
    const startedAt = Date.now();
    const offset = logSize(logFile);
    const log = openSync(logFile, 'a', 0o600);
    const child = fork(script, args, {
      env: env(),
      execArgv: NODE_FLAGS,
      stdio: ['ignore', log, log, 'ipc'],
      // A group of its own: Ctrl-C at the console reaches the starter alone, which then stops all in order.
      detached: true,
    });
    closeSync(log);
    this.child = child;
    child.on('message', (message: ChildMessage) => this.hear(message));
    if (child.pid && !this.plan.reportsOwnPid) this.events.onSpawn(this.name, child.pid);
    let ended = false;
    const end = (how: string): void => {
      if (ended) return;
      ended = true;
      if (!this.wanted) return;
      this.deaths += 1;
      const waitMs = Date.now() - startedAt > STABLE_MS ? FIRST_RESTART_MS : nextRestartMs;
      this.events.onDeath(this.name, how, explainDeath(tailLog(logFile, offset)));
      setTimeout(() => this.spawn(Math.min(waitMs * 2, MAX_RESTART_MS)), waitMs);
    };
    child.on('error', (error) => end(error.message));
    child.on('exit', (code, signal) => end(signal ?? `exit code ${code}`));
  }

  private hear(message: ChildMessage): void {
    if (message.event === 'spawned' && message.pid) this.events.onSpawn(this.name, message.pid);
    if (message.event !== 'ready') return;
    this.readyCount += 1;
    for (const waiter of this.waiters.splice(0)) waiter();
  }
}
