import { describe, expect, test } from '@jest/globals';
import { newTopup } from '../src/clients/bodies';
import { OperatorClient } from '../src/clients/operator-client';
import { expectSuccess } from '../src/clients/response';
import { readPlatformFile } from '../src/platform/platform-file';

const operator = new OperatorClient(readPlatformFile());

describe('rates (spec §3.3)', () => {
  test('when a rate changes, then balances follow at once and orders keep theirs', async () => {
    const setRate = (rate: number) => operator.call('/rates/JPY', { method: 'PUT', body: { rate } });
    expectSuccess(await setRate(40));
    const partner = await operator.newPartner({ deposit: 100, settings: { displayCurrency: 'JPY' } });
    const order = expectSuccess(await partner.sandbox.topup(newTopup({ amount: 10.01 })));
    // Yen have no minor unit: 10.01 × 40 = 400.4.
    expect(order).toMatchObject({ displayCurrency: 'JPY', rate: 40, amountDisplay: 400 });
    expectSuccess(await setRate(41.5));
    // 89.99 × 41.5 = 3734.585.
    expect(await partner.sandbox.balance()).toMatchObject({
      rate: 41.5,
      currentBalance: 89.99,
      currentBalanceDisplay: 3735,
      availableBalanceDisplay: 3735,
    });
    expect(await partner.sandbox.order(order.orderId)).toEqual(order);
    await operator.patch(`/partners/${partner.id}`, { displayCurrency: null });
    expect(await partner.sandbox.balance()).toMatchObject({
      displayCurrency: null,
      rate: null,
      currentBalanceDisplay: null,
      availableBalanceDisplay: null,
    });
    expect((await operator.call('/rates/XXXX', { method: 'PUT', body: { rate: 1 } })).status).toBe(400);
    expect((await operator.call('/rates/JPY', { method: 'PUT', body: { rate: 0 } })).status).toBe(400);
  });
});
