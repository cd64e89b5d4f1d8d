import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DiscountRefusal, DiscountType } from '@reseller/contracts';
import { v7 as uuidv7 } from 'uuid';
import { addVariant } from './catalog-data';
import { callAs, startScentService, type ScentService } from './scent-service';
import { addCode } from './discount-data';

let scents: ScentService;
beforeAll(async () => {
  scents = await startScentService();
});
afterAll(() => scents.stop());

describe('a check of a discount code (spec §6.8)', () => {
  it('when a code is tried on a cart, then the result is what a preview would say, and nothing is held', async () => {
    const call = callAs(uuidv7());
    const variantId = await addVariant(scents.database, { listPrice: '33.35' });
    await addCode(scents.database, call, { code: 'TEN', value: '10', perCustomerCap: 1, totalUsageCap: 1 });
    await addCode(scents.database, call, { code: 'BIG', minOrderValue: '100.06' });
    await addCode(scents.database, call, { code: 'OFF', isActive: false });
    const check = (code: string, customerRef?: string) =>
      scents.discountCodes.checkDiscountCode({ customerRef, code }, call);

    // An empty cart has nothing eligible; a minimum is looked at before that.
    const { NO_ELIGIBLE_LINES, BELOW_MINIMUM_ORDER, CUSTOMER_REF_REQUIRED, INACTIVE, UNKNOWN } =
      DiscountRefusal;
    expect(await check('ten', 'c')).toEqual({ code: 'TEN', refusal: NO_ELIGIBLE_LINES, discount: undefined });
    expect((await check('big', 'c')).refusal).toBe(BELOW_MINIMUM_ORDER);

    await scents.carts.addCartItem({ customerRef: 'c', variantId, quantity: 3 }, call);
    const applied = { code: 'TEN', discountType: DiscountType.PERCENT, value: '10.00', amount: '10.01' };
    for (let time = 0; time < 3; time += 1) {
      expect(await check('tEn', 'c')).toEqual({
        code: 'TEN',
        refusal: DiscountRefusal.UNSPECIFIED,
        discount: applied,
      });
    }
    const preview = await scents.carts.previewCheckout(
      { customerRef: 'c', lock: false, discountCode: 'ten' },
      call,
    );
    expect(preview.discount).toEqual(applied);

    expect((await check('ten')).refusal).toBe(CUSTOMER_REF_REQUIRED);
    expect((await check('big', 'c')).refusal).toBe(BELOW_MINIMUM_ORDER);
    expect(await check('off', 'c')).toEqual({ code: 'OFF', refusal: INACTIVE, discount: undefined });
    for (const unknown of ['nEver', 'not a code!', 'a'])
      expect(await check(unknown, 'c')).toEqual({ code: unknown, refusal: UNKNOWN, discount: undefined });
  });

  it('when a checkout holds the last slot or the customer’s only one, then the code is used up for others', async () => {
    const call = callAs(uuidv7());
    const variantId = await addVariant(scents.database, { listPrice: '100.00', cost: '10.00', onHand: 10 });
    await addCode(scents.database, call, { code: 'ONCE', totalUsageCap: 1 });
    await addCode(scents.database, call, { code: 'EACH', perCustomerCap: 1 });
    const check = (code: string, customerRef: string) =>
      scents.discountCodes.checkDiscountCode({ customerRef, code }, call);
    const { partnerId = '', environment } = call.partner ?? {};
    const scope = { partnerId, environment: environment ?? 0 } as { partnerId: string; environment: never };
    for (const [discountCode, customerRef] of [
      ['once', 'a'],
      ['each', 'b'],
    ] as const) {
      await scents.carts.addCartItem({ customerRef, variantId, quantity: 1 }, call);
      await scents.checkouts.beginCheckout({ ...scope, orderKey: uuidv7(), customerRef, discountCode }, call);
    }
    expect((await check('once', 'c')).refusal).toBe(DiscountRefusal.USAGE_CAP_REACHED);
    expect((await check('each', 'b')).refusal).toBe(DiscountRefusal.CUSTOMER_CAP_REACHED);
    expect((await check('each', 'c')).refusal).toBe(DiscountRefusal.NO_ELIGIBLE_LINES);
  });
});
