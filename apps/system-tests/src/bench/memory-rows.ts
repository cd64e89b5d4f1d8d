import type { TestPartner } from '../clients/operator-client';
import { readPlatformFile } from '../platform/platform-file';
import type { StartedPlatform } from '../platform/start-platform';
import { readRepeatedly } from './http-load';
import { say } from './measure';
import { readMemory } from './memory';
import type { BenchOptions } from './options';
import type { BenchRow } from './report';
import { placeTopups } from './topup-load';

const MEMORY_LIMIT_MIB = 200;
const MEMORY_GROWTH_LIMIT = 1.1;
const MINUTE_MS = 60_000;
const CLIENTS = 16;

/** Keeps top-ups and balance reads going, and looks at each process after one minute and at the end. */
export async function benchMemory(
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
