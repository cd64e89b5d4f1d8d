import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bundleProgram, spawnProgram, type Program } from '@reseller/testing';
import type { Cluster } from './cluster';
import type { Random } from './random';

const LIB = path.join(__dirname, '../..');

/** A program of this folder as one file that Node runs, the storm's by default. */
export const bundleMember = (program = 'member'): Promise<Program> =>
  bundleProgram(LIB, `test/storm/${program}.ts`);

/** A place in the fleet that is filled again whenever its process dies. */
interface Place {
  readonly env: Record<string, string>;
  child: ChildProcess;
  /** On a busy machine a start takes seconds, and what dies before its work shows nothing. */
  isAtWork: boolean;
  isRetired: boolean;
}

/** Real processes, and the faults that befall them. */
export class Fleet {
  private readonly places: Place[] = [];
  private births = 0;
  readonly faults: Record<string, number> = {};
  /** Processes that ended by themselves; none may. */
  readonly crashes: string[] = [];

  constructor(
    private readonly file: string,
    private readonly random: Random,
    private readonly cluster: Cluster,
  ) {}

  add(env: Record<string, string>): void {
    const place = { env, child: this.launch(env), isAtWork: false, isRetired: false };
    this.places.push(place);
    this.watch(place);
  }

  /** Lets one fault happen, whichever the seed says, and resolves when it is over. */
  async strike(): Promise<void> {
    const place = this.random.pick(this.places.filter(({ isAtWork, isRetired }) => isAtWork && !isRetired));
    const dice = this.random.below(10);
    if (!place) return;
    if (dice < 5) {
      this.count('killed');
      place.child.kill('SIGKILL');
    } else if (dice < 8) {
      this.count('stopped');
      // Its leases run out in about half of the cases.
      const { child } = place;
      child.kill('SIGSTOP');
      await pause(200 + this.random.below(1_600));
      child.kill('SIGCONT');
    } else {
      this.count('terminated');
      await this.cluster
        .run(
          'postgres',
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND (pid + $1) % 3 <> 0`,
          [this.random.below(3)],
        )
        .catch(() => undefined);
    }
  }

  /** Ends all processes of a role for good, in the middle of whatever they do. */
  async retire(role?: string): Promise<void> {
    const places = this.places.filter(({ env, isRetired }) => !isRetired && (!role || env['ROLE'] === role));
    const alive = places.filter(({ child }) => !hasEnded(child));
    const ends = alive.map(({ child }) => once(child, 'exit'));
    for (const place of places) {
      place.isRetired = true;
      place.child.kill('SIGKILL');
    }
    await Promise.all(ends);
  }

  private launch(env: Record<string, string>): ChildProcess {
    this.births += 1;
    return spawnProgram(this.file, { ...env, SEED: `${env['SEED']}/${this.births}` });
  }

  private watch(place: Place): void {
    place.isAtWork = false;
    place.child.once('message', () => (place.isAtWork = true));
    place.child.once('exit', (code, signal) => {
      if (signal !== 'SIGKILL') this.crashes.push(`${place.env['ROLE']}: ${code ?? signal}`);
      if (place.isRetired) return;
      place.child = this.launch(place.env);
      this.watch(place);
    });
  }

  private count(fault: string): void {
    this.faults[fault] = (this.faults[fault] ?? 0) + 1;
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;
