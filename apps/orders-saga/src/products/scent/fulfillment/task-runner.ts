import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '@reseller/database';
import { AppError, isAppError } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';
import { createJob, type Job, type Logger } from '@reseller/service-kit';
import { continueFrom, inSpan, REQUEST_ID } from '@reseller/telemetry';
import type { Registry } from 'prom-client';
import { doublingGap } from '../../../saga/domain/backoff';
import { isLastingFailure, isToBeParked, reasonOf, type ParkingLimits } from '../../../saga/domain/failure';
import type { RunningAttempts } from '../../../saga/running-attempts';
import type { OrderTask } from './domain/order-task';
import type { OrderTaskRepository } from './order-task.repository';
import { TASK_EFFECTS, type TaskEffectDeps } from './task-effects';
import { countTries, type CountTry } from './task-metrics';

/** What the task runner works with; times in milliseconds. */
interface TaskRunnerDeps {
  readonly tasks: OrderTaskRepository;
  readonly effects: TaskEffectDeps;
  readonly running: RunningAttempts;
  /** How long an operator waits for the effect. */
  readonly waitMs: number;
  readonly intervalMs: number;
  readonly batch: number;
  /** When a task that fails each time is given to a person. */
  readonly parking: ParkingLimits;
  readonly log: Logger;
  readonly metrics?: Registry | undefined;
}

/** A task on record, and whether this call put it there. */
export interface SetTask {
  readonly task: OrderTask;
  readonly isNew: boolean;
}

const LOOK_AGAIN_MS = 50;
const AGAIN_BASE_MS = 250;
const AGAIN_CAP_MS = 5_000;

/**
 * Carries tasks out: for the operator who waits, and in the background those whose request died or whose other service was
 * away. Instances share the work, for a claim skips what another one has.
 */
export class TaskRunner {
  readonly job: Job;
  private readonly countTry: CountTry;

  constructor(private readonly deps: TaskRunnerDeps) {
    const { intervalMs, log, metrics } = deps;
    this.countTry = countTries(metrics);
    this.job = createJob({ name: 'order-tasks', intervalMs, run: () => this.runDue(), log, metrics });
  }

  /**
   * Resolves when the task is done: true when this call set it, whereby it has its lease, or had a hand in it; false when
   * others did it all. Throws SERVICE_UNAVAILABLE when the time is up, and what another service refused with at once; either
   * way it is tried again until it is done.
   */
  async complete({ task: set, isNew }: SetTask, requestId: string): Promise<boolean> {
    const { tasks, running, waitMs } = this.deps;
    const until = performance.now() + waitMs;
    let isMine = isNew;
    for (let tries = 0; ;) {
      const task = isNew && tries === 0 ? set : await tasks.claim(set.id);
      if (task) {
        isMine = true;
        tries += 1;
        const refusal = await running.track(task.id, this.tryOnce(task, { requestId }));
        if (!refusal) return true;
        if (!isAppError(refusal) || refusal.code !== 'SERVICE_UNAVAILABLE') throw refusal;
      } else if (await tasks.isDone(set.id)) return isMine;
      const gap = task ? doublingGap(tries, LOOK_AGAIN_MS, 1_000) : LOOK_AGAIN_MS;
      if (performance.now() + gap >= until) throw new AppError('SERVICE_UNAVAILABLE');
      await sleep(gap);
    }
  }

  private async runDue(): Promise<unknown> {
    const { tasks, batch } = this.deps;
    const due = await tasks.claimDue(batch);
    if (due.length === 0) return 'idle';
    await Promise.all(due.map((task) => this.carryOn(task)));
    return due.length === batch;
  }

  /** Nobody waits for it any more: it goes on in the trace of the operator's request, and under its id. */
  private carryOn(task: OrderTask): Promise<Error | undefined> {
    const headers = { [REQUEST_ID]: `task-${randomUUID()}`, ...task.origin };
    return continueFrom(headers, () => this.tryOnce(task, { requestId: headers[REQUEST_ID] }));
  }

  /** For later, or, once it has failed for too long, for a person. */
  private async leave(task: OrderTask, failure: unknown): Promise<void> {
    const { tasks, parking, log } = this.deps;
    const isFailing = isForGood(failure);
    const count = isFailing ? await tasks.noteFailure(task, reasonOf(failure).code) : undefined;
    if (!count || !isToBeParked(count, parking)) {
      return tasks.postpone(task, doublingGap(task.attempts, AGAIN_BASE_MS, AGAIN_CAP_MS), isFailing);
    }
    await tasks.park(task);
    log.warn({ task: task.id, kind: task.kind, orderId: task.orderId }, 'a task needs an operator');
  }

  /** Undefined when it is done, else why not; it is postponed then, or parked. */
  private async tryOnce(task: OrderTask, call: CallContext): Promise<Error | undefined> {
    const { effects, log } = this.deps;
    try {
      await inSpan(`task ${task.kind}`, { attributes: { 'reseller.attempts': task.attempts } }, () =>
        TASK_EFFECTS[task.kind](effects, task, call),
      );
      this.countTry(task.kind, undefined);
      return undefined;
    } catch (err) {
      this.countTry(task.kind, err);
      log.warn({ err, task: task.id, kind: task.kind, orderId: task.orderId }, 'a task is not done yet');
      await this.leave(task, err);
      return err instanceof Error ? err : new AppError('INTERNAL_ERROR', {}, { cause: err });
    }
  }
}

// A wallet that is short is credited by whoever sees it, and the task then follows by itself.
function isForGood(failure: unknown): boolean {
  const isShort = isAppError(failure) && failure.code === 'BUSINESS_INSUFFICIENT_BALANCE';
  return !isShort && !isDatabaseUnavailable(failure) && isLastingFailure(failure);
}
