import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { FakeFinance } from '@reseller/contract-testing';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import { MIGRATIONS, startOrders, type RunningOrders } from './start-orders';

/** What the tests of a file stand on; read each part when it is needed, since each test has its own. */
export interface OrdersStage {
  database: TestDatabase;
  finance: FakeFinance;
  /** Stopped after the test; one that starts another in its place stops this one itself. */
  service: RunningOrders;
}

/** One database for the tests of a file, and for each of them a wallet at a fake finance and an instance of orders-saga. */
export function useOrders({
  deposit = '1000.00',
  env = {},
}: { deposit?: string; env?: Record<string, string> } = {}): OrdersStage {
  const stage = {} as OrdersStage;
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
