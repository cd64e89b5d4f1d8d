import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Registry } from 'prom-client';
import { createJob, type Job, type JobOptions } from './job';

const HOUR = 3_600_000;
const jobs: Job[] = [];
const logged: object[] = [];
const log = { error: (fields: object): void => void logged.push(fields) } as JobOptions['log'];

function start(options: Partial<JobOptions> & Pick<JobOptions, 'run'>): Job {
  const job = createJob({ name: 'sweep', intervalMs: HOUR, log, ...options });
  jobs.push(job);
  job.start();
  return job;
}

afterEach(async () => {
  jest.useRealTimers();
  logged.length = 0;
  await Promise.all(jobs.splice(0).map((job) => job.stop()));
});

/** Resolves with the count when run was called so often. */
function counted(
  times: number,
  body: (run: number, signal: AbortSignal) => Promise<unknown> = () => Promise.resolve(),
) {
  let runs = 0;
  let reach!: () => void;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const run = (signal: AbortSignal): Promise<unknown> => {
    runs += 1;
    if (runs === times) reach();
    return body(runs, signal);
  };
  return { run, reached, runs: () => runs };
}

describe('createJob', () => {
  it('when it is started, then it runs at once, and again when woken though its interval is long', async () => {
    const first = counted(1);
    const second = counted(2);
    const job = start({ run: (signal) => Promise.all([first.run(signal), second.run(signal)]) });
    await first.reached;
    job.wake();
    await second.reached;
  });

  it('when it is to come after the start, then it runs three seconds later, or when it is woken before', async () => {
    jest.useFakeTimers();
    const late = counted(1);
    start({ afterStart: true, run: late.run });
    await jest.advanceTimersByTimeAsync(2_999);
    expect(late.runs()).toBe(0);
    await jest.advanceTimersByTimeAsync(1);
    expect(late.runs()).toBe(1);
    const woken = counted(1);
    start({ afterStart: true, run: woken.run }).wake();
    await woken.reached;
  });

  it('when it is woken during a run, then it runs once more after it and never at the same time', async () => {
    let running = 0;
    let most = 0;
    const runs = counted(2, async (run) => {
      running += 1;
      most = Math.max(most, running);
      if (run === 1) [1, 2, 3].forEach(() => job.wake());
      await new Promise(setImmediate);
      running -= 1;
    });
    const job: Job = createJob({ name: 'sweep', intervalMs: HOUR, log, run: runs.run });
    jobs.push(job);
    job.start();
    await runs.reached;
    await job.stop();
    expect([runs.runs(), most]).toEqual([2, 1]);
  });

  it('when a run says there is more to do, then the next follows at once', async () => {
    const runs = counted(3, (run) => Promise.resolve(run < 3));
    start({ run: runs.run });
    await runs.reached;
  });

  it('when runs find nothing, then the rests double up to eight intervals, until one finds something or it is woken', async () => {
    jest.useFakeTimers({ now: 0 });
    const startedAt: number[] = [];
    const run = (): Promise<unknown> => {
      startedAt.push(Date.now());
      return Promise.resolve(startedAt.length === 6 ? undefined : 'idle');
    };
    const job = start({ run, intervalMs: 1_000 });
    await jest.advanceTimersByTimeAsync(24_500);
    job.wake();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(startedAt).toEqual([0, 1_000, 3_000, 7_000, 15_000, 23_000, 24_000, 24_500, 25_500]);
  });

  it('when the interval counts from the start of a run, then what it took is no rest', async () => {
    jest.useFakeTimers({ now: 0 });
    const startedAt: number[] = [];
    const lengths = [400, 2_500];
    const run = (): Promise<void> => {
      startedAt.push(Date.now());
      return new Promise((resolve) => setTimeout(resolve, lengths[startedAt.length - 1] ?? 0));
    };
    start({ run, intervalMs: 1_000, intervalFrom: 'start' });
    await jest.advanceTimersByTimeAsync(5_000);
    // A timer rests for a millisecond at least.
    expect(startedAt).toEqual([0, 1_000, 3_501, 4_501]);
  });

  it('when a run fails after more than its interval, then the next one waits all the same', async () => {
    jest.useFakeTimers({ now: 0 });
    const startedAt: number[] = [];
    const run = (): Promise<void> => {
      startedAt.push(Date.now());
      return new Promise((_, reject) => setTimeout(() => reject(new Error('away')), 1_500));
    };
    start({ run, intervalMs: 1_000, intervalFrom: 'start' });
    await jest.advanceTimersByTimeAsync(8_000);
    expect(startedAt).toEqual([0, 3_500]);
  });

  it('when runs fail, then each is logged and counted and the job goes on', async () => {
    const metrics = new Registry();
    const runs = counted(3, (run) =>
      run < 3 ? Promise.reject(new Error(`fault ${run}`)) : Promise.resolve(),
    );
    const job = start({ run: runs.run, intervalMs: 1, metrics });
    await runs.reached;
    await job.stop();
    expect(logged.slice(0, 2)).toMatchObject([
      { err: new Error('fault 1'), job: 'sweep', failures: 1 },
      { err: new Error('fault 2'), job: 'sweep', failures: 2 },
    ]);
    expect(await metrics.metrics()).toContain('job_runs_total{job_name="sweep",outcome="failed"} 2');
  });

  it('when a run does not end, then its last success stays where it was while its interval is known', async () => {
    const metrics = new Registry();
    const before = Date.now() / 1_000;
    const runs = counted(
      1,
      (_run, signal) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
    );
    start({ run: runs.run, intervalMs: 2_000, metrics });
    await runs.reached;
    const text = await metrics.metrics();
    expect(text).toContain('job_interval_seconds{job_name="sweep"} 2');
    expect(text).toContain('job_runs_total{job_name="sweep",outcome="ok"} 0');
    const lastSuccess = /job_last_success_timestamp_seconds\{job_name="sweep"\} ([\d.e+]+)/.exec(text)?.[1];
    expect(Number(lastSuccess)).toBeGreaterThanOrEqual(before);
  });

  it('when it is stopped during a run, then the run is notified and waited for', async () => {
    let ended = false;
    const runs = counted(1, async (_run, signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      ended = true;
    });
    const job = start({ run: runs.run });
    await runs.reached;
    await job.stop();
    expect(ended).toBe(true);
  });

  it('when it was never started, then stopping it is nothing', async () => {
    await createJob({ name: 'idle', intervalMs: 1, log, run: () => Promise.resolve() }).stop();
  });
});
