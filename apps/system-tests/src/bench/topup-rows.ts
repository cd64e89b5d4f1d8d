import type { TestPartner } from '../clients/operator-client';
import type { StartedPlatform } from '../platform/start-platform';
import type { LoadResult } from './http-load';
import { inTurn, say, toRow } from './measure';
import type { BenchOptions } from './options';
import type { BenchRow } from './report';
import { placeTopups } from './topup-load';
import { startFloor } from './yardsticks/topup-floor';
import type { TopupFloor } from './yardsticks/topup-floor';

const CLIENTS = 16;

/** Top-ups of one partner and of all of them, against the floor. */
export async function benchTopups(
  platform: StartedPlatform,
  partners: readonly TestPartner[],
  options: BenchOptions,
): Promise<BenchRow[]> {
  const floor = await startFloor(platform, partners);
  try {
    return [
      await benchTopup(platform, partners.slice(0, 1), { least: 0.4, atLeast: 418 }, floor, options),
      await benchTopup(platform, partners, {}, floor, options),
    ];
  } finally {
    await floor.stop();
  }
}

async function benchTopup(
  platform: StartedPlatform,
  partners: readonly TestPartner[],
  reach: { least?: number; atLeast?: number },
  floor: TopupFloor,
  options: BenchOptions,
): Promise<BenchRow> {
  const name = partners.length === 1 ? 'one wallet' : `${partners.length} wallets`;
  say(`placing top-ups, ${name} …`);
  const clients = partners.map((partner) => partner.sandbox);
  const place = (gatewayUrl: string, seconds: number): Promise<LoadResult> =>
    placeTopups({ gatewayUrl, partners: clients, connections: CLIENTS, seconds });
  const { gatewayUrl } = platform.description;
  for (const url of [gatewayUrl, floor.url]) await place(url, Math.min(5, options.seconds));
  const result = await inTurn(
    options.rounds,
    () => place(gatewayUrl, options.seconds),
    () => place(floor.url, options.seconds),
  );
  return toRow({
    work: `POST top-up, ${CLIENTS} connections, ${name}`,
    unit: 'orders/s',
    ...reach,
    result,
    yardstickName: 'the floor',
  });
}
