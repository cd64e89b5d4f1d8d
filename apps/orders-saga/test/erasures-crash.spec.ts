import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeFinance } from '@reseller/contract-testing';
import { ErasureStatus, RecipientKind } from '@reseller/contracts';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import { ERASURE_POINTS } from './crash-cells';
import { bundleOrders, spawnOrders } from './spawn-orders';
import { callOf, create, MIGRATIONS, operator, startOrders, topup } from './start-orders';

const ERASES = { ERASURE_HASH_KEY: `test:${'k'.repeat(32)}`, ERASURE_RECHECK_MS: '50' };
const ORDERS = 3;

let database: TestDatabase;
let bundle: Awaited<ReturnType<typeof bundleOrders>>;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  bundle = await bundleOrders();
});
afterAll(async () => {
  await bundle.remove();
  await database.drop();
});

describe('a process killed while it erases (spec §18.10)', () => {
  it.each(ERASURE_POINTS.map((point, at) => [point, at] as const))(
    'when it dies at %s, then another goes on, each order is erased and counted once, and it is known again',
    async (point, at) => {
      const finance = await new FakeFinance('1000.00').start();
      const [phoneNumber, call] = [`+96656000${at}9999`, callOf()];
      // It has no key, and so leaves the erasure to the process that dies.
      const seller = await startOrders(database, finance);
      const requests = Array.from({ length: ORDERS }, () => topup('9999', { phoneNumber }));
      for (const request of requests) await create(seller, request, call);
      await seller.stop();
      const doomed = await spawnOrders(bundle.file, {
        DATABASE_URL: database.serviceUrl,
        EVENT_BUS_URL: database.url,
        FINANCE_ADDRESS: finance.address,
        SCENT_COMMERCE_ADDRESS: '127.0.0.1:1',
        CRASH_POINT: point,
        ...ERASES,
      });
      const naming = { kind: RecipientKind.PHONE_NUMBER, recipient: phoneNumber, reason: 'ticket 4711' };
      // The process may die before it has responded.
      await doomed.erasures.requestErasure(naming, operator).catch(() => undefined);
      expect(await doomed.ended).toBe('SIGKILL');
      await doomed.stop();

      const survivor = await startOrders(database, finance, ERASES);
      const [erasure] = (await survivor.erasures.listErasures({ page: undefined }, operator)).erasures;
      await eventually(async () => {
        const now = await survivor.erasures.getErasure({ erasureId: erasure?.id ?? '' }, operator);
        expect(now.erasure).toMatchObject({
          status: ErasureStatus.COMPLETED,
          parts: [{ rows: String(ORDERS) }],
        });
      });
      const { rowCount } = await database.pool.query(
        'SELECT FROM orders WHERE position($1 in request::text) > 0',
        [phoneNumber],
      );
      expect(rowCount).toBe(0);
      for (const request of requests)
        expect((await create(survivor, request, call)).phoneNumber).toBe('+00000000000');
      await survivor.stop();
      await finance.stop();
    },
  );
});
