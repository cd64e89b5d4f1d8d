import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { FakeFinance } from '@reseller/contract-testing';
import type { CallContext } from '@reseller/rpc';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import { MIGRATIONS, startOrders, type RunningOrders } from './start-orders';

/** What the tests of a file stand on; read each part when it is needed, since each test has its own. */
export interface OrdersStage {
  database: TestDatabase;
  finance: FakeFinance;
  /** Stopped after the test; one that starts another in its place stops this one itself. */
  service: RunningOrders;
  /** Has another instance in its place, with other settings. */
  restart(env: Record<string, string>): Promise<void>;
}

/** One database for the tests of a file, and for each of them a wallet at a fake finance and an instance of orders-saga. */
export function useOrders({
  deposit = '1000.00',
  env = {},
}: { deposit?: string; env?: Record<string, string> } = {}): OrdersStage {
  const stage = {
    async restart(others) {
      await stage.service.stop();
      stage.service = await startOrders(stage.database, stage.finance, { ...env, ...others });
    },
  } as OrdersStage;
  beforeAll(async () => {
    stage.database = await createTestDatabase({ migrations: MIGRATIONS });
  });
  beforeEach(async () => {
    stage.finance = await new FakeFinance(deposit).start();
    stage.service = await startOrders(stage.database, stage.finance, env);
  });
  afterEach(async () => {
    await stage.service.stop();
    await stage.finance.stop();
  });
  afterAll(() => stage.database.drop());
  return stage;
}

/** How many orders a partner has. */
export async function ordersOf({ database }: OrdersStage, { partner }: CallContext): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM orders WHERE partner_id = $1',
    [partner?.partnerId],
  );
  return rows[0]?.n ?? -1;
}
