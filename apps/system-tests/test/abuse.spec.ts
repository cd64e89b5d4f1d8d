import { beforeAll, expect, test } from '@jest/globals';
import { responseLines } from '../src/abuse/response-lines';
import { createArena } from '../src/abuse/arena';
import type { Arena } from '../src/abuse/arena';
import { someAttempts } from '../src/abuse/attempts';
import { bookLines } from '../src/abuse/book-lines';
import { readOperations } from '../src/abuse/operations';
import { newTally, sendAttempts } from '../src/abuse/send-attempts';
import type { Tally } from '../src/abuse/send-attempts';
import type { Line } from '../src/abuse/verdict';
import { readPlatformFile } from '../src/platform/platform-file';
import { Random } from '../src/storm/random';

/** One seed, always: each shape once, against calls that it chooses (spec §14.1); `npm run abuse` does them all. */
const SEED = 13;
const OWN_OF_EACH = 5;

const platform = readPlatformFile();
let arena: Arena;
let tally: Tally;
beforeAll(async () => {
  arena = await createArena(platform);
  const operations = await readOperations(arena.platform);
  const random = new Random(SEED);
  tally = newTally();
  await sendAttempts(arena, someAttempts(operations, random, OWN_OF_EACH), random, tally);
}, 180_000);

const broken = (lines: readonly Line[]): readonly string[] => lines.flatMap(({ details }) => details);

test('when hundreds of hostile requests were sent, then each response was in the envelope, small and without a fault of ours', () => {
  expect(tally.sent).toBeGreaterThan(500);
  expect(broken(responseLines(tally, []))).toEqual([]);
});

test('when hundreds of hostile requests were sent, then no process had to be started again', () => {
  expect(readPlatformFile().pids).toEqual(platform.pids);
});

test('when hundreds of hostile requests were sent, then orders, charges, vendor and ledger are equal', async () => {
  expect(broken(await bookLines(arena))).toEqual([]);
});
