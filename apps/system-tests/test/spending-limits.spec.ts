import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { newTopup } from '../src/clients/bodies';
import { OperatorClient, type TestPartner } from '../src/clients/operator-client';
import type { Page, TopupOrder } from '../src/clients/resources';
import { expectSuccess, type ApiResponse } from '../src/clients/response';
import { readPlatformFile } from '../src/platform/platform-file';

interface Limits {
  readonly spentToday: number;
  readonly resetsAt: string;
}

const operator = new OperatorClient(readPlatformFile());
const NONE = { maxOrderAmount: null, dailySpend: null, dailyOrdersPerPhone: null };
const PHONE = '+966501234567';
const topup = (amount: number, phoneNumber = PHONE) => ({ ...newTopup(), amount, phoneNumber });

const setByOperator = (partnerId: string, body: object) =>
  operator.call<object>(`/partners/${partnerId}/limits`, {
    method: 'PUT',
    body: { environment: 'sandbox', ...body },
  });
const setByAncestor = (ancestor: TestPartner, partnerId: string, body: object) =>
  ancestor.sandbox.call<object>(`/descendants/${partnerId}/limits`, { method: 'PUT', body });
const outcomeOf = ({ status, state, details }: ApiResponse<unknown>) => [
  status,
  state,
  (details as { limit?: number } | undefined)?.limit,
];

describe('limits on spending (spec §17.5)', () => {
  let parent: TestPartner;
  let child: TestPartner;
  beforeAll(async () => {
    parent = await operator.newPartner({ deposit: 100 });
    child = await operator.newPartner({ deposit: 500, settings: { parentPartnerId: parent.id } });
  });

  test('when an operator and an ancestor limit a partner, then the lowest holds, in this environment alone', async () => {
    const wanted = { ...NONE, maxOrderAmount: 60, dailySpend: 200.5 };
    const set = await setByOperator(child.id, wanted);
    expect(expectSuccess(set)).toEqual({ partnerId: child.id, environment: 'sandbox', ...wanted });
    const own = { maxOrderAmount: 50, dailySpend: null, dailyOrdersPerPhone: 2 };
    const response = await setByAncestor(parent, child.id, own);
    expect(expectSuccess(response)).toEqual({ partnerId: child.id, environment: 'sandbox', ...own });
    expect(expectSuccess(await child.sandbox.call('/wallet/limits'))).toEqual({
      maxOrderAmount: { limit: 50, setBy: 'Ancestor' },
      dailySpend: { limit: 200.5, setBy: 'Operator' },
      dailyOrdersPerPhone: { limit: 2, setBy: 'Ancestor' },
      spentToday: 0,
      resetsAt: expect.stringMatching(/T00:00:00\.000Z$/),
    });
    expect(expectSuccess(await child.live.call('/wallet/limits'))).toMatchObject(NONE);
    const refused = [422, 'BUSINESS_ORDER_AMOUNT_LIMIT', 50];
    expect(outcomeOf(await child.sandbox.call('/orders/topup', { body: topup(50.01) }))).toEqual(refused);
    const seen = await operator.get<{ settings: object[] }>(
      `/partners/${child.id}/limits?environment=sandbox`,
    );
    expect(seen.settings).toMatchObject([
      { setBy: 'Operator', ancestorPartnerId: null, ...wanted },
      { setBy: 'Ancestor', ancestorPartnerId: parent.id, ...own },
    ]);
  });

  test('when orders for one number race, then it gets as many as it may; a replay is not limited, a reversal makes room', async () => {
    const bodies = Array.from({ length: 5 }, () => topup(10));
    const responses = await Promise.all(
      bodies.map((body) => child.sandbox.call<TopupOrder>('/orders/topup', { body })),
    );
    const made = responses.filter(({ status }) => status === 200);
    expect(made).toHaveLength(2);
    const refused = responses.filter(({ status }) => status !== 200).map(outcomeOf);
    expect(refused).toEqual(Array(3).fill([422, 'BUSINESS_RECIPIENT_LIMIT', 2]));
    const replay = bodies.find((body) => body.externalReference === made[0]?.payload?.externalReference);
    const again = await child.sandbox.call<TopupOrder>('/orders/topup', { body: replay ?? {} });
    expect(again.payload?.orderId).toBe(made[0]?.payload?.orderId);
    expect(expectSuccess(await child.sandbox.call<Limits>('/wallet/limits')).spentToday).toBe(20);
    expect((await child.sandbox.orders()).length).toBe(2);

    expectSuccess(
      await child.sandbox.call(`/sandbox/orders/${made[0]?.payload?.orderGlobalId}/reverse`, { body: {} }),
    );
    expect(expectSuccess(await child.sandbox.call<Limits>('/wallet/limits')).spentToday).toBe(10);
    expectSuccess(await child.sandbox.topup(topup(10)));
  });

  test('when orders race for what is left of the day, then together they keep to it', async () => {
    await setByAncestor(parent, child.id, { dailySpend: 75 });
    const bodies = Array.from({ length: 6 }, (_, n) => topup(20, `+96650123460${n}`));
    const responses = await Promise.all(bodies.map((body) => child.sandbox.call('/orders/topup', { body })));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(responses.filter(({ status }) => status !== 200).map(outcomeOf)).toEqual(
      Array(4).fill([422, 'BUSINESS_SPENDING_LIMIT', 75]),
    );
    expect(expectSuccess(await child.sandbox.call<Limits>('/wallet/limits')).spentToday).toBe(60);
  });

  test('when a limit is set, then it is refused to all but an ancestor by its own token and operators, and audited', async () => {
    const stranger = await operator.newPartner();
    for (const [who, whom] of [
      [stranger, child.id],
      [child, parent.id],
      [parent, parent.id],
      [parent, randomUUID()],
    ] as const) {
      const response = await setByAncestor(who, whom, NONE);
      expect([response.status, response.state]).toEqual([403, 'FORBIDDEN_NOT_YOUR_DESCENDANT']);
    }
    const named = await setByAncestor(parent, child.id, { environment: 'live' });
    expect([named.status, named.state]).toEqual([400, 'VALIDATION_FAILED']);
    const unknown = await setByOperator(randomUUID(), NONE);
    expect([unknown.status, unknown.state]).toEqual([404, 'NOT_FOUND_PARTNER']);
    expect((await setByOperator(child.id, { maxOrderAmount: -1 })).state).toBe('VALIDATION_FAILED');
    expect((await stranger.sandbox.call('/wallet/limits')).state).toBe('NOT_FOUND_WALLET');

    const { items } = await operator.get<Page<object>>(`/audit?partnerId=${child.id}&pageSize=100`);
    expect(items).toContainEqual(
      expect.objectContaining({
        actorType: 'Partner',
        actingPartnerId: parent.id,
        actingClientId: parent.credentials.sandbox.clientId,
        partnerId: child.id,
        action: 'PUT /api/v1/descendants/{partnerId}/limits',
        details: {
          environment: 'sandbox',
          maxOrderAmount: null,
          dailySpend: '75',
          dailyOrdersPerPhone: null,
        },
      }),
    );
    expect(items).toContainEqual(
      expect.objectContaining({ actorType: 'Operator', action: 'partner.limits', partnerId: child.id }),
    );
  });
});
