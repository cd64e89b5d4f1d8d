import type { TestPartner } from '../clients/operator-client';
import type { StartedPlatform } from '../platform/start-platform';
import { readRepeatedly } from './http-load';
import type { LoadResult } from './http-load';
import { inTurn, toRow } from './measure';
import type { BenchOptions } from './options';
import type { BenchRow } from './report';
import { startBareExpress } from './yardsticks/bare-express';

const READERS = 32;

/** Balance reads through the gateway, against a bare Express app. */
export async function benchBalance(
  platform: StartedPlatform,
  partner: TestPartner,
  options: BenchOptions,
): Promise<BenchRow> {
  const { gatewayUrl } = platform.description;
  const yardstick = await startBareExpress(platform, partner);
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
  return toRow({
    work: `GET wallet balance, ${READERS} connections`,
    unit: 'requests/s',
    least: 0.18,
    result,
    yardstickName: 'a bare Express app',
  });
}
