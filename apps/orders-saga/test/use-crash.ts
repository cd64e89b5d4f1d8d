import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { FakeFinance, FakeShop } from '@reseller/contract-testing';
import type { CallContext, CallPartner } from '@reseller/rpc';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CrashPoint } from '../src/crash-points';
import type { LiveVendor } from '../src/clients/vendors/vendor-directory';
import { bundleOrders, spawnOrders, type OrdersProcess } from './spawn-orders';
import { callOf, MIGRATIONS, startOrders, type RunningOrders } from './start-orders';

/** A call of a partner. */
export type PartnerCall = CallContext & { readonly partner: CallPartner };

/** What the tests of a file stand on; read each part when it is needed. */
export interface CrashStage {
  database: TestDatabase;
  finance: FakeFinance;
  shop: FakeShop;
  /** The instance that carries on what the other one leaves behind. */
  survivor: RunningOrders;
  /** Starts the instance that dies, at the point where one is named; only the survivor recovers, unless `env` says otherwise. */
  doom(point?: CrashPoint, env?: Record<string, string>): Promise<OrdersProcess>;
  /** Resolves when that instance has died at its point. */
  untilDead(): Promise<void>;
  /** Has that instance hold what comes to a point next, and nothing behind it. */
  holdAt(point: CrashPoint): void;
  /** Resolves when something stands there. */
  untilHeld(point: CrashPoint): Promise<void>;
  /** A partner of its own with 1000.00, so that tests see only their own orders and money. */
  buyer(environment?: CallPartner['environment']): PartnerCall;
  /** Lets the time of every lease pass at once. */
  lapseLeases(): Promise<void>;
  /** Has another survivor in place of one that a test stopped. */
  startSurvivor(): Promise<void>;
}

/** Settings of both instances, and the vendors of live orders. */
export interface CrashOptions {
  env?: Record<string, string>;
  live?: () => readonly LiveVendor[];
}

/** One database and one survivor for the tests of a file, and beside it instances that are processes and die. */
export function useCrash({ env = {}, live = () => [] }: CrashOptions = {}): CrashStage {
  let bundle: Awaited<ReturnType<typeof bundleOrders>>;
  let folder: string;
  let doomed: OrdersProcess | undefined;
  const crashFile = () => path.join(folder, 'point');
  const stage = {
    async doom(point, more) {
      doomed = await spawnOrders(bundle.file, {
        DATABASE_URL: stage.database.serviceUrl,
        EVENT_BUS_URL: stage.database.url,
        FINANCE_ADDRESS: stage.finance.address,
        SCENT_COMMERCE_ADDRESS: stage.shop.address,
        RECOVERY_INTERVAL_MS: '60000',
        VENDOR_RETRY_BASE_MS: '10',
        CRASH_POINT_FILE: crashFile(),
        ...(point && { CRASH_POINT: point }),
        ...env,
        ...more,
      });
      return doomed;
    },
    async untilDead() {
      expect(await doomed?.ended).toBe('SIGKILL');
    },
    holdAt(point) {
      // By rename, so that no boundary reads half a name.
      writeFileSync(`${crashFile()}.new`, `${point} hold`);
      renameSync(`${crashFile()}.new`, crashFile());
    },
    untilHeld: (point) =>
      eventually(() => {
        if (existsSync(crashFile())) throw new Error(`nothing has come to ${point}`);
      }),
    buyer(environment) {
      const call = callOf(undefined, environment);
      const { partner } = call;
      if (!partner) throw new Error('the call is no partner’s');
      stage.finance.fund(partner, '1000.00');
      return { ...call, partner };
    },
    async lapseLeases() {
      await stage.database.pool.query(
        'UPDATE sagas SET lease_until = now(), wake_at = now() WHERE lease_until IS NOT NULL',
      );
    },
    async startSurvivor() {
      const { database, finance, shop } = stage;
      stage.survivor = await startOrders(database, finance, env, { shop, live: live() });
    },
  } as CrashStage;
  beforeAll(async () => {
    stage.database = await createTestDatabase({ migrations: MIGRATIONS });
    bundle = await bundleOrders();
    folder = mkdtempSync(path.join(tmpdir(), 'crash-'));
    stage.finance = await new FakeFinance().start();
    stage.shop = await new FakeShop().start();
    await stage.startSurvivor();
  });
  afterEach(async () => {
    await doomed?.stop();
    doomed = undefined;
  });
  afterAll(async () => {
    await stage.survivor.stop();
    await stage.shop.stop();
    await stage.finance.stop();
    rmSync(folder, { recursive: true });
    await bundle.remove();
    await stage.database.drop();
  });
  return stage;
}

/** What is under way at a boundary when its process dies. */
export interface Death {
  readonly point: CrashPoint;
  /** What the test is called. */
  readonly sentence: string;
  /** Arranges by the survivor what it is about; returns what is done through the process that dies, and checks what holds then. */
  begin(): Promise<{ act(doomed: OrdersProcess): Promise<unknown>; check(): Promise<void> }>;
}

/**
 * Declares a test for each of them. They come to their boundaries one after the other in one process, which is killed once all stand
 * there: so each is left behind as it would be by a process of its own, and the survivor finds all of them at once.
 */
export function itSurvives(stage: CrashStage, deaths: readonly Death[]): void {
  const checks = new Map<Death, () => Promise<void>>();
  beforeAll(async () => {
    const doomed = await stage.doom();
    const acts: Promise<unknown>[] = [];
    for (const death of deaths) {
      const { act, check } = await death.begin();
      stage.holdAt(death.point);
      const acted = act(doomed);
      acts.push(acted);
      const held = stage.untilHeld(death.point);
      // What fails before it comes there says why at once.
      await Promise.race([held, acted.then(() => held)]);
      checks.set(death, check);
    }
    doomed.child.kill('SIGKILL');
    await stage.untilDead();
    await Promise.all(acts);
    await stage.lapseLeases();
  }, 120_000);
  it.each(deaths.map((death) => [death.sentence, death] as const))('%s', async (_, death) => {
    await checks.get(death)!();
  });
}
