import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectSuccess } from '../src/clients/response';
import { OperatorClient } from '../src/clients/operator-client';
import type { TestPartner } from '../src/clients/operator-client';
import type { PartnerClient } from '../src/clients/partner-client';
import type { Page } from '../src/clients/resources';
import { readPlatformFile } from '../src/platform/platform-file';

const PATH = '/scent/cart/back-in-stock';
const operator = new OperatorClient(readPlatformFile());

interface Registration {
  readonly id: string;
  readonly status: string;
  readonly notifiedAt: string | null;
}

const register = async (
  client: PartnerClient,
  variantId: string,
  customerRef?: string | null,
): Promise<Registration> =>
  expectSuccess(await client.call<Registration>(PATH, { body: { variantId, customerRef } }));
const cancel = (client: PartnerClient, id: string) =>
  client.call<Registration>(`${PATH}/${id}`, { method: 'DELETE' });

describe('back in stock (spec §6.10)', () => {
  let partner: TestPartner;
  let variants: readonly { id: string; sku: string }[];
  beforeAll(async () => {
    partner = await operator.newPartner();
    variants = expectSuccess(
      await partner.sandbox.call<Page<{ id: string; sku: string }>>('/scent/variants'),
    ).items;
  });

  test('when a partner registers, then each customer waits once, and every status is listed, newest first', async () => {
    const { id: variantId = '', sku } = variants[0] ?? {};
    const own = await register(partner.sandbox, variantId);
    expect(own).toEqual({
      id: expect.any(String),
      variantId,
      sku,
      customerRef: null,
      status: 'Active',
      createdAt: expect.any(String),
      notifiedAt: null,
    });
    expect(await register(partner.sandbox, variantId.toUpperCase(), null)).toEqual(own);
    const many = await Promise.all(
      Array.from({ length: 10 }, () => register(partner.sandbox, variantId, 'زبون 🌹')),
    );
    expect(new Set(many.map(({ id }) => id)).size).toBe(1);
    const theirs = many[0];
    const cancelled = expectSuccess(await cancel(partner.sandbox, own.id));
    expect(cancelled).toEqual({ ...own, status: 'Cancelled' });
    expect(expectSuccess(await cancel(partner.sandbox, own.id))).toEqual(cancelled);
    expect(await partner.sandbox.all(PATH)).toEqual([theirs, cancelled]);
    expect((await register(partner.sandbox, variantId)).id).not.toBe(own.id);
  });

  test('when an operator brings a variant back, then each Active registration becomes Notified, once', async () => {
    const page = await partner.sandbox.call<Page<{ id: string }>>('/scent/variants?availability=Unavailable');
    // The last of them: the catalog's own tests look at the first.
    const variantId = expectSuccess(page).items.at(-1)?.id ?? '';
    const stock = (stockOnHand: number) => operator.patch(`/variants/${variantId}`, { stockOnHand });
    const find = async (client: PartnerClient, id: string) =>
      (await client.all<Registration>(PATH)).find((one) => one.id === id);
    const registered = await register(partner.sandbox, variantId, 'told');
    const live = await register(partner.live, variantId);
    const gone = expectSuccess(
      await cancel(partner.sandbox, (await register(partner.sandbox, variantId)).id),
    );
    try {
      await stock(3);
      const notified = await find(partner.sandbox, registered.id);
      expect(notified).toEqual({ ...registered, status: 'Notified', notifiedAt: expect.any(String) });
      expect(await find(partner.live, live.id)).toMatchObject({ status: 'Notified' });
      expect(await find(partner.sandbox, gone.id)).toEqual(gone);
      expect(expectSuccess(await cancel(partner.sandbox, registered.id))).toEqual(notified);
      // Made in stock, it waits for the next time, and more of the same is not one.
      const next = await register(partner.sandbox, variantId, 'told');
      await stock(4);
      expect(await find(partner.sandbox, next.id)).toEqual({ ...next, status: 'Active' });
      await stock(0);
      await stock(1);
      expect(await find(partner.sandbox, next.id)).toMatchObject({ status: 'Notified' });
    } finally {
      await stock(0);
    }
  });

  test('when another partner or environment asks, then the registration is not there', async () => {
    const [owner, stranger] = [await operator.newPartner(), await operator.newPartner()];
    const { id } = await register(owner.sandbox, variants[1]?.id ?? '');
    for (const client of [stranger.sandbox, owner.live]) {
      const response = await cancel(client, id);
      expect([response.status, response.state]).toEqual([404, 'NOT_FOUND_BACK_IN_STOCK_REGISTRATION']);
      expect(await client.all(PATH)).toEqual([]);
    }
  });
});
