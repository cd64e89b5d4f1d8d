import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { newTopup, phoneEnding } from '../src/clients/bodies';
import { OperatorClient, type TestPartner } from '../src/clients/operator-client';
import { PartnerClient } from '../src/clients/partner-client';
import type { Page, Partner, WebhookDelivery } from '../src/clients/resources';
import { expectSuccess, send } from '../src/clients/response';
import { startReceiver } from '../src/clients/webhook-receiver';
import { readPlatformFile } from '../src/platform/platform-file';
import { killService } from '../src/platform/processes';
import { startGateway, type StartedGateway } from '../src/platform/start-gateway';

const platform = readPlatformFile();
const operator = new OperatorClient(platform);
const FROZEN = [401, 'UNAUTHORIZED_PARTNER_FROZEN'];
const INVALID = [401, 'UNAUTHORIZED_INVALID_TOKEN'];
const SERVED = [200, 'SUCCESS'];

/** Beside the platform's own. */
let second: StartedGateway;
beforeAll(async () => {
  second = await startGateway();
});
afterAll(() => second.stop());

/** What both gateways make of a token; before one has begun to listen again it is no response. */
const outcomesOf = (token: string): Promise<unknown[][]> =>
  Promise.all(
    [platform.gatewayUrl, second.url].map(async (url) => {
      const headers = { authorization: `Bearer ${token}` };
      const response = await send(`${url}/api/v1/wallet/balance`, { headers }).catch(() => undefined);
      return [response?.status, response?.state];
    }),
  );
const untilBoth = (token: string, outcome: unknown[]): Promise<void> =>
  eventually(async () => expect(await outcomesOf(token)).toEqual([outcome, outcome]));

const exchange = async (credential: object): Promise<unknown[]> => {
  const { status, state } = await send(`${platform.gatewayUrl}/api/v1/auth/token`, { body: credential });
  return [status, state];
};
const setFrozen = (
  { id }: TestPartner,
  verb: 'freeze' | 'unfreeze',
): Promise<Partner & { isFrozen: boolean }> => operator.post(`/partners/${id}/${verb}`);
const childOf = ({ id }: TestPartner): Promise<TestPartner> =>
  operator.newPartner({ deposit: 100, settings: { parentPartnerId: id } });
const actingFor = (parent: TestPartner, child: TestPartner): PartnerClient =>
  new PartnerClient(platform.gatewayUrl, parent.credentials.sandbox, child.id);

describe('frozen partners (spec §18.5)', () => {
  test('when a parent is frozen, then every token of it and its subtree is refused everywhere, whatever restarts, until it is unfrozen', async () => {
    const parent = await operator.newPartner({ deposit: 100 });
    const child = await childOf(parent);
    const own = await child.sandbox.accessToken();
    const tokens = [
      own,
      await parent.sandbox.accessToken(),
      await parent.live.accessToken(),
      await actingFor(parent, child).accessToken(),
    ];
    for (const token of tokens) await untilBoth(token, SERVED);

    expect(await setFrozen(parent, 'freeze')).toMatchObject({ id: parent.id, isFrozen: true });
    expect(await setFrozen(parent, 'freeze')).toMatchObject({ isFrozen: true });
    for (const token of tokens) await untilBoth(token, FROZEN);
    const right = child.credentials.sandbox;
    expect(await exchange(right)).toEqual(FROZEN);
    expect(await exchange({ ...right, clientSecret: 'wrong' })).toEqual([
      401,
      'UNAUTHORIZED_INVALID_CREDENTIALS',
    ]);

    await Promise.all([killService('identity'), killService('gateway')]);
    const seen: unknown[][] = [];
    await eventually(async () => {
      const outcomes = await outcomesOf(own);
      seen.push(...outcomes);
      expect(outcomes).toEqual([FROZEN, FROZEN]);
    });
    // Until a gateway knows whom to refuse, it serves nobody.
    expect(seen).not.toContainEqual(SERVED);

    await setFrozen(child, 'freeze');
    expect(await setFrozen(parent, 'unfreeze')).toMatchObject({ isFrozen: false });
    await untilBoth(tokens[1] ?? '', SERVED);
    await untilBoth(own, FROZEN);
    const onBehalfOf = { ...parent.credentials.sandbox, onBehalfOf: child.id };
    expect(await exchange(onBehalfOf)).toEqual([403, 'FORBIDDEN_DELEGATION_TARGET_INVALID']);
    await setFrozen(child, 'unfreeze');
    for (const token of tokens) await untilBoth(token, SERVED);
  });

  test('when a partner is frozen, then its orders end as they would and its webhooks wait until it is unfrozen', async () => {
    const receiver = await startReceiver();
    try {
      const parent = await operator.newPartner();
      const child = await childOf(parent);
      const free = await operator.newPartner({ deposit: 100 });
      const subscribe = async ({ sandbox }: TestPartner): Promise<void> => {
        const body = { url: receiver.url, eventTypes: ['order.completed'] };
        expect((await sandbox.call('/webhooks', { body })).status).toBe(201);
      };
      await subscribe(child);
      await subscribe(free);
      const unknown = newTopup({ phoneNumber: phoneEnding('0005') });
      const order = expectSuccess(await child.sandbox.topup(unknown));
      await eventually(async () =>
        expect((await child.sandbox.order(order.orderId)).status).toBe('InterventionRequired'),
      );
      await setFrozen(parent, 'freeze');
      await untilBoth(await child.sandbox.accessToken(), FROZEN);

      const resolved = await operator.post<{ status: string }>(`/orders/${order.orderGlobalId}/resolve`, {
        outcome: 'Completed',
        notes: 'the vendor has delivered',
      });
      expect(resolved.status).toBe('Completed');
      const waiting = async (): Promise<WebhookDelivery[]> => {
        const page = await operator.get<Page<WebhookDelivery & { orderGlobalId: string }>>(
          '/webhook-deliveries?status=Pending&pageSize=100',
        );
        return page.items.filter(({ orderGlobalId }) => orderGlobalId === order.orderGlobalId);
      };
      const [first] = await eventually(async () => {
        const found = await waiting();
        expect(found).not.toEqual([]);
        return found;
      });
      const other = expectSuccess(await free.sandbox.topup(newTopup()));
      await eventually(() =>
        expect(receiver.received.map(({ event }) => event.data.orderGlobalId)).toContain(other.orderGlobalId),
      );
      // What was due later was sent, so what waits was passed over.
      const sent = (): string[] => receiver.received.map(({ event }) => event.eventId);
      expect(sent()).not.toContain(first?.eventId);
      expect(await waiting()).toMatchObject([{ id: first?.id, attemptCount: 0 }]);
      await setFrozen(parent, 'unfreeze');
      await eventually(() => expect(sent()).toContain(first?.eventId));
    } finally {
      await receiver.stop();
    }
  });
});

describe('revoked credentials (spec §18.5, §2.6)', () => {
  test('when a credential is revoked, then its tokens and those delegated with it are refused everywhere, and no others', async () => {
    const parent = await operator.newPartner({ deposit: 100 });
    const child = await childOf(parent);
    const lost = [await parent.sandbox.accessToken(), await actingFor(parent, child).accessToken()];
    const kept = [await parent.live.accessToken(), await child.sandbox.accessToken()];
    for (const token of [...lost, ...kept]) await untilBoth(token, SERVED);
    const { clientId } = parent.credentials.sandbox;
    expectSuccess(await operator.call(`/credentials/${clientId}`, { method: 'DELETE' }));
    for (const token of lost) await untilBoth(token, INVALID);
    expect(await exchange(parent.credentials.sandbox)).toEqual([401, 'UNAUTHORIZED_INVALID_CREDENTIALS']);
    for (const token of kept) await untilBoth(token, SERVED);
  });
});

describe('limits and use of credentials (spec §18.6)', () => {
  test('when credentials are limited and used, then outside of their limits they are refused, and lists show what came of it', async () => {
    const { id } = await operator.newPartner();
    const path = `/partners/${id}/credentials`;
    const make = (limits: object): Promise<{ clientId: string; clientSecret: string }> =>
      operator.post(path, { environment: 'live', ...limits });
    const faulty = await operator.call<never>(path, {
      body: { environment: 'live', allowedCidrs: ['nowhere'] },
    });
    expect([faulty.status, faulty.state, faulty.text]).toEqual([
      400,
      'VALIDATION_FAILED',
      expect.stringContaining('"allowedCidrs.0"'),
    ]);
    const [near, far] = [
      await make({ allowedCidrs: ['127.0.0.0/8'] }),
      await make({ allowedCidrs: ['203.0.113.0/24'] }),
    ];
    const secretOf = ({ clientId, clientSecret }: typeof near): object => ({ clientId, clientSecret });
    const refused = [401, 'UNAUTHORIZED_INVALID_CREDENTIALS'];
    expect(await exchange(secretOf(near))).toEqual(SERVED);
    expect(await exchange(secretOf(far))).toEqual(refused);
    expect(await exchange({ ...secretOf(near), clientSecret: 'wrong' })).toEqual(refused);

    const { items } = await operator.get<Page<Record<string, unknown>>>(`/partners/${id}/sign-ins`);
    expect(items.map(({ clientId, result, from }) => [clientId, result, from])).toEqual([
      [near.clientId, 'UNAUTHORIZED_INVALID_CREDENTIALS', '127.0.0.1'],
      [far.clientId, 'UNAUTHORIZED_INVALID_CREDENTIALS', '127.0.0.1'],
      [near.clientId, 'Issued', '127.0.0.1'],
    ]);
    const listed = await operator.get<Page<Record<string, unknown>>>(path);
    const of = ({ clientId }: typeof near) => listed.items.find((one) => one.clientId === clientId);
    expect(of(near)).toMatchObject({ lastUsedAt: items[2]?.at, lastUsedFrom: '127.0.0.1', revokedAt: null });
    expect(of(far)).toMatchObject({ lastUsedAt: null, lastUsedFrom: null, allowedCidrs: ['203.0.113.0/24'] });
  });
});
