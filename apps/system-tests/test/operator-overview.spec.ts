import { expect, test } from '@jest/globals';
import { newTopup, phoneEnding } from '../src/clients/bodies';
import { OperatorClient } from '../src/clients/operator-client';
import { expectSuccess } from '../src/clients/response';
import { eventually } from '@reseller/testing';
import { readPlatformFile } from '../src/platform/platform-file';

const operator = new OperatorClient(readPlatformFile());

interface Overview {
  readonly orders: {
    readonly productType: string;
    readonly status: string;
    readonly count: number;
    readonly amount: number;
  }[];
  readonly refusals: { readonly code: string; readonly count: number }[];
  readonly vendors: {
    readonly name: string;
    readonly calls: number;
    readonly refusals: number;
    readonly successRate: number | null;
    readonly p50Ms: number | null;
    readonly p99Ms: number | null;
    readonly waitingOrders: number;
  }[];
  readonly creates: { readonly count: number; readonly p50Ms: number | null; readonly p99Ms: number | null };
}

test('when orders are created and refused, then the overview of just that time counts them (spec §18.7)', async () => {
  const partner = await operator.newPartner({ deposit: 100 });
  const from = new Date().toISOString();
  for (const amount of [10, 12.5]) expectSuccess(await partner.live.topup(newTopup({ amount })));
  const refused = await partner.live.topup(newTopup({ amount: 10, geoScopeGlobalId: 'GEO-NOWHERE' }));
  expect(refused.status).not.toBe(200);
  const to = new Date(Date.now() + 1_000).toISOString();
  // Other tests order at the same time.
  await eventually(async () => {
    const seen = await operator.get<Overview>(`/overview?environment=live&from=${from}&to=${to}`);
    const topups = seen.orders.filter(({ productType }) => productType === 'Topup');
    expect(topups.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(2);
    expect(topups.reduce((sum, { amount }) => sum + amount, 0)).toBeGreaterThanOrEqual(22.5);
    expect(seen.creates.count).toBeGreaterThanOrEqual(2);
    expect(seen.creates.p99Ms).toBeGreaterThanOrEqual(seen.creates.p50Ms ?? Infinity);
    expect(seen.refusals.map(({ code }) => code)).toContain(refused.state);
  });
});

test('when orders go to a vendor, then the overview shows how it does (spec §18.7)', async () => {
  const partner = await operator.newPartner({ deposit: 100 });
  const from = new Date().toISOString();
  expectSuccess(await partner.live.topup(newTopup({ amount: 10 })));
  const refused = await partner.live.topup(newTopup({ amount: 11, phoneNumber: phoneEnding('0001') }));
  expect(refused.payload).toMatchObject({ status: 'Failed' });
  await eventually(async () => {
    const to = new Date().toISOString();
    const { vendors } = await operator.get<Overview>(`/overview?environment=live&from=${from}&to=${to}`);
    const [vendor] = vendors.filter(({ refusals }) => refusals > 0);
    expect(vendor?.calls).toBeGreaterThanOrEqual(2);
    expect(vendor?.successRate).toBeGreaterThan(0);
    expect(vendor?.p99Ms).toBeGreaterThanOrEqual(vendor?.p50Ms ?? Infinity);
  });
});
