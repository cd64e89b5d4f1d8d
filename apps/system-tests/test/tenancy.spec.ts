import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectSuccess, send } from '../src/clients/response';
import { OperatorClient } from '../src/clients/operator-client';
import type { TestPartner } from '../src/clients/operator-client';
import { PartnerClient } from '../src/clients/partner-client';
import type { Page, TopupOrder } from '../src/clients/resources';
import { newTopup } from '../src/clients/bodies';
import { readPlatformFile } from '../src/platform/platform-file';

const platform = readPlatformFile();
const operator = new OperatorClient(platform);

describe('isolation (spec §2.1)', () => {
  let owner: TestPartner;
  let stranger: TestPartner;
  let order: TopupOrder;
  beforeAll(async () => {
    owner = await operator.newPartner({ deposit: 100 });
    stranger = await operator.newPartner({ deposit: 100 });
    order = expectSuccess(await owner.sandbox.topup(newTopup()));
  });

  test('when another partner or the other environment asks for an order, then it does not exist', async () => {
    for (const client of [stranger.sandbox, owner.live]) {
      const responses = [
        await client.call(`/orders/topup/${order.orderId}`),
        await client.call(`/orders/topup/reference/${order.externalReference}`),
        await client.call(`/orders/by-global-id/${order.orderGlobalId}`),
      ];
      expect(responses.map((response) => [response.status, response.state])).toEqual([
        [404, 'NOT_FOUND_TOPUP_ORDER'],
        [404, 'NOT_FOUND_TOPUP_ORDER'],
        [404, 'NOT_FOUND_ORDER'],
      ]);
      expect(await client.orders()).toEqual([]);
      expect(await client.all('/orders')).toEqual([]);
    }
  });

  test('when sandbox is charged, then live is not, and no ledger line shows elsewhere', async () => {
    expect([
      (await owner.sandbox.balance()).currentBalance,
      (await owner.live.balance()).currentBalance,
    ]).toEqual([90, 100]);
    expect((await owner.live.transactions()).map((line) => line.referenceType)).toEqual(['Deposit']);
    expect((await stranger.sandbox.balance()).currentBalance).toBe(100);
  });

  test('when a body names another partner, then it is FORBIDDEN_PARTNER_MISMATCH and nothing is sold', async () => {
    for (const named of [{ partnerId: stranger.id }, { partnerGlobalId: stranger.globalId }]) {
      const response = await owner.sandbox.call('/orders/topup', { body: { ...newTopup(), ...named } });
      expect([response.status, response.state]).toEqual([403, 'FORBIDDEN_PARTNER_MISMATCH']);
    }
    expect((await owner.sandbox.orders()).length).toBe(1);
  });

  test('when a partner has no wallet, then balance, ledger and orders say NOT_FOUND_WALLET', async () => {
    const poor = await operator.newPartner();
    const responses = [
      await poor.sandbox.call('/wallet/balance'),
      await poor.sandbox.call('/wallet/transactions'),
      await poor.sandbox.topup(newTopup()),
    ];
    expect(responses.map((response) => [response.status, response.state])).toEqual(
      responses.map(() => [404, 'NOT_FOUND_WALLET']),
    );
  });
});

describe('delegation (spec §2.5)', () => {
  let parent: TestPartner;
  let child: TestPartner;
  let grandchild: TestPartner;
  beforeAll(async () => {
    parent = await operator.newPartner({ deposit: 100 });
    child = await operator.newPartner({ deposit: 100, settings: { parentPartnerId: parent.id } });
    grandchild = await operator.newPartner({ deposit: 100, settings: { parentPartnerId: child.id } });
  });

  const exchange = (partner: TestPartner, onBehalfOf: unknown) =>
    send<unknown>(`${platform.gatewayUrl}/api/v1/auth/token`, {
      body: { ...partner.credentials.sandbox, onBehalfOf },
    });

  test('when a parent acts for a grandchild, then all it does is the grandchild’s, and the audit says who did it', async () => {
    const acting = new PartnerClient(platform.gatewayUrl, parent.credentials.sandbox, grandchild.id);
    const order = expectSuccess(await acting.topup(newTopup()));
    expect(order.partnerId).toBe(grandchild.id);
    expect(await grandchild.sandbox.order(order.orderId)).toEqual(order);
    expect((await parent.sandbox.call(`/orders/topup/${order.orderId}`)).status).toBe(404);
    expect([
      (await grandchild.sandbox.balance()).currentBalance,
      (await parent.sandbox.balance()).currentBalance,
    ]).toEqual([90, 100]);

    type Entry = Record<string, unknown>;
    const byActor = await operator.get<Page<Entry>>(`/audit?partnerId=${parent.id}&pageSize=100`);
    const byTarget = await operator.get<Page<Entry>>(`/audit?partnerId=${grandchild.id}&pageSize=100`);
    for (const page of [byActor, byTarget]) {
      const text = page.items.map((entry) => JSON.stringify(entry));
      const delegated = text.filter(
        (entry) => entry.includes(parent.credentials.sandbox.clientId) && entry.includes(grandchild.id),
      );
      expect(delegated.some((entry) => /token/i.test(entry))).toBe(true);
      expect(delegated.some((entry) => entry.includes('/orders/topup'))).toBe(true);
    }
  });

  test('when the target is the caller, unknown, an ancestor or a stranger, then FORBIDDEN_NOT_YOUR_DESCENDANT', async () => {
    const stranger = await operator.newPartner();
    for (const target of [child.id, randomUUID(), parent.id, stranger.id]) {
      const response = await exchange(child, target);
      expect([response.status, response.state]).toEqual([403, 'FORBIDDEN_NOT_YOUR_DESCENDANT']);
    }
  });

  test('when the target is inactive, then FORBIDDEN_DELEGATION_TARGET_INVALID; null acts for oneself', async () => {
    const closed = await operator.newPartner({ settings: { parentPartnerId: parent.id } });
    await operator.patch(`/partners/${closed.id}`, { isActive: false });
    const response = await exchange(parent, closed.id);
    expect([response.status, response.state]).toEqual([403, 'FORBIDDEN_DELEGATION_TARGET_INVALID']);
    expect((await exchange(parent, null)).status).toBe(200);
  });

  test('when a partner is inactive, then nobody below it gets a token until it is active again', async () => {
    const middle = await operator.newPartner({ settings: { parentPartnerId: parent.id } });
    const leaf = await operator.newPartner({ settings: { parentPartnerId: middle.id } });
    await operator.patch(`/partners/${middle.id}`, { isActive: false });
    const delegated = await exchange(parent, leaf.id);
    expect([delegated.status, delegated.state]).toEqual([403, 'FORBIDDEN_DELEGATION_TARGET_INVALID']);
    const own = await exchange(leaf, null);
    expect([own.status, own.state]).toEqual([401, 'UNAUTHORIZED_INVALID_CREDENTIALS']);
    await operator.patch(`/partners/${middle.id}`, { isActive: true });
    expect((await exchange(parent, leaf.id)).status).toBe(200);
    expect((await exchange(leaf, null)).status).toBe(200);
  });
});
