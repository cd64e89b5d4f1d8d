import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '../storm/random';
import { tokenOf } from './arena';
import type { Arena } from './arena';
import { describeAttempt } from './attempts';
import type { Attempt } from './attempts';
import { judge } from './judge';
import type { Fault } from './judge';
import { nameOf } from './operations';
import { soundCall } from './sound-call';
import { addressOf, sendBytes } from './wire';

/** What came of the attempts of a run. */
export interface Tally {
  sent: number;
  readonly statuses: Map<number, number>;
  readonly faults: Fault[];
  largestError: number;
  slowest: { ms: number; attempt: string };
  /** How long all attempts of a shape took, by its name. */
  readonly msByShape: Map<string, number>;
  /** Calls that looked at a request of ours: neither its token nor a limit was in the way. */
  readonly reached: Set<string>;
}

/** A tally of nothing yet. */
export const newTally = (): Tally => ({
  sent: 0,
  statuses: new Map(),
  faults: [],
  largestError: 0,
  slowest: { ms: 0, attempt: '' },
  msByShape: new Map(),
  reached: new Set(),
});

/** Past what cuts off a sender of half a request. */
const ANSWER_LIMIT_MS = 40_000;
const AT_ONCE = 8;
/** What an edge waits for until it cuts it off takes no place of those that it works on; so many at most. */
const STALLED_AFTER_MS = 1_000;
const MOST_STALLED = 64;
const WRONG_TOKEN = 'eyJhbGciOiJFZERTQSIsImtpZCI6IngifQ.eyJzdWIiOiJ4In0.c2lnbmF0dXJl';
const BEFORE_THE_CALL = new Set([401, 404, 405, 429, 503]);

/** Sends attempts, eight at once beside those that stall, until there are no more or the time is over. */
export async function sendAttempts(
  arena: Arena,
  attempts: readonly Attempt[],
  random: Random,
  tally: Tally,
  untilMs = Infinity,
): Promise<void> {
  const waiting = attempts.values();
  const stalled = new Set<Promise<void>>();
  const work = async (): Promise<void> => {
    // A seed of its own for each, so that what one draws does not depend on who came first.
    for (const attempt of waiting) {
      if (performance.now() > untilMs) return;
      const sent = sendOne(arena, attempt, new Random(random.between(0, 2 ** 31)), tally);
      stalled.add(sent);
      const isOver = sent.then(() => stalled.delete(sent));
      await Promise.race([isOver, pause(STALLED_AFTER_MS, undefined, { ref: false })]);
      while (stalled.size >= MOST_STALLED) await Promise.race(stalled);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await Promise.all(stalled);
}

async function sendOne(arena: Arena, attempt: Attempt, random: Random, tally: Tally): Promise<void> {
  const { operation, shape, caller } = attempt;
  const sound = await tokenOf(arena, operation);
  const tokens = { 'with a token': sound, 'without a token': undefined, 'with a wrong token': WRONG_TOKEN };
  const bytes = shape.bytes(soundCall(arena, operation, tokens[caller], random));
  const { platform } = arena;
  const url = operation.edge === 'gateway' ? platform.gatewayUrl : platform.backofficeUrl;
  const reply = await sendBytes(addressOf(url), bytes, {
    limitMs: ANSWER_LIMIT_MS,
    hangsUp: shape.ending === 'hangUp',
  });
  const isHead = bytes.subarray(0, 5).toString() === 'HEAD ';
  const { statuses, faults, largestError } = judge(reply, { isHead, isOwed: shape.ending === undefined });
  tally.sent += 1;
  tally.largestError = Math.max(tally.largestError, largestError);
  for (const status of statuses) tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
  if (caller === 'with a token' && statuses.some((status) => !BEFORE_THE_CALL.has(status)))
    tally.reached.add(nameOf(operation));
  tally.msByShape.set(shape.name, (tally.msByShape.get(shape.name) ?? 0) + reply.ms);
  if (reply.ms > tally.slowest.ms) tally.slowest = { ms: reply.ms, attempt: describeAttempt(attempt) };
  tally.faults.push(
    ...faults.map(({ rule, text }) => ({ rule, text: `${describeAttempt(attempt)}: ${text}` })),
  );
}
