import type { TestPartner } from '../clients/operator-client';
import type { StartedPlatform } from '../platform/start-platform';
import type { LoadResult } from './http-load';
import { inTurn, say, toRow } from './measure';
import type { BenchOptions } from './options';
import { findPgbench, PGBENCH_HINT } from './pgbench';
import type { BenchRow } from './report';
import { placeTopups } from './topup-load';
import { prepareTopupYardstick } from './topup-yardstick';
import type { TopupYardstick } from './topup-yardstick';

const CLIENTS = 16;

/** Top-ups of one partner and of all of them, against pgbench. */
export async function benchTopups(
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
  await checkYardstick(yardstick, before, result.yardstickCount);
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
  if (completed < expected) {
    throw new Error(`of ${expected} orders by pgbench ${completed} were completed: its script is wrong`);
  }
}
