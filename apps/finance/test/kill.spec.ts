import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import { build } from 'esbuild';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import {
  balanceOf,
  codeOf,
  connectFinance,
  MIGRATIONS,
  partnerWith,
  reserveRequest,
  type FinanceClients,
} from './finance-service';
import { brokenInvariants } from './invariants';

const ORDERS = 400;
const KILLS = 4;

// Below the workspace, where node finds the packages the bundle leaves outside.
const BUNDLE = path.join(__dirname, `../dist/kill-${process.pid}/main.js`);

describe('finance killed in mid-batch', () => {
  let database: TestDatabase;
  let bus: TestDatabase;
  let child: ChildProcess | undefined;

  beforeAll(async () => {
    await build({
      entryPoints: [path.join(__dirname, '../src/main.ts')],
      outfile: BUNDLE,
      bundle: true,
      platform: 'node',
      target: 'node24',
      format: 'cjs',
      packages: 'external',
      tsconfig: path.join(__dirname, '../tsconfig.json'),
    });
    database = await createTestDatabase({ migrations: MIGRATIONS });
    bus = await createTestDatabase();
  });
  afterAll(async () => {
    child?.kill('SIGKILL');
    await rm(path.dirname(BUNDLE), { recursive: true, force: true });
    await database.drop();
    await bus.drop();
  });

  async function startProcess(): Promise<FinanceClients> {
    child = spawn(process.execPath, [BUNDLE], {
      env: { PATH: process.env['PATH'], DATABASE_URL: database.url, EVENT_BUS_URL: bus.url },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
      const entry = JSON.parse(line) as { event?: string; grpcPort?: number };
      if (entry.event !== 'ready') continue;
      child.stdout?.resume();
      return connectFinance(`127.0.0.1:${entry.grpcPort}`);
    }
    throw new Error('finance ended before it was ready');
  }

  it('when it dies by SIGKILL again and again under load, then answers given were durable and repeating the rest makes the money exact', async () => {
    let finance = await startProcess();
    const partner = await partnerWith(finance, '10000.00');
    const orders = Array.from({ length: ORDERS }, () => reserveRequest(partner, '3.00'));
    const captured = new Map<string, string>();

    const drive = async (reservationKey: string): Promise<string> => {
      const { transactionId } = await finance.funds.captureFunds(
        { ...partner.ref, reservationKey, amount: '2.00', notes: '' },
        partner.call,
        { deadlineMs: 5000 },
      );
      return transactionId;
    };
    const order = async (request: (typeof orders)[number]): Promise<void> => {
      await finance.funds.reserveFunds(request, partner.call, { deadlineMs: 5000 });
      captured.set(request.reservationKey, await drive(request.reservationKey));
    };
    for (let kill = 0; kill < KILLS; kill += 1) {
      const part = orders.slice((kill * ORDERS) / KILLS, ((kill + 1) * ORDERS) / KILLS);
      const before = captured.size;
      const under = Promise.all(part.map((request) => codeOf(order(request))));
      await waitUntil(() => captured.size > before);
      const dying = child as ChildProcess;
      const dead = once(dying, 'exit');
      dying.kill('SIGKILL');
      await dead;
      finance.close();
      const codes = await under;
      expect(codes.filter((code) => code !== 'ok' && code !== 'SERVICE_UNAVAILABLE')).toEqual([]);
      finance = await startProcess();
    }

    expect(await brokenInvariants(database.pool)).toEqual({});
    for (const [reservationKey, transactionId] of captured)
      expect(await drive(reservationKey)).toBe(transactionId);
    await Promise.all(orders.map(order));
    expect(await balanceOf(finance, partner)).toEqual(['9200.00', '9200.00']);
    expect(await brokenInvariants(database.pool)).toEqual({});
    finance.close();
  }, 120_000);
});

/** Looks again with each turn of the event loop. */
async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
