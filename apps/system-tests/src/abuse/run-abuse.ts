import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../bench/measure';
import { startPlatform } from '../platform/start-platform';
import { Random } from '../storm/random';
import { longestShapes, responseLines, statusesOf } from './response-lines';
import { createArena } from './arena';
import type { Arena } from './arena';
import { allAttempts, someAttempts } from './attempts';
import type { Attempt } from './attempts';
import { bookLines } from './book-lines';
import { startInnocent } from './innocent';
import type { InnocentReport } from './innocent';
import { readOperations } from './operations';
import type { Operation } from './operations';
import type { AbuseOptions } from './options';
import { percentile } from '../percentile';
import { processLines, readProcesses } from './process-lines';
import { schemathesisLine } from './schemathesis';
import { newTally, sendAttempts } from './send-attempts';
import type { Tally } from './send-attempts';
import { beSlow, SLOW_CALLERS } from './slow-callers';
import { flood, slowLines, SLOW_PHASE_MS } from './slow-lines';
import { lineOf, renderLines } from './verdict';
import type { Line } from './verdict';
import { addressOf } from './wire';

const INNOCENT_P95_MS = 500;
/** How long the innocent caller is alone, for the machine's own share of its time. */
const ALONE_MS = 10_000;
const FLOOD_CONNECTIONS = 1_000;
const FLOOD_EVERY_MS = 5_000;
/** Own shapes of each call that the warm-up sends. */
const WARM_UP_OWN = 4;

const named =
  (only: string) =>
  ({ shape }: Attempt): boolean =>
    shape.name.includes(only);

/** Abuses a platform of its own and prints what it is held to; returns whether all of it was kept. */
export async function runAbuse(options: AbuseOptions): Promise<boolean> {
  say(`seed ${options.seed}`);
  const startedAt = performance.now();
  const platform = await startPlatform();
  process.env.PLATFORM_JSON = platform.file;
  try {
    const arena = await createArena(platform.description);
    const lines = await abuse(arena, options);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const failed = lines.filter(({ isKept }) => !isKept).length;
    say(`\n${renderLines(lines)}\n\n${lines.length - failed} passed, ${failed} failed, in ${seconds} s`);
    return failed === 0;
  } finally {
    await platform.stop();
  }
}

async function abuse(arena: Arena, options: AbuseOptions): Promise<Line[]> {
  const random = new Random(options.seed);
  const { gatewayUrl } = arena.platform;
  const all = await readOperations(arena.platform);
  const operations = all.filter((_, index) => index % options.shard.of === options.shard.number - 1);
  const tally = newTally();
  const own = await arena.operator.newPartner({ deposit: 100 });
  const plan = { gatewayUrl, accessToken: () => own.sandbox.accessToken() };
  await sendAttempts(
    arena,
    someAttempts(operations, random, WARM_UP_OWN).filter(named(options.only)),
    random,
    tally,
  );
  say(`warm-up: ${tally.sent} requests`);
  const before = await readProcesses();
  const alone = await startInnocent(plan);
  await pause(ALONE_MS);
  const { latencies } = await alone.stop();
  const innocent = await startInnocent(plan);
  const phase = await abusePhase(arena, operations, options, random, tally);
  const report = await innocent.stop();
  const sent = `${tally.sent} requests`;
  const schemathesis = options.hasSchemathesis ? await schemathesisLine(arena, options.seed) : [];
  say(`${sent}; responses by status ${statusesOf(tally)}; the slowest: ${tally.slowest.attempt}`);
  say(`longest: ${longestShapes(tally)}`);
  return [
    ...responseLines(tally, options.only === '' ? operations : []),
    ...phase,
    ...processLines(before, await readProcesses()),
    innocentLine(report, latencies),
    ...(await bookLines(arena)),
    ...schemathesis,
  ];
}

/** Shapes, slow callers and floods at once, until the last of them is over. */
async function abusePhase(
  arena: Arena,
  operations: readonly Operation[],
  { rounds, seconds, only }: AbuseOptions,
  random: Random,
  tally: Tally,
): Promise<Line[]> {
  const token = await arena.buyer.sandbox.accessToken();
  const gateway = addressOf(arena.platform.gatewayUrl);
  const slow = SLOW_CALLERS.filter(({ name }) => `slow: ${name}`.includes(only)).map((caller) =>
    beSlow(gateway, token, caller, AbortSignal.timeout(SLOW_PHASE_MS)),
  );
  const over = new AbortController();
  const floods = floodAgainAndAgain(arena, over.signal);
  const untilMs = seconds === undefined ? Infinity : performance.now() + seconds * 1_000;
  for (let round = 0; seconds === undefined ? round < rounds : performance.now() < untilMs; round += 1) {
    const attempts = allAttempts(operations, random).filter(named(only));
    say(`round ${round + 1}: ${attempts.length} requests to ${operations.length} calls …`);
    await sendAttempts(arena, attempts, random, tally, untilMs);
    say(`round ${round + 1}: ${tally.sent} requests so far`);
  }
  const outcomes = await Promise.all(slow);
  over.abort();
  const { opened, taken } = await floods;
  return [
    ...slowLines(outcomes),
    lineOf('floods of connections', `${taken} of ${opened} taken`, 'harm nobody else', []),
  ];
}

async function floodAgainAndAgain(
  { platform }: Arena,
  signal: AbortSignal,
): Promise<{ opened: number; taken: number }> {
  let [opened, taken] = [0, 0];
  while (!signal.aborted) {
    for (const url of [platform.gatewayUrl, platform.backofficeUrl]) {
      taken += await flood(addressOf(url), FLOOD_CONNECTIONS);
      opened += FLOOD_CONNECTIONS;
    }
    await pause(FLOOD_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  return { opened, taken };
}

function innocentLine({ latencies, failures }: InnocentReport, alone: readonly number[]): Line {
  const before = Math.round(percentile(alone, 0.95));
  const [half, most, all] = [0.5, 0.95, 1].map((share) => Math.round(percentile(latencies, share)));
  return lineOf(
    'an innocent caller’s balance',
    `p50 ${half} ms, p95 ${most} ms, slowest ${all} ms of ${latencies.length}; alone p95 ${before} ms`,
    `p95 under ${INNOCENT_P95_MS} ms, all answered`,
    [
      ...(latencies.length === 0 ? ['it never read'] : []),
      ...(most! >= INNOCENT_P95_MS ? [`p95 ${most} ms`] : []),
      ...failures.map((failure) => `a read was answered ${failure}`),
    ],
  );
}
