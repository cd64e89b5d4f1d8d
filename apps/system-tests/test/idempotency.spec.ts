import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectSuccess } from '../src/clients/response';
import { OperatorClient } from '../src/clients/operator-client';
import type { TestPartner } from '../src/clients/operator-client';
import { newTopup, phoneEnding } from '../src/clients/bodies';
import { readBooks } from '../src/money-check';
import { readPlatformFile } from '../src/platform/platform-file';
import { readVendorJournal } from '../src/platform/vendor-journal';
import { keyed } from '../src/clients/scents';

const operator = new OperatorClient(readPlatformFile());

describe('the external reference (spec §4.2)', () => {
  let partner: TestPartner;
  beforeAll(async () => {
    partner = await operator.newPartner({ deposit: 100 });
  });

  test('when the same values come again in another form, then the same order is returned and nothing is charged', async () => {
    const body = newTopup({ amount: 10 });
    const order = expectSuccess(await partner.sandbox.topup(body));
    const again = JSON.stringify({
      partnerId: partner.id,
      partnerGlobalId: partner.globalId,
      phoneNumber: body.phoneNumber,
      sagaId: null,
      amount: 10,
      geoScopeGlobalId: body.geoScopeGlobalId,
      externalReference: body.externalReference,
    }).replace('"amount":10', '"amount":10.00');
    const replay = await partner.sandbox.call('/orders/topup', { rawBody: again });
    expect([replay.status, replay.payload]).toEqual([200, order]);
    expect(
      (await partner.sandbox.transactions()).filter((line) => line.transactionType === 'Debit'),
    ).toHaveLength(1);
  });

  test('when other values come under it, then the fields that differ are named', async () => {
    const body = newTopup();
    expectSuccess(await partner.sandbox.topup(body));
    const other = await partner.sandbox.topup({ ...body, amount: 11, phoneNumber: phoneEnding('1111') });
    expect([other.status, other.state, [...(other.details.mismatchedFields ?? [])].sort()]).toEqual([
      409,
      'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE',
      ['amount', 'phoneNumber'],
    ]);
  });

  test('when an order was refused by a rule, then its reference is free again', async () => {
    const body = newTopup({ amount: 400 });
    expect((await partner.sandbox.topup(body)).state).toBe('BUSINESS_INSUFFICIENT_BALANCE');
    expect((await partner.sandbox.call(`/orders/topup/reference/${body.externalReference}`)).status).toBe(
      404,
    );
    expect(expectSuccess(await partner.sandbox.topup({ ...body, amount: 5 })).status).toBe('Completed');
  });

  test('when the wallet is empty, then a finished order is still returned', async () => {
    const poor = await operator.newPartner({ deposit: 10 });
    const body = newTopup({ amount: 10 });
    const order = expectSuccess(await poor.sandbox.topup(body));
    expect((await poor.sandbox.balance()).availableBalance).toBe(0);
    expect(expectSuccess(await poor.sandbox.topup(body))).toEqual(order);
    expect((await poor.sandbox.topup(newTopup({ amount: 10 }))).state).toBe('BUSINESS_INSUFFICIENT_BALANCE');
  });

  test('when sandbox and live, or two partners, use one reference, then these are orders of their own', async () => {
    const other = await operator.newPartner({ deposit: 100 });
    const body = newTopup();
    const orders = [
      expectSuccess(await partner.sandbox.topup(body)),
      expectSuccess(await partner.live.topup(body)),
      expectSuccess(await other.sandbox.topup(body)),
    ];
    expect(new Set(orders.map((order) => order.orderId)).size).toBe(3);
  });
});

test('when fifty identical creates arrive at once, then there is one order, one charge, one vendor call', async () => {
  const partner = await operator.newPartner({ deposit: 1_000 });
  const body = newTopup({ amount: 10 });
  const responses = await Promise.all(Array.from({ length: 50 }, () => partner.sandbox.topup(body)));
  expect(
    responses.filter(
      (response) => response.status !== 200 && response.state !== 'CONFLICT_ORDER_IN_PROGRESS',
    ),
  ).toEqual([]);
  const completed = responses.filter((response) => response.status === 200);
  expect(new Set(completed.map((response) => response.payload.orderId)).size).toBe(1);
  expect(new Set(completed.map((response) => response.payload.status))).toEqual(new Set(['Completed']));
  const orders = await partner.sandbox.orders();
  expect(orders).toHaveLength(1);
  const journal = await readVendorJournal('sandbox', [orders[0]!.orderGlobalId]);
  expect([...journal.values()]).toEqual([
    { idempotencyKey: orders[0]!.orderGlobalId, isDelivered: true, submissions: 1 },
  ]);
  expect(await readBooks(partner.sandbox, 'sandbox')).toMatchObject({
    debits: 1_000,
    balance: 99_000,
    available: 99_000,
  });
});

test('when a slow order is sent again while it runs, then the duplicate waits and returns the one order', async () => {
  const partner = await operator.newPartner({ deposit: 100 });
  const body = newTopup({ phoneNumber: phoneEnding('0007') });
  const responses = await Promise.all([1, 2, 3].map(() => partner.sandbox.topup(body)));
  for (const response of responses) {
    if (response.status === 409) {
      expect([response.state, response.headers.has('retry-after')]).toEqual([
        'CONFLICT_ORDER_IN_PROGRESS',
        true,
      ]);
      expect(response.details.orderId).toEqual(expect.any(String));
    } else expect(response.payload.status).toBe('Completed');
  }
  expect(responses.some((response) => response.status === 200)).toBe(true);
  expect(await partner.sandbox.orders()).toHaveLength(1);
});

test('when one wallet is overspent from fifty directions, then exactly what it covers is sold', async () => {
  const partner = await operator.newPartner({ deposit: 100 });
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => partner.sandbox.topup(newTopup({ amount: 7 }))),
  );
  const sold = responses.filter((response) => response.status === 200);
  const refused = responses.filter((response) => response.state === 'BUSINESS_INSUFFICIENT_BALANCE');
  expect([sold.length, refused.length]).toEqual([14, 36]);
  expect(await readBooks(partner.sandbox, 'sandbox')).toEqual({
    completedOrders: 9_800,
    debits: 9_800,
    credits: 10_000,
    balance: 200,
    available: 200,
    brokenLines: 0,
    uncaptured: [],
    undelivered: [],
    openOrders: [],
  });
  expect(await partner.sandbox.orders()).toHaveLength(14);
});

test('when a key was used for a create of one service, then it is refused for one of another, and free if that was refused (spec §1.11)', async () => {
  const { sandbox } = await operator.newPartner();
  const create = (path: string, body: object) => sandbox.call(path, { body, headers: keyed('one key') });
  const webhook = { url: 'https://8.8.8.8/hooks', eventTypes: ['order.completed'] };
  const code = { code: 'KEYED', discountType: 'Percent', value: 5, isActive: true, productScope: 'All' };
  const states = [];
  for (const [path, body] of [
    ['/webhooks', { ...webhook, url: 'https://10.0.0.1/hooks' }],
    ['/scent/discount-codes', code],
    ['/webhooks', webhook],
    ['/scent/discount-codes', code],
  ] as const)
    states.push((await create(path, body)).state);
  expect(states).toEqual([
    'VALIDATION_WEBHOOK_URL_REJECTED',
    'SUCCESS',
    'CONFLICT_IDEMPOTENCY_KEY_REUSED',
    'SUCCESS',
  ]);
});
