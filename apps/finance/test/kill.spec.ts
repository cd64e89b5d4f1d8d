import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ReserveFundsRequest } from '@reseller/contracts';
import { codeOf, createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import { build } from 'esbuild';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import {
  balanceOf,
  connectFinance,
  MIGRATIONS,
  NOWHERE,
  partnerWith,
  reserveRequest,
  type FinanceClients,
} from './finance-service';
import { brokenInvariants } from './invariants';

const KILLS = 4;
const BUYERS = 24;
const ORDERS_BEFORE_KILL = 60;
const CALL = { deadlineMs: 10_000 };

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
    await cp(MIGRATIONS, path.join(path.dirname(BUNDLE), 'migrations'), { recursive: true });
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
      env: {
        NODE_ENV: 'test',
        PATH: process.env['PATH'],
        DATABASE_URL: database.serviceUrl,
        EVENT_BUS_URL: bus.url,
        IDENTITY_ADDRESS: NOWHERE,
      },
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

  it('when it dies by SIGKILL again and again under load, then responses given were durable and repeating the rest makes the money exact', async () => {
    let finance = await startProcess();
    const partner = await partnerWith(finance, '100000.00');
    const orders: ReserveFundsRequest[] = [];
    const responded = new Map<string, string>();

    const capture = async ({ reservationKey }: ReserveFundsRequest): Promise<string> => {
      const request = { ...partner.ref, reservationKey, amount: '2.00', notes: '' };
      return (await finance.funds.captureFunds(request, partner.call, CALL)).transactionId;
    };
    // Orders one after another until finance is gone; many of these keep batches in flight all the time.
    const buy = async (): Promise<void> => {
      for (;;) {
        const order = reserveRequest(partner, '3.00');
        orders.push(order);
        await finance.funds.reserveFunds(order, partner.call, CALL);
        responded.set(order.reservationKey, await capture(order));
      }
    };

    for (let kill = 1; kill <= KILLS; kill += 1) {
      const enough = responded.size + ORDERS_BEFORE_KILL;
      const buyers = Promise.all(Array.from({ length: BUYERS }, () => codeOf(buy())));
      await waitUntil(() => responded.size >= enough);
      await killProcess();
      expect(new Set(await buyers)).toEqual(new Set(['SERVICE_UNAVAILABLE']));
      finance.close();
      finance = await startProcess();
      // What the dead process had sent may still be under way in the server.
      await eventually(async () => expect(await openStatements(database)).toBe(0));
      expect(await brokenInvariants(database.pool)).toEqual({});
    }

    const unresponded = orders.filter(({ reservationKey }) => !responded.has(reservationKey));
    expect(unresponded.length).toBeGreaterThan(0);
    for (const order of orders) {
      const first = responded.get(order.reservationKey);
      if (first === undefined) await finance.funds.reserveFunds(order, partner.call, CALL);
      const transactionId = await capture(order);
      expect(transactionId).toBe(first ?? transactionId);
    }
    const left = (100_000 - 2 * orders.length).toFixed(2);
    expect(await balanceOf(finance, partner)).toEqual([left, left]);
    expect(await brokenInvariants(database.pool)).toEqual({});
    finance.close();
  }, 120_000);

  async function killProcess(): Promise<void> {
    const dying = child as ChildProcess;
    const dead = once(dying, 'exit');
    dying.kill('SIGKILL');
    await dead;
  }
});

/** How many statements the dead process's connections still run. */
async function openStatements({ pool }: TestDatabase): Promise<number> {
  const { rows } = await pool.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM pg_stat_activity
     WHERE datname = current_database() AND state <> 'idle' AND application_name = 'finance'`,
  );
  return rows[0]?.open ?? 0;
}

/** Looks again with each turn of the event loop. */
async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
