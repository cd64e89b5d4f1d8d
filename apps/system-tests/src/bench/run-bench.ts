import pg from 'pg';
import type { JWK } from 'jose';
import type { TestPartner } from '../clients/operator-client';
import { readPlatformFile } from '../platform/platform-file';
import { findRoot, startPlatform } from '../platform/start-platform';
import type { StartedPlatform } from '../platform/start-platform';
import { startYardstick } from './express-yardstick';
import { readRepeatedly } from './http-load';
import type { LoadResult } from './http-load';
import { readMemory } from './memory';
import type { BenchOptions } from './options';
import { findPgbench, PGBENCH_HINT } from './pgbench';
import { appendHistory, describeMachine, renderTable } from './report';
import type { BenchRow } from './report';
import { placeTopups } from './topup-load';
import { makePartners, prepareTopupYardstick } from './topup-yardstick';
import type { TopupYardstick } from './topup-yardstick';

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const CLIENTS = 16;
const READERS = 32;
const MANY = 100;
const COLD_START_LIMIT_S = 15;
const MEMORY_LIMIT_MIB = 250;
const MEMORY_GROWTH_LIMIT = 1.2;
const MINUTE_MS = 60_000;

/** Measures every row on a platform of its own, prints the table and appends it to the history. */
export async function runBench(options: BenchOptions): Promise<void> {
  const machine = describeMachine();
  say(`${machine.cores} cores (${machine.cpu}), ${machine.memoryGiB} GiB, Node ${machine.node}`);
  say(
    `${options.rounds} rounds of ${options.seconds} s each; memory after 1 and ${options.minutes} minutes of load`,
  );
  const platform = await startPlatform({ ACCESS_LOG: 'off' });
  const rows: BenchRow[] = [];
  try {
    rows.push(coldStart(platform));
    say('making 100 partners …');
    const partners = await makePartners(platform, MANY);
    say('reading balances …');
    rows.push(await benchBalance(platform, partners[0]!, options));
    rows.push(...(await benchTopups(platform, partners, options)));
    if (options.minutes > 0) rows.push(...(await benchMemory(platform, partners, options)));
  } finally {
    await platform.stop();
  }
  say(`\n${renderTable(rows)}\n`);
  if (options.isRecorded) say(`appended to ${appendHistory(findRoot(), rows, options)}`);
}

function coldStart(platform: StartedPlatform): BenchRow {
  const seconds = platform.readyAfterMs / 1000;
  return {
    work: 'Cold start, with empty data',
    target: `≤ ${COLD_START_LIMIT_S} s`,
    measured: seconds,
    unit: 's',
    yardstick: null,
    ratio: null,
    isReached: seconds <= COLD_START_LIMIT_S,
    note: 'until platform.json is there, seed data included',
  };
}

/** Runs a measurement and its yardstick in turn, so that a machine that slows down slows both. */
async function inTurn(
  rounds: number,
  measure: () => Promise<LoadResult>,
  yardstick: (() => Promise<{ count: number; seconds: number }>) | undefined,
): Promise<{ measured: number; yardstick: number | null; failures: number; p99: number }> {
  const [own, other]: [LoadResult[], { count: number; seconds: number }[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    own.push(await measure());
    if (yardstick) other.push(await yardstick());
  }
  return {
    measured: rate(own),
    yardstick: yardstick ? rate(other) : null,
    failures: own.reduce((sum, each) => sum + each.failures, 0),
    p99: Math.max(...own.map((each) => each.p99)),
  };
}

const rate = (results: readonly { count: number; seconds: number }[]): number =>
  results.reduce((sum, each) => sum + each.count, 0) / results.reduce((sum, each) => sum + each.seconds, 0);

async function benchBalance(
  platform: StartedPlatform,
  partner: TestPartner,
  options: BenchOptions,
): Promise<BenchRow> {
  const { gatewayUrl } = platform.description;
  const answer = await partner.sandbox.call('/wallet/balance');
  const yardstick = await startYardstick({
    jwk: await signingKeyOf(platform, await partner.sandbox.accessToken()),
    body: JSON.parse(answer.text) as unknown,
  });
  const read = async (base: string, seconds: number): Promise<LoadResult> =>
    readRepeatedly({
      url: `${base}/api/v1/wallet/balance`,
      token: await partner.sandbox.accessToken(),
      connections: READERS,
      seconds,
    });
  const warmUp = Math.min(5, options.seconds);
  await read(gatewayUrl, warmUp);
  await read(yardstick.url, warmUp);
  const result = await inTurn(
    options.rounds,
    () => read(gatewayUrl, options.seconds),
    () => read(yardstick.url, options.seconds),
  );
  yardstick.stop();
  return toRow(
    `GET wallet balance, ${READERS} connections`,
    'requests/s',
    0.35,
    0,
    result,
    'a bare Express app',
  );
}

/** The public key that verifies a token, from where identity keeps it. */
async function signingKeyOf(platform: StartedPlatform, token: string): Promise<JWK> {
  const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as {
    kid: string;
  };
  const client = new pg.Client({ connectionString: platform.description.databases.identity });
  await client.connect();
  try {
    const { rows } = await client.query<{ jwk: JWK }>(
      'SELECT public_jwk AS jwk FROM signing_keys WHERE key_id = $1',
      [header.kid],
    );
    if (!rows[0]) throw new Error(`identity has no key ${header.kid}`);
    return rows[0].jwk;
  } finally {
    await client.end();
  }
}

async function benchTopups(
  platform: StartedPlatform,
  partners: readonly TestPartner[],
  options: BenchOptions,
): Promise<BenchRow[]> {
  const program = findPgbench();
  if (!program) say(`\n${PGBENCH_HINT}\n`);
  const yardstick = program ? await prepareTopupYardstick(platform, partners, program) : undefined;
  if (yardstick) say(`an order is ${yardstick.statements} SQL statements`);
  if (yardstick && options.showsScript) say(await yardstick.script(1));
  try {
    return [
      await benchTopup(platform, partners.slice(0, 1), { least: 0.3, floor: 250 }, yardstick, options),
      await benchTopup(platform, partners, { least: 0.35, floor: 0 }, yardstick, options),
    ];
  } finally {
    await yardstick?.drop();
  }
}

async function benchTopup(
  platform: StartedPlatform,
  partners: readonly TestPartner[],
  { least, floor }: { least: number; floor: number },
  yardstick: TopupYardstick | undefined,
  options: BenchOptions,
): Promise<BenchRow> {
  const name = partners.length === 1 ? 'one partner' : `${partners.length} partners`;
  say(`placing top-ups, ${name} …`);
  const clients = partners.map((partner) => partner.sandbox);
  const { gatewayUrl } = platform.description;
  const place = (seconds: number): Promise<LoadResult> =>
    placeTopups({ gatewayUrl, partners: clients, connections: CLIENTS, seconds });
  await place(Math.min(5, options.seconds));
  await yardstick?.run(partners.length, CLIENTS, Math.min(3, options.seconds));
  const before = (await yardstick?.countCompleted()) ?? 0;
  const result = await inTurn(
    options.rounds,
    () => place(options.seconds),
    yardstick && (() => yardstick.run(partners.length, CLIENTS, options.seconds)),
  );
  await checkYardstick(yardstick, before, (result.yardstick ?? 0) * options.seconds * options.rounds);
  return toRow(
    `POST top-up, ${CLIENTS} connections, ${name}`,
    'orders/s',
    least,
    floor,
    result,
    'pgbench, same SQL',
  );
}

/** A yardstick whose orders do not complete would be too easy: it must not pass unnoticed. */
async function checkYardstick(
  yardstick: TopupYardstick | undefined,
  before: number,
  expected: number,
): Promise<void> {
  if (!yardstick) return;
  const completed = (await yardstick.countCompleted()) - before;
  if (completed < expected * 0.95) {
    throw new Error(
      `of about ${Math.round(expected)} orders by pgbench ${completed} were completed: its script is wrong`,
    );
  }
}

function toRow(
  work: string,
  unit: string,
  least: number,
  floor: number,
  result: { measured: number; yardstick: number | null; failures: number; p99: number },
  yardstickName: string,
): BenchRow {
  const ratio = result.yardstick === null ? null : result.measured / result.yardstick;
  return {
    work,
    target: `≥ ${least} of ${yardstickName}${floor > 0 ? `, ≥ ${floor} ${unit}` : ''}`,
    measured: result.measured,
    unit,
    yardstick: result.yardstick,
    ratio,
    isReached: ratio !== null && ratio >= least && result.measured >= floor && result.failures === 0,
    note: `p99 ${Math.round(result.p99)} ms${result.failures > 0 ? `, ${result.failures} failed` : ''}`,
  };
}

/** Keeps top-ups and balance reads going, and looks at each process after one minute and at the end. */
async function benchMemory(
  platform: StartedPlatform,
  partners: readonly TestPartner[],
  options: BenchOptions,
): Promise<BenchRow[]> {
  const measured: Map<string, number>[] = [];
  for (const minutes of [1, options.minutes - 1]) {
    if (minutes < 1) continue;
    say(`${minutes} minute(s) of load for memory …`);
    const until = performance.now() + minutes * MINUTE_MS;
    while (performance.now() < until) {
      const seconds = Math.max(1, Math.min(30, Math.ceil((until - performance.now()) / 1000)));
      await mixedLoad(platform, partners, seconds);
    }
    measured.push(readMemory(readPlatformFile(platform.file)));
  }
  const [early, late] = [measured[0]!, measured.at(-1)!];
  return [...late].map(([name, mib]) => {
    const first = early.get(name) ?? mib;
    return {
      work: `Memory of ${name} after ${options.minutes} min`,
      target: `≤ ${MEMORY_GROWTH_LIMIT} × after 1 min, ≤ ${MEMORY_LIMIT_MIB} MiB`,
      measured: mib,
      unit: 'MiB',
      yardstick: first,
      ratio: mib / first,
      isReached: mib <= first * MEMORY_GROWTH_LIMIT && mib <= MEMORY_LIMIT_MIB,
      note: options.minutes < 10 ? `shortened to ${options.minutes} min` : '',
    };
  });
}

async function mixedLoad(
  platform: StartedPlatform,
  partners: readonly TestPartner[],
  seconds: number,
): Promise<void> {
  const { gatewayUrl } = platform.description;
  const token = await partners[0]!.sandbox.accessToken();
  await Promise.all([
    placeTopups({
      gatewayUrl,
      partners: partners.map((each) => each.sandbox),
      connections: CLIENTS,
      seconds,
    }),
    readRepeatedly({ url: `${gatewayUrl}/api/v1/wallet/balance`, token, connections: 8, seconds }),
  ]);
}
