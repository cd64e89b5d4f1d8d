import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { FakeFinance, FakeShop } from '@reseller/contract-testing';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import type { CrashPoint } from '../src/crash-points';
import type { LiveVendor } from '../src/clients/vendors/vendor-directory';
import { bundleOrders, spawnOrders, type OrdersProcess } from './spawn-orders';
import { MIGRATIONS, startOrders, type RunningOrders } from './start-orders';

/** What the tests of a file stand on; read each part when it is needed, since each test has its own. */
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

/** One database for the tests of a file, and for each of them two instances of orders-saga, of which one is a process that dies. */
export function useCrash({ env = {}, live = () => [] }: CrashOptions = {}): CrashStage {
  let bundle: Awaited<ReturnType<typeof bundleOrders>>;
  let doomed: OrdersProcess | undefined;
  const stage = {
    async doom(point, more) {
      doomed = await spawnOrders(bundle.file, {
        DATABASE_URL: stage.database.serviceUrl,
        EVENT_BUS_URL: stage.database.url,
        FINANCE_ADDRESS: stage.finance.address,
        SCENT_COMMERCE_ADDRESS: stage.shop.address,
        RECOVERY_INTERVAL_MS: '60000',
        VENDOR_RETRY_BASE_MS: '10',
        ...(point && { CRASH_POINT: point }),
        ...env,
        ...more,
      });
      return doomed;
    },
    async untilDead() {
      expect(await doomed?.ended).toBe('SIGKILL');
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
  });
  beforeEach(async () => {
    stage.finance = await new FakeFinance('1000.00').start();
    stage.shop = await new FakeShop().start();
    await stage.startSurvivor();
  });
  afterEach(async () => {
    await doomed?.stop();
    doomed = undefined;
    await stage.survivor.stop();
    await stage.shop.stop();
    await stage.finance.stop();
  });
  afterAll(async () => {
    await bundle.remove();
    await stage.database.drop();
  });
  return stage;
}
