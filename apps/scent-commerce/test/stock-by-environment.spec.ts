import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Availability, Badge, Environment } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { codeOf, eventually } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
import { notifyRegistrations } from '../src/back-in-stock/notify-registrations';
import { addScent, addVariant } from './catalog-data';
import { newOwner, newVariants, ordersOf, stockOf } from './scent-database';
import { knowPartner, startScentService, type ScentService } from './scent-service';

let scents: ScentService;
beforeAll(async () => {
  scents = await startScentService();
});
afterAll(() => scents.stop());

const anyCall = { requestId: 'r', operator: 'olga' };
const { LIVE, SANDBOX } = Environment;

/** A partner with marketing, as it calls in each environment. */
async function newPartner(): Promise<{ live: CallContext; sandbox: CallContext }> {
  const { call: live } = await knowPartner(scents, { marketingEnabled: true });
  if (!live.partner) throw new Error('a partner’s call names it');
  return { live, sandbox: { ...live, partner: { ...live.partner, environment: SANDBOX } } };
}

const named = (call: CallContext) => ({
  orderKey: `ORD-${uuidv7()}`,
  partnerId: call.partner?.partnerId ?? '',
  environment: call.partner?.environment ?? Environment.UNSPECIFIED,
});

/** Orders units of a variant. */
async function buy(call: CallContext, variantId: string, quantity: number): Promise<void> {
  const order = named(call);
  await scents.carts.addCartItem({ variantId, quantity }, call);
  await scents.checkouts.beginCheckout(order, anyCall);
  await scents.checkouts.commitCheckout(order, anyCall);
}

/** What one environment's partner sees of a variant, wherever it looks. */
async function seenBy(call: CallContext, variantId: string) {
  const page = { page: 1, pageSize: 100 };
  const [one, availability, quote] = await Promise.all([
    scents.catalog.getVariant({ variantId }, call),
    scents.catalog.getVariantAvailability({ variantId }, call),
    scents.carts.quotePrice({ lines: [{ variantId, quantity: 1 }] }, call),
  ]);
  const { variant } = one;
  const scent = await scents.catalog.getScent({ scentId: variant?.scentId ?? '' }, call);
  const list = await scents.catalog.listVariants(
    { page, sku: variant?.sku, availability: variant?.availability ?? Availability.UNSPECIFIED },
    call,
  );
  const looks = [variant, availability, quote.items[0], scent.scent?.variants[0], list.variants[0]];
  const quantities = new Set(looks.map((look) => look?.availableQuantity));
  expect([...quantities]).toHaveLength(1);
  return { quantity: availability.availableQuantity, badges: variant?.marketing?.badges ?? [] };
}

const bySku = (variantId: string) => scents.operations.getStockedVariant({ variantId }, anyCall);

describe('stock of each environment (spec §2.1)', () => {
  it.each([
    ['sandbox', 'live'],
    ['live', 'sandbox'],
  ] as const)(
    'when a %s order takes the last units, then those of %s can still be bought',
    async (one, other) => {
      const partner = await newPartner();
      const variantId = await addVariant(scents.database, { onHand: 4 });
      await buy(partner[one], variantId, 4);
      expect(await seenBy(partner[one], variantId)).toEqual({ quantity: 0, badges: [Badge.BEST_SELLER] });
      expect(await seenBy(partner[other], variantId)).toEqual({ quantity: 4, badges: [Badge.LIMITED] });
      const { cart } = await scents.carts.addCartItem({ variantId, quantity: 1 }, partner[one]);
      expect(cart?.items).toMatchObject([{ availableQuantity: 0, insufficientForQuantity: true }]);
      expect(await codeOf(scents.checkouts.beginCheckout(named(partner[one]), anyCall))).toBe(
        'BUSINESS_INSUFFICIENT_STOCK',
      );
      await buy(partner[other], variantId, 4);
      await scents.database.pool.query('DELETE FROM sales_totals');
    },
  );

  it('when stock comes back or a sample sells out in one environment, then its badges are there and not in the other', async () => {
    const partner = await newPartner();
    const scentId = await addScent(scents.database);
    const variantId = await addVariant(scents.database, { scentId, sku: `A-${uuidv7()}`, onHand: 0 });
    const sampleId = await addVariant(scents.database, {
      scentId,
      sku: `B-${uuidv7()}`,
      isSample: true,
      onHand: 30,
    });
    const update = (environment: Environment, id: string, stockOnHand: number) =>
      scents.operations.updateVariant({ variantId: id, environment, stockOnHand }, anyCall);
    await update(SANDBOX, variantId, 9);
    await update(LIVE, sampleId, 0);
    expect(await seenBy(partner.sandbox, variantId)).toEqual({
      quantity: 9,
      badges: [Badge.BACK_IN_STOCK, Badge.SAMPLE_AVAILABLE],
    });
    expect(await seenBy(partner.live, variantId)).toEqual({ quantity: 0, badges: [] });
  });

  it('when both environments race for what is there, then each sells exactly that', async () => {
    const { pool } = scents.database;
    const [id = '', other = ''] = await newVariants(pool, [7, 7]);
    const owners = [newOwner('live'), newOwner('sandbox')].map((owner) => ordersOf(pool, owner));
    const begun = await Promise.all(
      owners.flatMap((orders, at) =>
        Array.from({ length: 12 }, (_, n) => {
          const ids = (n + at) % 2 === 0 ? [id, other] : [other, id];
          return orders.begin(
            uuidv7(),
            ids.map((variantId) => ({ variantId, quantity: 1 })),
          );
        }),
      ),
    );
    expect(begun.filter(({ outcome }) => outcome === 'Begun')).toHaveLength(14);
    for (const environment of ['live', 'sandbox'] as const) {
      expect(await stockOf(pool, [id, other], environment)).toEqual([
        { onHand: 7, reserved: 7 },
        { onHand: 7, reserved: 7 },
      ]);
    }
  });
});

describe('stock as operators change it (spec §18.8)', () => {
  const stockOfBoth = async (variantId: string) =>
    (await bySku(variantId)).variant?.stock.map(({ stockOnHand }) => stockOnHand);
  const set = (variantId: string, changes: object) =>
    scents.operations.updateVariant({ variantId, ...changes }, anyCall);
  const addUnits = (variantId: string, delta: number, environment?: Environment) =>
    scents.operations.addVariantStock({ variantId, delta, environment }, anyCall);
  const detailsOf = (request: Promise<unknown>) =>
    request.then(
      () => 'done',
      (error: { code: string; details: object }) => ({ code: error.code, ...error.details }),
    );

  it('when the expected number is not there, in one or in either environment, then nothing changes and the number is named', async () => {
    const { live } = await newPartner();
    const variantId = await addVariant(scents.database, { onHand: 8 });
    await buy(live, variantId, 3);
    expect(await stockOfBoth(variantId)).toEqual([5, 8]);
    const stale = { stockOnHand: 20, expectedStockOnHand: 8, cost: '1.00' };
    const conflict = { code: 'CONFLICT_STOCK_CHANGED', stockOnHand: 5, environment: 'live' };
    expect(await detailsOf(set(variantId, { ...stale, environment: LIVE }))).toMatchObject(conflict);
    expect(await detailsOf(set(variantId, stale))).toMatchObject(conflict);
    expect(await detailsOf(set(variantId, { expectedStockOnHand: 8, isActive: false }))).toMatchObject(
      conflict,
    );
    expect((await bySku(variantId)).variant).toMatchObject({ cost: '40.00', isActive: true });
    expect(await stockOfBoth(variantId)).toEqual([5, 8]);
    await set(variantId, { ...stale, environment: SANDBOX });
    await set(variantId, { stockOnHand: 6, expectedStockOnHand: 5, environment: LIVE });
    expect(await stockOfBoth(variantId)).toEqual([6, 20]);
  });

  it('when twenty set the same expected number at once, then one of them does', async () => {
    const variantId = await addVariant(scents.database, { onHand: 5 });
    const codes = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        codeOf(set(variantId, { stockOnHand: 100 + n, expectedStockOnHand: 5 })),
      ),
    );
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    expect(codes.filter((code) => code === 'CONFLICT_STOCK_CHANGED')).toHaveLength(19);
  });

  it('when units are added and taken at once while orders run, then all of it counts', async () => {
    const { live } = await newPartner();
    const variantId = await addVariant(scents.database, { onHand: 50 });
    await Promise.all([
      buy(live, variantId, 4),
      ...[7, -3, 11, -2].map((delta) => addUnits(variantId, delta)),
      ...[5, -1].map((delta) => addUnits(variantId, delta, LIVE)),
    ]);
    expect(await stockOfBoth(variantId)).toEqual([50 + 13 + 4 - 4, 50 + 13]);
  });

  it('when less than nothing or less than is reserved would be left in either environment, then neither changes', async () => {
    const { sandbox } = await newPartner();
    const variantId = await addVariant(scents.database, { onHand: 5 });
    await scents.carts.addCartItem({ variantId, quantity: 3 }, sandbox);
    await scents.checkouts.beginCheckout(named(sandbox), anyCall);
    for (const [delta, environment] of [[-3], [-6, LIVE], [1_000_000_000, LIVE]] as const) {
      const refusal = await detailsOf(addUnits(variantId, delta, environment));
      expect(refusal).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'delta' }] });
    }
    expect((await bySku(variantId)).variant).toMatchObject({
      stockOnHand: 5,
      stockReserved: 3,
      availability: Availability.LIMITED,
      stock: [
        { environment: LIVE, stockOnHand: 5, stockReserved: 0 },
        { environment: SANDBOX, stockOnHand: 5, stockReserved: 3 },
      ],
    });
    await addUnits(variantId, -2);
    expect(await stockOfBoth(variantId)).toEqual([3, 3]);
    expect(await codeOf(addUnits(uuidv7(), 1))).toBe('NOT_FOUND_VARIANT');
  });
});

describe('back in stock in each environment (spec §6.10, §10.3)', () => {
  const registered = async () => {
    const partner = await newPartner();
    const variantId = await addVariant(scents.database, { onHand: 0 });
    const { backInStock } = scents;
    for (const call of [partner.live, partner.sandbox])
      await backInStock.registerBackInStock({ variantId }, call);
    const statusOf = async (call: CallContext) => {
      while (await notifyRegistrations(scents.database.servicePool));
      const { registrations } = await backInStock.listBackInStockRegistrations({ page: undefined }, call);
      return registrations.map(({ status }) => status.replace('BACK_IN_STOCK_STATUS_', ''));
    };
    const statuses = async () => [await statusOf(partner.live), await statusOf(partner.sandbox)].flat();
    // The service's own job may be at it.
    const expectStatuses = (expected: string[]) =>
      eventually(async () => expect(await statuses()).toEqual(expected));
    const update = (changes: object) => scents.operations.updateVariant({ variantId, ...changes }, anyCall);
    return { variantId, partner, expectStatuses, update };
  };

  it('when stock rises in one environment, by an operator or a cancelled order, then only who waits there is notified', async () => {
    const { variantId, partner, expectStatuses, update } = await registered();
    await update({ environment: SANDBOX, stockOnHand: 2 });
    await expectStatuses(['ACTIVE', 'NOTIFIED']);
    await update({ isActive: false });
    await update({ environment: LIVE, stockOnHand: 2 });
    await expectStatuses(['ACTIVE', 'NOTIFIED']);
    await update({ isActive: true });
    await expectStatuses(['NOTIFIED', 'NOTIFIED']);

    const order = named(partner.live);
    await scents.carts.addCartItem({ variantId, quantity: 2 }, partner.live);
    await scents.checkouts.beginCheckout(order, anyCall);
    for (const call of [partner.live, partner.sandbox])
      await scents.backInStock.registerBackInStock({ variantId }, call);
    await scents.checkouts.cancelCheckout(order, anyCall);
    await expectStatuses(['NOTIFIED', 'NOTIFIED', 'ACTIVE', 'NOTIFIED']);
  });

  it('when a variant goes back on sale, then it is a rise where it has stock, and none where it has not', async () => {
    const { expectStatuses, update } = await registered();
    await update({ isActive: false });
    await update({ environment: LIVE, stockOnHand: 1 });
    await update({ isActive: true });
    await expectStatuses(['NOTIFIED', 'ACTIVE']);
  });
});
