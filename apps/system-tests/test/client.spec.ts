import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createResellerClient, type ResellerClient } from '@reseller/client';
import { newTopup } from '../src/clients/bodies';
import { OperatorClient, type TestPartner } from '../src/clients/operator-client';
import { readPlatformFile } from '../src/platform/platform-file';

const platform = readPlatformFile();
const operator = new OperatorClient(platform);
const clientOf = ({ credentials }: TestPartner): ResellerClient =>
  createResellerClient({ baseUrl: platform.gatewayUrl, ...credentials.sandbox });

describe('the client that partners install', () => {
  let partner: TestPartner;
  let client: ResellerClient;
  beforeAll(async () => {
    partner = await operator.newPartner({ deposit: 1_000 });
    client = clientOf(partner);
  });

  test.each(['unavailable', 'unavailable-after', 'drop-response', 'rate-limited'] as const)(
    'when the first attempt of a create meets %s, then the client repeats it and it is done once',
    async (sandboxFault) => {
      const body = newTopup({ amount: 10 });
      const order = await client.createTopupOrder(body, { sandboxFault });
      expect(order.status).toBe('Completed');
      const { items } = await client.listWalletTransactions({ pageSize: 100 });
      expect(items.filter(({ referenceId }) => referenceId === order.orderGlobalId)).toHaveLength(1);

      const customerRef = randomUUID();
      const { items: variants } = await client.listVariants({ availability: 'Available', pageSize: 1 });
      const added = { customerRef, variantId: variants[0]?.id ?? '', quantity: 2 };
      const cart = await client.addCartItem(added, { sandboxFault });
      expect(cart.items.map(({ quantity }) => quantity)).toEqual([2]);
    },
  );

  test('when decimals are text, then they are the same digits, and everything else is as it was', async () => {
    const inText = createResellerClient({
      baseUrl: platform.gatewayUrl,
      ...partner.credentials.sandbox,
      decimals: 'string',
    });
    const [numbers, texts] = [
      await client.listVariants({ pageSize: 100 }),
      await inText.listVariants({ pageSize: 100 }),
    ];
    const back = (_: string, value: unknown) =>
      typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
    expect(texts.items[0]).toMatchObject({
      listPrice: String(numbers.items[0]?.listPrice),
      sizeMl: numbers.items[0]?.sizeMl,
    });
    expect(JSON.parse(JSON.stringify(texts), back)).toEqual(JSON.parse(JSON.stringify(numbers), back));
  });

  test('when it acts for a partner below, then the order and the events are that partner’s', async () => {
    const child = await operator.newPartner({ deposit: 100, settings: { parentPartnerId: partner.id } });
    const order = await client.onBehalfOf(child.id).createTopupOrder(newTopup({ amount: 10 }));
    expect(order.partnerId).toBe(child.id);
    for await (const { eventType, data } of clientOf(child).followEvents()) {
      expect([eventType, data]).toEqual([
        'order.completed',
        expect.objectContaining({ orderGlobalId: order.orderGlobalId }),
      ]);
      break;
    }
  });

  test('when every list is iterated, then each gives as many items as its pages count', async () => {
    for (const list of [
      client.listOrders,
      client.listTopupOrders,
      client.listWalletTransactions,
      client.listBrands,
      client.listEsimProducts,
    ]) {
      const { pagination } = await list({ pageSize: 2 });
      let count = 0;
      for await (const _ of list({ pageSize: 2 })) count += 1;
      expect(count).toBe(pagination.totalCount);
    }
  });
});
