import { describe, expect, test } from '@jest/globals';
import { newTopup } from '../src/clients/bodies';
import { OperatorClient } from '../src/clients/operator-client';
import { expectSuccess } from '../src/clients/response';
import type { Page, Partner, TopupOrder } from '../src/clients/resources';
import { readPlatformFile } from '../src/platform/platform-file';

const operator = new OperatorClient(readPlatformFile());

interface OrderRow {
  readonly orderGlobalId: string;
  readonly partnerName: string;
}

interface Found {
  readonly partners: Partner[];
  readonly orders: OrderRow[];
  readonly deliveries: unknown[];
}

const searchFor = (q: string): Promise<Found> => operator.get<Found>(`/search?q=${encodeURIComponent(q)}`);

describe('finding what an operator has in hand (spec §18.7)', () => {
  test('when an order is looked for, then every id of it, alone or with others, leads to it with its partner’s name', async () => {
    const partner = await operator.newPartner({ deposit: 100 });
    const { name } = await operator.get<Partner>(`/partners/${partner.id}`);
    const order: TopupOrder = expectSuccess(await partner.sandbox.topup(newTopup({ amount: 10 })));
    const { orderGlobalId, externalReference, sagaId, phoneNumber } = order;
    for (const q of [orderGlobalId, externalReference, sagaId, order.orderId]) {
      const { orders } = await searchFor(` ${q} `);
      expect(orders).toMatchObject([{ orderGlobalId, partnerName: name }]);
    }
    const exact = { productType: 'Topup', partnerId: partner.id, environment: 'sandbox', phoneNumber };
    const list = async (more: Record<string, string>): Promise<readonly OrderRow[]> => {
      const query = new URLSearchParams({ ...exact, externalReference, orderGlobalId, ...more });
      return (await operator.get<Page<OrderRow>>(`/orders?${query.toString()}`)).items;
    };
    expect(await list({ fromDate: order.submittedAt })).toMatchObject([{ orderGlobalId, partnerName: name }]);
    const others: Record<string, string>[] = [
      { toDate: order.submittedAt },
      { productType: 'Esim' },
      { phoneNumber: '+966599999998' },
    ];
    for (const other of others) expect(await list(other)).toEqual([]);
    const timeline = await operator.get<{ order: OrderRow }>(`/orders/${orderGlobalId}/timeline`);
    expect(timeline.order.partnerName).toBe(name);
  });

  test('when a partner is looked for by a part of its name, then letter case does not matter', async () => {
    const partner = await operator.newPartner();
    const { name } = await operator.get<Partner>(`/partners/${partner.id}`);
    for (const q of [name.toUpperCase().slice(1), partner.id, partner.credentials.sandbox.clientId])
      expect((await searchFor(q)).partners.map(({ id }) => id)).toContain(partner.id);
    expect((await operator.call('/search?q=%20')).state).toBe('VALIDATION_FAILED');
  });
});
