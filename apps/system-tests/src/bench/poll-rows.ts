import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { OperatorClient } from '../clients/operator-client';
import { startPlatform } from '../platform/start-platform';
import { cpuOf } from './cost/process-cpu';
import { say } from './measure';
import { readMemory } from './memory';
import type { BenchRow } from './report';

const POLLS = 10_000;
const AT_ONCE = 100;
/** The longest that a poll may wait (spec §16.1), and for so long it is looked: each ends and begins again once. */
const WAIT_S = 20;
const SETTLE_MS = 25_000;
const MEMORY_LIMIT = 2;
const CPU_LIMIT_MS = 1;
const KIB_OF_A_MIB = 1_024;

/** What a gateway and notifier pay for so many connections. */
interface Held {
  /** Growth of the gateway's memory, in KiB for each. */
  readonly kibEach: number;
  /** CPU of both, in milliseconds for each that began anew. */
  readonly cpuMsEach: number;
  readonly begun: number;
}

/** What 10,000 long polls cost one gateway, beside as many connections that only stay open after a response. */
export async function benchPolls(): Promise<BenchRow[]> {
  say(`holding ${POLLS} connections that wait for nothing …`);
  const sockets = await hold((cursor) => `/events?after=${cursor}`, false);
  say(`holding ${POLLS} long polls …`);
  const polls = await hold((cursor) => `/events?wait=${WAIT_S}&after=${cursor}`, true);
  const work = `${POLLS} waiting long polls on one gateway`;
  return [
    {
      work: `${work}: memory of each`,
      target: `≤ ${MEMORY_LIMIT} × that of a connection that only stays open`,
      measured: polls.kibEach,
      unit: 'KiB',
      yardstick: sockets.kibEach,
      ratio: polls.kibEach / sockets.kibEach,
      isReached: polls.kibEach <= MEMORY_LIMIT * sockets.kibEach,
      note: '',
    },
    {
      work: `${work}: CPU of gateway and notifier for one of ${WAIT_S} s`,
      target: `≤ ${CPU_LIMIT_MS} ms`,
      measured: polls.cpuMsEach,
      unit: 'ms',
      yardstick: null,
      ratio: null,
      isReached: polls.cpuMsEach <= CPU_LIMIT_MS,
      note: `${polls.begun} polls began anew while this was measured`,
    },
  ];
}

/** Opens the connections on a platform of their own, sends one request on each, or one after the other, and looks at what they cost. */
async function hold(pathOf: (cursor: string) => string, isRepeated: boolean): Promise<Held> {
  const platform = await startPlatform({ ACCESS_LOG: 'off', MAX_CONNECTIONS: String(POLLS + 100) });
  const sockets: Socket[] = [];
  try {
    const { pids, gatewayUrl } = platform.description;
    const { sandbox } = await new OperatorClient(platform.description).newPartner({ deposit: 1 });
    const { nextCursor } = await sandbox.read<{ nextCursor: string }>('/events?limit=100');
    const request = `GET /api/v1${pathOf(nextCursor)} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${await sandbox.accessToken()}\r\n\r\n`;
    const before = readMemory(platform.description).get('gateway') ?? 0;
    let begun = 0;
    const open = async (): Promise<void> => {
      const socket = connect(Number(new URL(gatewayUrl).port), '127.0.0.1');
      sockets.push(socket);
      await once(socket, 'connect');
      const begin = (): void => {
        begun += 1;
        if (!socket.destroyed) socket.write(request);
      };
      // Without it, one connection that was reset would end the whole run.
      socket.on('error', (error) => say(`  a connection broke: ${error.message}`));
      socket.on('data', (chunk) => {
        const retryAfter = /^HTTP\/1\.1 503 [^]*\r\nRetry-After: (\d+)/.exec(chunk.toString('latin1'))?.[1];
        if (retryAfter !== undefined) setTimeout(begin, Number(retryAfter) * 1_000);
        else if (isRepeated) begin();
      });
      begin();
    };
    while (sockets.length < POLLS) await Promise.all(Array.from({ length: AT_ONCE }, open));
    await pause(SETTLE_MS);
    const cpu = (): number => cpuOf(pids['gateway'] ?? 0) + cpuOf(pids['notifier'] ?? 0);
    const [cpuBefore, begunBefore] = [cpu(), begun];
    await pause(WAIT_S * 1_000);
    const during = begun - begunBefore;
    const after = readMemory(platform.description).get('gateway') ?? 0;
    return {
      kibEach: ((after - before) * KIB_OF_A_MIB) / POLLS,
      cpuMsEach: (cpu() - cpuBefore) / Math.max(during, 1),
      begun: during,
    };
  } finally {
    for (const socket of sockets) socket.destroy();
    await platform.stop();
  }
}
