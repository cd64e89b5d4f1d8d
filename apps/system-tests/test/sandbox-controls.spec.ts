import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { OperatorClient } from '../src/clients/operator-client';
import { expectSuccess } from '../src/clients/response';
import { readPlatformFile } from '../src/platform/platform-file';

const SHIPPING_ADDRESS = {
  recipient: 'Noura',
  line1: 'King Fahd Road 12',
  city: 'Riyadh',
  country: 'SA',
  phone: '+966501234567',
};

interface Order {
  id: string;
  status: string;
  lines: { id: string; fulfillmentGroupId: string; returnedQuantity: number }[];
  fulfillmentGroups: { id: string; status: string }[];
}
interface ReturnRequest {
  id: string;
  status: string;
  decidedByUserId: string | null;
}

describe('a partner alone in its sandbox (spec §15.1)', () => {
  test('when it plays our part, then its orders, returns, wallet, statements and locks follow, and live ones do not', async () => {
    const operator = new OperatorClient(readPlatformFile());
    const partner = await operator.newPartner({ deposit: 1 });
    const { sandbox, live } = partner;
    const post = async <T>(path: string, body: object = {}): Promise<T> =>
      expectSuccess(await sandbox.call<T>(path, { method: 'POST', body }));
    const codeOf = async (path: string, body: object = {}, client = sandbox): Promise<string> =>
      (await client.call(path, { method: 'POST', body })).state;

    const credit = { amount: 100_000, externalReference: 'play-money' };
    const line = await post('/sandbox/wallet/credit', credit);
    expect(line).toMatchObject({ transactionType: 'Credit', referenceType: 'Deposit', notes: 'play-money' });
    expect(await post('/sandbox/wallet/credit', credit)).toEqual(line);
    const other = { ...credit, amount: 1 };
    expect(await codeOf('/sandbox/wallet/credit', other)).toBe('CONFLICT_DUPLICATE_EXTERNAL_REFERENCE');

    const variants = await sandbox.call<{ items: { id: string }[] }>(
      '/scent/variants?availability=Available',
    );
    const variantId = expectSuccess(variants).items[0]?.id;
    await post('/scent/cart/items', { variantId, quantity: 1 });
    const preview = await sandbox.call<{ lockId: string }>('/scent/cart/checkout-preview?lock=true');
    const { lockId } = expectSuccess(preview);
    const expired = await post(`/sandbox/price-locks/${lockId}/expire`);
    expect(await post(`/sandbox/price-locks/${lockId}/expire`)).toEqual(expired);
    const order = { externalReference: randomUUID(), shippingAddress: SHIPPING_ADDRESS };
    expect(await codeOf('/orders/scent', { ...order, lockId })).toBe('VALIDATION_PRICE_LOCK_EXPIRED');
    const paid = await post<Order>('/orders/scent', order);
    expect(await codeOf(`/sandbox/price-locks/${lockId}/expire`)).toBe('NOT_FOUND_PRICE_LOCK');

    const group = `/sandbox/fulfillment-groups/${paid.fulfillmentGroups[0]?.id}`;
    expect(await codeOf(`${group}/deliver`)).toBe('CONFLICT_FULFILLMENT_GROUP_STATUS');
    expect(await codeOf(`${group}/ship`, {}, live)).toBe('FORBIDDEN_SANDBOX_ONLY');
    await post(`${group}/ship`);
    const delivered = await post<Order>(`${group}/deliver`);
    expect(delivered.status).toBe('Completed');

    const [bought] = paid.lines;
    const requested = await post<ReturnRequest>(`/scent/orders/${paid.id}/return-request`, {
      fulfillmentGroupId: bought?.fulfillmentGroupId,
      lines: [{ scentOrderLineId: bought?.id, quantity: 1, reasonCode: 'Damaged' }],
    });
    const approved = await post<ReturnRequest>(`/sandbox/return-requests/${requested.id}/approve`);
    expect(approved).toMatchObject({ status: 'Approved', decidedByUserId: null });
    const again = { reason: 'worn' };
    expect(await codeOf(`/sandbox/return-requests/${requested.id}/decline`, again)).toBe(
      'CONFLICT_RETURN_REQUEST_DECIDED',
    );

    const topup = { externalReference: randomUUID(), geoScopeGlobalId: 'GEO-SA', amount: 10 };
    const unknown = await post<{ orderGlobalId: string; status: string }>('/orders/topup', {
      ...topup,
      phoneNumber: '+966501230005',
    });
    expect(unknown.status).toBe('InterventionRequired');
    const decided = `/sandbox/orders/${unknown.orderGlobalId}`;
    expect(await post(`${decided}/resolve`, { outcome: 'Completed' })).toMatchObject({ status: 'Completed' });
    expect(await post(`${decided}/reverse`)).toMatchObject({ status: 'Reversed' });

    // None of it is an operator's doing (spec §18.4).
    const { items: lines } = await operator.get<{ items: Record<string, unknown>[] }>(
      `/partners/${partner.id}/wallet/transactions?environment=sandbox&pageSize=100`,
    );
    const own = lines.filter(({ notes }) => notes !== 'Test deposit');
    expect(own).toHaveLength(lines.length - 1);
    expect(own.length).toBeGreaterThan(4);
    for (const one of own) expect(one).toMatchObject({ operator: null, requestId: null, approvedBy: null });

    const period = { periodFrom: '2026-01-01T00:00:00Z', periodTo: new Date().toISOString() };
    const statement = await post<{ document: { lines: object[] } }>('/sandbox/statements', period);
    expect(statement.document.lines).toContainEqual(line);
    expect(await codeOf('/sandbox/statements', period)).toBe('CONFLICT_STATEMENT_PERIOD');
  });
});
