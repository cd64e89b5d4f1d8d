import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ReconciliationCheck } from './check';
import { exclusively } from '../exclusive';
import { reconciliationMetrics, type ReconciliationMetrics } from './metrics';
import { shareOfPass, type Pace } from './pace';
import { ReconciliationRepository, type CheckState } from './reconciliation.repository';
import type { SessionPool } from '../session-pool';

/** What a reconciler is made of. */
export interface ReconcilerDeps {
  readonly pool: Pool;
  /** Where a run holds its check's lock, and compares. */
  readonly sessions: SessionPool;
  readonly checks: readonly ReconciliationCheck[];
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly metrics?: Registry | undefined;
}

/** What a run came to for one check. */
export interface CheckRun {
  readonly check: string;
  /** Subjects compared in this run. */
  readonly compared: number;
  /** Whether a pass through all subjects ended in this run, or had ended that started at `since` or later. */
  readonly isComplete: boolean;
  readonly openDifferences: number;
  /** When the last complete pass ended. */
  readonly completedAt?: Date | undefined;
  /** Why the check could not be carried on. */
  readonly failure?: string | undefined;
}

/** How long a run may go on. */
interface RunLimits {
  /** Milliseconds for each check, from when it has its turn; with a pace that is the least. */
  readonly budgetMs?: number;
  /** How fast the passes are to be. */
  readonly pace?: Pace;
  /**
   * Of a history that takes several runs, when the first of them began: a check of which a pass started then or later and has ended compares
   * nothing more, so that the others come to their turn, and a pass that started earlier is begun anew.
   */
  readonly since?: Date | undefined;
  /** When the whole run is to end, in milliseconds since the epoch; until then it waits for a check that another run has. */
  readonly until?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Compares what must agree, batch by batch. A run looks first at what was open, then at subjects that are new, then carries
 * the pass through all subjects on from where the last run left it. With a pace it compares all that is new and its share of the
 * pass, however much that is. In each database one run has a check at a time.
 */
export class Reconciler {
  readonly records: ReconciliationRepository;
  private readonly metrics: ReconciliationMetrics | undefined;

  constructor(private readonly deps: ReconcilerDeps) {
    this.records = new ReconciliationRepository(deps.pool);
    const checks = deps.checks.map(({ name }) => name);
    this.metrics = deps.metrics && reconciliationMetrics(deps.metrics, { ...deps, checks });
  }

  /** Runs every check; one that fails is logged and counted and does not keep the others from running. */
  async run(limits: RunLimits): Promise<CheckRun[]> {
    const runs: CheckRun[] = [];
    for (const check of this.deps.checks) {
      if (limits.signal?.aborted) break;
      runs.push(await this.runCheck(check, limits));
    }
    return runs;
  }

  private async runCheck(check: ReconciliationCheck, limits: RunLimits): Promise<CheckRun> {
    const startedAt = performance.now();
    const left = limits.until === undefined ? 0 : limits.until - Date.now();
    try {
      const run = await exclusively(
        this.deps.sessions,
        `reconciliation ${check.name}`,
        startedAt + left,
        (client) => new CheckPass(check, client, this.deps.log, limits).run(),
      );
      const openDifferences = await this.records.countOpen(check.name);
      if (!run) return { check: check.name, compared: 0, isComplete: false, openDifferences, failure: BUSY };
      this.metrics?.ran(check.name, (performance.now() - startedAt) / 1_000);
      return { check: check.name, ...run, openDifferences };
    } catch (err) {
      this.metrics?.failed(check.name);
      this.deps.log.error({ err, check: check.name }, 'a reconciliation check failed');
      const failure = err instanceof Error ? err.message : String(err);
      const openDifferences = await this.records.countOpen(check.name).catch(() => 0);
      return { check: check.name, compared: 0, isComplete: false, openDifferences, failure };
    }
  }
}

/** New subjects are compared until they are this old: nodes' clocks may differ by that much. What is named even earlier waits for the pass. */
const CLOCKS_DIFFER_MS = 5 * 60_000;
const BUSY = 'another run has it';
/** So many say that something is wrong as a whole; each more would only hide what it is. */
const MOST_OPEN = 1_000;
const FLOODED = `more than ${MOST_OPEN} differences; the check goes no further until there are fewer`;

const MESSAGES = {
  new: ['warn', 'two records do not agree'],
  reopened: ['warn', 'an accepted difference has other figures'],
  gone: ['info', 'a difference is gone'],
} as const;

const hasStartedSince = ({ passStartedAt }: CheckState, since: Date): boolean =>
  passStartedAt !== null && passStartedAt >= since;

/** Also while the next pass is under way: runs of their own begin one as soon as a long history is through. */
const isThrough = ({ lastPassStartedAt }: CheckState, since: Date): boolean =>
  lastPassStartedAt !== null && lastPassStartedAt >= since;

/** One run of one check, on the connection that holds its lock. */
class CheckPass {
  private readonly records: ReconciliationRepository;
  private readonly endsAt: number;
  /** The pass goes no further from here on once this run has done its share. */
  private readonly shareEndsAt: number;
  private compared = 0;
  private isFlooded = false;

  constructor(
    private readonly check: ReconciliationCheck,
    private readonly client: PoolClient,
    private readonly log: ReconcilerDeps['log'],
    private readonly limits: RunLimits,
  ) {
    this.records = new ReconciliationRepository(client);
    const { budgetMs = Infinity, pace, until = Infinity } = limits;
    const now = Date.now();
    // Two runs of one check are not worked on for longer than they are apart.
    this.endsAt = Math.min(now + (pace?.intervalMs ?? budgetMs), until);
    this.shareEndsAt = Math.min(now + budgetMs, until);
  }

  async run(): Promise<Omit<CheckRun, 'check' | 'openDifferences'>> {
    const { since } = this.limits;
    const state = await this.stateSince(since);
    if (since && isThrough(state, since))
      return { compared: 0, isComplete: true, completedAt: state.passCompletedAt ?? undefined };
    await this.lookAgain();
    // Before the first pass is through there is nothing that it would not come to by itself.
    const settled = (await this.check.settled?.(this.client, CLOCKS_DIFFER_MS)) ?? '';
    if (this.check.settled && state.head !== null) await this.followNew(state.head, settled);
    const endedAt = await this.carryOn(state, settled);
    const completedAt = endedAt ?? state.passCompletedAt ?? undefined;
    const failure = this.isFlooded ? FLOODED : undefined;
    return { compared: this.compared, isComplete: endedAt !== undefined, completedAt, failure };
  }

  private async stateSince(since: Date | undefined): Promise<CheckState> {
    const { name } = this.check;
    const state = await this.records.load(name);
    if (!since || state.atSubject === null || hasStartedSince(state, since)) return state;
    await this.records.begunAnew(name);
    return { ...state, atSubject: null, passSubjects: 0 };
  }

  private async lookAgain(): Promise<void> {
    const { name, batch } = this.check;
    await this.walk('', (after) => this.records.openSubjects(name, after, batch));
  }

  private async followNew(head: string, settled: string): Promise<void> {
    const { name } = this.check;
    await this.walk(
      head,
      (after) => this.nextPage(after),
      // What may still come before it is followed again.
      (last) => this.records.followedTo(name, last < settled ? last : settled),
    );
  }

  private async carryOn(state: CheckState, settled: string): Promise<Date | undefined> {
    const { name } = this.check;
    const share = this.limits.pace ? shareOfPass(state, this.limits.pace, Date.now()) : 0;
    let done = 0;
    const isAtEnd = await this.walk(
      state.atSubject ?? '',
      (after) => this.nextPage(after),
      async (last, compared) => {
        await this.records.advancedTo(name, last, compared, state.at);
        done += compared;
      },
      () => done >= share && Date.now() >= this.shareEndsAt,
    );
    return isAtEnd ? this.records.completed(name, settled) : undefined;
  }

  private nextPage(after: string): Promise<string[]> {
    return this.check.page(this.client, after, this.check.batch);
  }

  /** Compares page after page; returns whether it came to the last. */
  private async walk(
    from: string,
    next: (after: string) => Promise<string[]>,
    arrived: (last: string, compared: number) => Promise<void> = () => Promise.resolve(),
    isEnough: () => boolean = () => false,
  ): Promise<boolean> {
    for (let after = from; !this.isOver() && !isEnough();) {
      const subjects = await next(after);
      const last = subjects.at(-1);
      if (last === undefined) return true;
      await this.compare(subjects);
      await arrived(last, subjects.length);
      after = last;
    }
    return false;
  }

  private isOver(): boolean {
    return this.isFlooded || Date.now() >= this.endsAt || this.limits.signal?.aborted === true;
  }

  private async compare(subjects: readonly string[]): Promise<void> {
    const { name } = this.check;
    const found = await this.check.compare(this.client, subjects);
    this.compared += subjects.length;
    for (const { what, ...difference } of await this.records.record(name, subjects, found)) {
      const [level, message] = MESSAGES[what];
      this.log[level]({ check: name, ...difference }, message);
    }
    if (found.length > 0) this.isFlooded = (await this.records.countOpen(name)) > MOST_OPEN;
  }
}
