import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectSuccess } from '../src/clients/answer';
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

describe('back in stock', () => {
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

  test('when another partner or environment asks, then the registration is not there', async () => {
    const { id = '' } = await register(partner.sandbox, variants[1]?.id ?? '');
    const stranger = await operator.newPartner();
    for (const client of [stranger.sandbox, partner.live]) {
      const answer = await cancel(client, id);
      expect([answer.status, answer.state]).toEqual([404, 'NOT_FOUND_BACK_IN_STOCK_REGISTRATION']);
      expect(await client.all(PATH)).toEqual([]);
    }
  });
});
