import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CheckoutState,
  CheckoutStateServiceService,
  DifferenceState,
  ReconciliationServiceService,
} from '@reseller/contracts';
import { createRpcClient, type CallContext, type RpcClient } from '@reseller/rpc';
import { v7 as uuidv7 } from 'uuid';
import { addVariant } from './catalog-data';
import { knowPartner, startScentService, type ScentService } from './scent-service';
import { addCode } from './discount-data';

const anyCall = { requestId: 'r' };
const keys = { begun: `SC-${uuidv7()}`, committed: `SC-${uuidv7()}`, cancelled: `SC-${uuidv7()}` };
let scents: ScentService;
let reconciliation: RpcClient<typeof ReconciliationServiceService>;
let states: RpcClient<typeof CheckoutStateServiceService>;
let variantId: string;

async function begin(orderKey: string, call: CallContext, discountCode?: string) {
  await scents.carts.addCartItem({ variantId, quantity: 2, customerRef: orderKey }, call);
  const named = {
    orderKey,
    partnerId: call.partner?.partnerId ?? '',
    environment: call.partner!.environment,
  };
  await scents.checkouts.beginCheckout({ ...named, customerRef: orderKey, discountCode }, anyCall);
  return named;
}

beforeAll(async () => {
  scents = await startScentService({ RECONCILE_INTERVAL_MS: '0' });
  const options = { name: 'scent-commerce', defaultDeadlineMs: 60_000 };
  reconciliation = createRpcClient(ReconciliationServiceService, scents.address, options);
  states = createRpcClient(CheckoutStateServiceService, scents.address, options);
  variantId = await addVariant(scents.database, { listPrice: '10.00', cost: '1.00', onHand: 500 });
  const { call } = await knowPartner(scents);
  await addCode(scents.database, call, { code: 'TEN' });
  await begin(keys.begun, call, 'TEN');
  await scents.checkouts.commitCheckout(await begin(keys.committed, call, 'TEN'), anyCall);
  await scents.checkouts.cancelCheckout(await begin(keys.cancelled, call, 'TEN'), anyCall);
});
afterAll(async () => {
  reconciliation.close();
  states.close();
  await scents.stop();
});

async function force(sql: string): Promise<void> {
  const client = await scents.database.pool.connect();
  try {
    await client.query('SET session_replication_role = replica');
    expect((await client.query(sql)).rowCount).toBe(1);
  } finally {
    await client.query('RESET session_replication_role');
    client.release();
  }
}

async function differences(): Promise<string[]> {
  const { checks } = await reconciliation.runReconciliation({}, anyCall);
  expect(checks.every(({ isComplete }) => isComplete)).toBe(true);
  const page = { state: DifferenceState.OPEN, offset: 0, limit: 100 };
  const { differences: open } = await reconciliation.listDifferences(page, anyCall);
  return open.map((one) => `${one.check} ${one.kind}: ${one.expected}, not ${one.found}`).sort();
}

describe('scent-commerce reconciled with itself', () => {
  it('when all is well, then nothing differs', async () => {
    expect(await differences()).toEqual([]);
  });

  it.each([
    [
      'more stock is reserved than checkouts hold',
      `UPDATE stock_levels SET reserved = reserved + 1 WHERE environment = 'live'`,
      `UPDATE stock_levels SET reserved = reserved - 1 WHERE environment = 'live'`,
      ['stock reserved-live: 2, not 3'],
    ],
    [
      'a committed checkout did not use its discount up',
      `UPDATE discount_redemptions SET state = 'Pending' WHERE order_key = '${keys.committed}'`,
      `UPDATE discount_redemptions SET state = 'Redeemed' WHERE order_key = '${keys.committed}'`,
      [
        'checkouts discount: Redeemed or GivenBack or None (Committed), not Pending',
        'discounts pending: 2, not 1',
        'discounts used: 0, not 1',
      ],
    ],
    [
      'a code was counted twice',
      `UPDATE discount_codes SET usage_count = usage_count + 1`,
      `UPDATE discount_codes SET usage_count = usage_count - 1`,
      ['discounts used: 1, not 2'],
    ],
    [
      'the cart of a running checkout can be changed',
      `UPDATE carts SET order_key = NULL WHERE order_key = '${keys.begun}'`,
      `UPDATE carts SET order_key = '${keys.begun}' WHERE customer_ref = '${keys.begun}'`,
      ['checkouts cart: Open (Begun), not free'],
    ],
  ])('when %s, then exactly that is listed until it is repaired', async (_what, damage, repair, expected) => {
    await force(damage);
    expect(await differences()).toEqual(expected);
    await force(repair);
    expect(await differences()).toEqual([]);
  });

  it('when carts are checked out all the while, then nothing is ever reported', async () => {
    const { call } = await knowPartner(scents);
    await addCode(scents.database, call, { code: 'BUSY' });
    const count = async () => {
      const { rows } = await scents.database.pool.query('SELECT count(*) FROM reconciliation_differences');
      return rows[0] as unknown;
    };
    const before = await count();
    let isBusy = true;
    const reconciling = (async () => {
      while (isBusy) await reconciliation.runReconciliation({}, anyCall);
    })();
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let n = 0; n < 15; n += 1) {
          const named = await begin(`SC-${uuidv7()}`, call, n % 2 ? 'BUSY' : undefined);
          if (n % 3) await scents.checkouts.commitCheckout(named, anyCall);
          else await scents.checkouts.cancelCheckout(named, anyCall);
        }
      }),
    );
    isBusy = false;
    await reconciling;
    expect(await count()).toEqual(before);
  });
});

describe('the states of checkouts', () => {
  it('when they are requested by keys or page by page, then it returns where they stand, and names those not undone', async () => {
    const { checkouts } = await states.listCheckoutStates(
      { keys: [...Object.values(keys), 'SC-NONE'] },
      anyCall,
    );
    expect(new Map(checkouts.map(({ key, state }) => [key, state]))).toEqual(
      new Map([
        [keys.begun, CheckoutState.BEGUN],
        [keys.committed, CheckoutState.COMMITTED],
        [keys.cancelled, CheckoutState.CANCELLED],
      ]),
    );
    const first = await states.listCheckoutKeys({ afterKey: '', limit: 1 }, anyCall);
    const rest = await states.listCheckoutKeys({ afterKey: first.keys[0] ?? '', limit: 500 }, anyCall);
    expect([...first.keys, ...rest.keys]).toEqual(expect.arrayContaining([keys.begun, keys.committed]));
    expect([...first.keys, ...rest.keys]).not.toContain(keys.cancelled);
  });
});
