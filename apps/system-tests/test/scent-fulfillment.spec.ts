import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectSuccess } from '../src/clients/response';
import { OperatorClient, type TestPartner } from '../src/clients/operator-client';
import type { Page } from '../src/clients/resources';
import { readPlatformFile } from '../src/platform/platform-file';

const operator = new OperatorClient(readPlatformFile());
const DEPOSIT = 50_000;

interface Variant {
  readonly id: string;
  readonly availableQuantity?: number;
}
interface Line {
  readonly id: string;
  readonly quantity: number;
  readonly returnedQuantity: number;
  readonly lineTotal: number;
  readonly lineGoodsVatAmount: number;
  readonly partnerCommission: number;
  readonly lineCommissionVatAmount: number;
  readonly fulfillmentGroupId: string;
}
interface ScentOrder {
  readonly id: string;
  readonly externalReference: string;
  readonly orderGlobalId: string;
  readonly status: string;
  readonly completedAt: string | null;
  readonly lines: readonly Line[];
  readonly fulfillmentGroups: readonly { id: string; status: string; deliveredAt: string | null }[];
  readonly deliveryRollup: { totalGroups: number; deliveredGroups: number };
  readonly totalAmountWithVat: number;
  readonly totalCommissionWithVat: number;
}
interface ReturnRequest {
  readonly id: string;
  readonly status: string;
  readonly decidedAt: string | null;
  readonly decidedByUserId: string | null;
  readonly declineReason: string | null;
}

const cents = (amount: number): number => Math.round(amount * 100);

describe('a paid scent order from outside (spec §7.3, §8.2)', () => {
  let partner: TestPartner;
  let variants: readonly Variant[];
  beforeAll(async () => {
    partner = await operator.newPartner({ deposit: DEPOSIT, settings: { isVatRegistered: false } });
    const page = await partner.live.call<Page<Variant>>(
      '/scent/variants?availability=Available&pageSize=100',
    );
    variants = expectSuccess(page).items;
  });

  /** An order of `units` of each of many variants, so that several warehouses have to do with it. */
  async function order(units: number, atLeastGroups = 2): Promise<ScentOrder> {
    const customerRef = randomUUID();
    for (const { id } of variants.slice(0, 8)) {
      const body = { variantId: id, quantity: units };
      expectSuccess(
        await partner.live.call(`/scent/cart/items?customerRef=${customerRef}`, { method: 'POST', body }),
      );
    }
    const made = await partner.live.call<ScentOrder>('/orders/scent', {
      body: {
        externalReference: randomUUID(),
        customerRef,
        shippingAddress: {
          recipient: 'Noura',
          line1: 'King Fahd Road 12',
          city: 'Riyadh',
          country: 'SA',
          phone: '+966501234567',
        },
      },
    });
    const paid = expectSuccess(made);
    expect(paid.fulfillmentGroups.length).toBeGreaterThanOrEqual(atLeastGroups);
    return paid;
  }
  const move = (groupId: string, verb: string): Promise<ScentOrder> =>
    operator.post<ScentOrder>(`/fulfillment-groups/${groupId}/${verb}`);
  const read = async ({ id }: ScentOrder): Promise<ScentOrder> =>
    expectSuccess(await partner.live.call<ScentOrder>(`/orders/scent/${id}`));
  const requestReturn = (of: ScentOrder, line: Line, quantity: number) =>
    partner.live.call<ReturnRequest>(`/scent/orders/${of.id}/return-request`, {
      body: {
        fulfillmentGroupId: line.fulfillmentGroupId,
        lines: [{ scentOrderLineId: line.id, quantity, reasonCode: 'Damaged' }],
      },
    });
  const linesOf = async ({ orderGlobalId, externalReference }: ScentOrder) => {
    const all = await partner.live.transactions();
    const lines = all.filter(({ referenceId }) => referenceId === orderGlobalId);
    // Charge, commission, refunds and clawbacks, of returns too, are called by the partner's own reference (spec §3.6).
    expect(new Set(lines.map(({ notes }) => notes))).toEqual(new Set([externalReference]));
    return lines
      .map(({ referenceType, transactionType, amount }) => [referenceType, transactionType, cents(amount)])
      .reverse();
  };

  test('when every group is cancelled, then the wallet is as before and the ledger says why', async () => {
    const before = (await partner.live.balance()).availableBalance;
    const paid = await order(1);
    for (const { id } of paid.fulfillmentGroups) await move(id, 'cancel');
    const after = await read(paid);
    expect(after).toMatchObject({ status: 'Cancelled', completedAt: expect.any(String) });
    expect((await partner.live.balance()).availableBalance).toBe(before);
    const lines = await linesOf(paid);
    const sum = (type: string): number =>
      lines.filter(([one]) => one === type).reduce((total, line) => total + Number(line[2]), 0);
    expect(lines.slice(0, 2)).toEqual([
      ['Order', 'Debit', cents(paid.totalAmountWithVat)],
      ['Commission', 'Credit', cents(paid.totalCommissionWithVat)],
    ]);
    expect(sum('Refund')).toBe(cents(paid.totalAmountWithVat));
    expect(sum('CommissionClawback')).toBe(cents(paid.totalCommissionWithVat));
    const again = await operator.call(`/fulfillment-groups/${paid.fulfillmentGroups[0]?.id}/cancel`, {
      method: 'POST',
    });
    expect([again.status, again.state]).toEqual([409, 'CONFLICT_FULFILLMENT_GROUP_STATUS']);
  });

  test('when it is shipped, delivered and returned in parts, then the wallet ends where arithmetic says', async () => {
    const before = (await partner.live.balance()).availableBalance;
    const paid = await order(3);
    const early = await requestReturn(paid, paid.lines[0]!, 1);
    expect([early.status, early.state]).toEqual([422, 'BUSINESS_RETURN_REQUEST_GROUP_NOT_DELIVERED']);
    const [first, ...others] = paid.fulfillmentGroups;
    await move(first!.id, 'ship');
    await move(first!.id, 'deliver');
    expect(await read(paid)).toMatchObject({ status: 'PartiallyDelivered', completedAt: null });
    for (const { id } of others) {
      await move(id, 'ship');
      await move(id, 'deliver');
    }
    const delivered = await read(paid);
    expect(delivered).toMatchObject({
      status: 'Completed',
      deliveryRollup: { totalGroups: others.length + 1, deliveredGroups: others.length + 1 },
    });
    const line = paid.lines[0]!;
    for (const quantity of [1, 1, 1]) {
      const request = expectSuccess(await requestReturn(paid, line, quantity));
      expect(request).toMatchObject({ status: 'Pending', decidedAt: null, decidedByUserId: null });
      const decided = await operator.post<ReturnRequest>(`/return-requests/${request.id}/approve`);
      expect(decided).toMatchObject({
        status: 'Approved',
        decidedAt: expect.any(String),
        decidedByUserId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
    }
    expect((await requestReturn(paid, line, 1)).state).toBe('BUSINESS_RETURN_REQUEST_QUANTITY_EXCEEDED');
    const partly = await read(paid);
    expect(partly).toMatchObject({ status: 'PartiallyReturned', completedAt: delivered.completedAt });
    expect(partly.lines[0]?.returnedQuantity).toBe(3);
    const back =
      cents(line.lineTotal) +
      cents(line.lineGoodsVatAmount) -
      cents(line.partnerCommission) -
      cents(line.lineCommissionVatAmount);
    const charged = cents(paid.totalAmountWithVat) - cents(paid.totalCommissionWithVat);
    expect(cents((await partner.live.balance()).availableBalance)).toBe(cents(before) - charged + back);

    const declined = expectSuccess(await requestReturn(paid, paid.lines[1]!, 2));
    await operator.post(`/return-requests/${declined.id}/decline`, { reason: 'worn' });
    const twice = await operator.call(`/return-requests/${declined.id}/approve`, { method: 'POST' });
    expect([twice.status, twice.state]).toEqual([409, 'CONFLICT_RETURN_REQUEST_DECIDED']);
    for (const one of paid.lines.slice(1)) {
      const request = expectSuccess(await requestReturn(paid, one, one.quantity));
      await operator.post(`/return-requests/${request.id}/approve`);
    }
    expect((await read(paid)).status).toBe('Returned');
    expect((await partner.live.balance()).availableBalance).toBe(before);
    const requests = await partner.live.all<ReturnRequest>(`/scent/orders/${paid.id}/return-requests`);
    expect(requests).toHaveLength(4 + paid.lines.length - 1);
    expect(requests.find(({ id }) => id === declined.id)).toMatchObject({
      status: 'Declined',
      declineReason: 'worn',
    });
  });

  test('when an operator cancels the order, then its open groups are cancelled and it can be neither reversed nor cancelled again', async () => {
    const paid = await order(1);
    const [first] = paid.fulfillmentGroups;
    await move(first!.id, 'ship');
    await move(first!.id, 'deliver');
    const path = `/orders/${paid.orderGlobalId}`;
    const response = await operator.post<ScentOrder>(`${path}/cancel`, { notes: 'out of stock' });
    expect(response).toMatchObject({ id: paid.id, status: 'Completed' });
    for (const verb of ['cancel', 'reverse']) {
      const again = await operator.call(`${path}/${verb}`, { body: { notes: 'again' } });
      expect([again.status, again.state]).toEqual([409, 'CONFLICT_ORDER_STATE']);
    }
    const { entries, scentOrder } = await operator.get<{
      entries: { step: string }[];
      scentOrder: ScentOrder;
    }>(`${path}/timeline`);
    expect(scentOrder.status).toBe('Completed');
    expect(entries.map(({ step }) => step)).toEqual(
      expect.arrayContaining(['operator.ship', 'operator.deliver', 'operator.cancel-group']),
    );
  });
});
