import { jest } from '@jest/globals';
import { Admission } from '../src/admission/admission';

/** What stands behind a door, and what is offered to it; times in milliseconds. */
export interface LoadPlan {
  /** What the services keep up with. */
  readonly perSecond: number;
  /** What an order takes besides standing in their line, its vendor and its commits; from half of it to half as much again. */
  readonly baseMs: number;
  /** What a refusal takes of their time, for door and services share a machine. */
  readonly refusalMs: number;
  /** For how long they stand still every five seconds. */
  readonly stallMs: number;
  /** What is offered, as a multiple of what they keep up with. */
  readonly factor: number;
  readonly seconds: number;
}

/** What came of a load. */
interface LoadOutcome {
  /** Done in its time, as a share of what the services can do. */
  readonly goodput: number;
  readonly p99: number;
  readonly refusalP99: number;
  /** How long after it the services do all that they can again, for callers that wait for their responses. */
  readonly backAfterMs: number;
}

const DOOR = { min: 24, initial: 128, max: 4_096, maxWaiting: 1_024, targetMs: 30 };
const DEADLINE_MS = 12_000;
const STALL_EVERY_MS = 5_000;
const SAMPLE_MS = 100;
const SWEEP_MS = 100;
const CLOSED_LOOP = 64;
const GOLDEN_RATIO = 0.618_034;
const ROUND_TRIP_MS = 10;
const AFTERWARDS_MS = 6_000;

interface Job {
  readonly since: number;
  left: number;
  readonly done?: () => void;
}

/** Services that work in order of arrival, and say as libs/rpc/src/load does how long work stands in line. */
class Services {
  reportedMs = 0;
  private readonly line: Job[] = [];
  private waits: number[] = [];

  constructor(private readonly stallMs: number) {}

  add(now: number, costMs: number, done?: () => void): void {
    this.line.push({ since: now, left: costMs, ...(done && { done }) });
  }

  /** Does a millisecond's work. */
  work(now: number): void {
    let budget = now % STALL_EVERY_MS < this.stallMs ? 0 : 1;
    while (budget > 0 && this.line[0]) {
      const [job] = this.line;
      const share = Math.min(budget, job.left);
      job.left -= share;
      budget -= share;
      if (job.left > 1e-9) break;
      this.line.shift();
      if (job.done) this.waits.push(now - job.since);
      job.done?.();
    }
    if (now % SAMPLE_MS > 0) return;
    const mean =
      this.waits.length === 0 ? 0 : this.waits.reduce((sum, ms) => sum + ms, 0) / this.waits.length;
    this.reportedMs = (this.reportedMs + mean) / 2;
    this.waits = [];
  }
}

/** Offers a load by a fixed schedule and then the peak by a closed loop, in virtual time: nothing of it waits. */
export async function simulateLoad(plan: LoadPlan): Promise<LoadOutcome> {
  const { perSecond, baseMs, refusalMs, factor, seconds } = plan;
  const services = new Services(plan.stallMs);
  const timers = new Map<number, (() => void)[]>();
  const [done, refused]: { at: number; ms: number }[][] = [[], []];
  let now = 0;
  // Only the door's sweep has a timer; clocks are read millions of times.
  jest.useFakeTimers({ doNotFake: ['Date', 'performance', 'setTimeout', 'setImmediate', 'nextTick'] });
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  const door = new Admission(DOOR);
  let spreads = 0;
  // Evenly, without chance.
  const spread = (ms: number): number => Math.round(ms * (0.5 + (((spreads += 1) * GOLDEN_RATIO) % 1)));
  const at = (time: number, run: () => void): void => {
    const known = timers.get(time);
    if (known) known.push(run);
    else timers.set(time, [run]);
  };
  const send = (ended?: () => void): void => {
    const sentAt = now;
    const end = (kind: typeof done): void => {
      kind?.push({ at: now, ms: now - sentAt });
      if (ended) at(now + ROUND_TRIP_MS, ended);
    };
    const refuse = (): void => {
      services.add(now, refusalMs);
      end(refused);
    };
    const leave = (): void => {
      door.leave(services.reportedMs);
      end(done);
    };
    const work = (): void => services.add(now, 1_000 / perSecond, () => at(now + spread(baseMs), leave));
    try {
      const turn = door.enter({ key: 'flood', deadlineAt: Date.now() + DEADLINE_MS, isGone: () => false });
      if (turn) turn.then(work, refuse);
      else work();
    } catch {
      refuse();
    }
  };
  const step = async (): Promise<void> => {
    now += 1;
    services.work(now);
    if (now % SWEEP_MS === 0) jest.advanceTimersByTime(SWEEP_MS);
    for (const run of timers.get(now) ?? []) run();
    timers.delete(now);
    // Whoever was let in is at work before the next millisecond.
    await Promise.resolve();
    await Promise.resolve();
  };
  const loadEnds = seconds * 1_000;
  for (let sent = 0; now < loadEnds; await step())
    for (; sent < (now * factor * perSecond) / 1_000; sent += 1) send();
  const again = (): void => {
    if (now < loadEnds + AFTERWARDS_MS) send(again);
  };
  for (let caller = 0; caller < CLOSED_LOOP; caller += 1) again();
  while (now < loadEnds + AFTERWARDS_MS) await step();
  const inTime = done?.filter((one) => one.at <= loadEnds) ?? [];
  return {
    goodput: inTime.length / (seconds * perSecond),
    p99: p99Of(inTime),
    refusalP99: p99Of(refused ?? []),
    backAfterMs: backAfter(done?.map((one) => one.at - loadEnds) ?? [], 0.9 * perSecond),
  };
}

const p99Of = (samples: readonly { ms: number }[]): number =>
  samples.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(samples.length * 0.99)] ?? 0;

/** When so many a second were first done for a second on end. */
function backAfter(times: readonly number[], perSecond: number): number {
  for (let from = 0; from + 1_000 <= AFTERWARDS_MS; from += 100)
    if (times.filter((time) => time >= from && time < from + 1_000).length >= perSecond) return from;
  return Infinity;
}
