import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectSuccess, type ApiResponse } from '../src/clients/response';
import { OperatorClient, type TestPartner } from '../src/clients/operator-client';
import type { PartnerClient } from '../src/clients/partner-client';
import type { Page, WebhookSubscription } from '../src/clients/resources';
import { readPlatformFile } from '../src/platform/platform-file';

const operator = new OperatorClient(readPlatformFile());

interface WithSecret {
  readonly subscription: WebhookSubscription;
  readonly secret: string;
}

const ALL_TYPES = [
  'order.completed',
  'order.failed',
  'order.cancelled',
  'order.returned',
  'order.fulfilment-updated',
  'variant.back-in-stock',
  'order.return-request.updated',
];
// An address, so that no name server is needed; nothing is ever sent there, for nothing happens to these partners.
const PUBLIC = 'https://8.8.8.8/hooks';

const create = (client: PartnerClient, body: object = {}): Promise<ApiResponse<WithSecret>> =>
  client.call('/webhooks', { body: { url: PUBLIC, eventTypes: ['order.completed'], ...body } });

async function created(client: PartnerClient, body: object = {}): Promise<WithSecret> {
  const response = await create(client, body);
  if (response.status !== 201) throw new Error(response.text);
  return response.payload;
}

const outcome = ({ status, state }: ApiResponse<unknown>): [number, string] => [status, state];

describe('webhook subscriptions (spec §10.1)', () => {
  test('when one is made, read, changed, paused, resumed, given a secret and deleted, then each response is the specification’s', async () => {
    const { id: partnerId, sandbox } = await operator.newPartner();
    const response = await create(sandbox, { eventTypes: ALL_TYPES });
    expect(outcome(response)).toEqual([201, 'CREATED']);
    const { subscription, secret } = response.payload;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
    expect(subscription).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      partnerId,
      url: PUBLIC,
      eventTypes: ALL_TYPES,
      isActive: true,
      lastDeliveryAt: null,
      lastDeliveryStatus: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });

    const path = `/webhooks/${subscription.id}`;
    const read = async () => expectSuccess(await sandbox.call<WebhookSubscription>(path));
    expect(await read()).toEqual(subscription);
    const list = await sandbox.call<Page<WebhookSubscription>>('/webhooks?pageSize=1');
    expect(expectSuccess(list)).toEqual({
      items: [subscription],
      pagination: { page: 1, pageSize: 1, totalCount: 1, totalPages: 1 },
    });

    const change = (method: string, to: string, body?: object) =>
      sandbox.call<WebhookSubscription>(`${path}${to}`, { method, body });
    expect(expectSuccess(await change('PUT', '', {}))).toEqual(subscription);
    expect(expectSuccess(await change('PUT', '', { url: null, eventTypes: ['order.failed'] }))).toEqual({
      ...subscription,
      eventTypes: ['order.failed'],
    });
    const moved = { ...subscription, eventTypes: ['order.failed'], url: 'https://1.1.1.1:8443/?a=b' };
    expect(expectSuccess(await change('PUT', '', { url: moved.url, eventTypes: null }))).toEqual(moved);
    const paused = { ...moved, isActive: false };
    expect(expectSuccess(await change('PATCH', '/active', { isActive: false }))).toEqual(paused);
    expect(expectSuccess(await change('PATCH', '/active', { isActive: false }))).toEqual(paused);
    expect(expectSuccess(await change('PATCH', '/active', { isActive: true }))).toEqual(moved);

    const rotated = await sandbox.call<WithSecret>(`${path}/rotate-secret`, { method: 'POST' });
    expect(expectSuccess(rotated).subscription).toEqual(moved);
    expect(rotated.payload.secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
    expect(rotated.payload.secret).not.toBe(secret);
    expect((await sandbox.call(path)).text).not.toContain('whsec_');

    expect(expectSuccess(await change('DELETE', ''))).toEqual(moved);
    expect(outcome(await change('DELETE', ''))).toEqual([404, 'NOT_FOUND_WEBHOOK_SUBSCRIPTION']);
    expect(await sandbox.all('/webhooks')).toEqual([]);
  });

  test('when there are several, then they are listed newest first', async () => {
    const { sandbox } = await operator.newPartner();
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) ids.unshift((await created(sandbox)).subscription.id);
    expect((await sandbox.all<WebhookSubscription>('/webhooks')).map(({ id }) => id)).toEqual(ids);
  });

  test('when an operator looks why a partner gets nothing, then its subscriptions of both environments are listed as they stand (spec §12)', async () => {
    const { id, sandbox, live } = await operator.newPartner();
    const ofLive = (await created(live)).subscription;
    const ofSandbox = (await created(sandbox)).subscription;
    await sandbox.call(`/webhooks/${ofSandbox.id}/active`, { method: 'PATCH', body: { isActive: false } });
    const { items } = await operator.get<Page<WebhookSubscription>>(`/webhooks?partnerId=${id}`);
    expect(items).toEqual([
      { ...ofSandbox, environment: 'sandbox', isActive: false },
      { ...ofLive, environment: 'live' },
    ]);
  });

  test('when fifty are requested at once, then five are made, in each environment for itself', async () => {
    const { sandbox, live } = await operator.newPartner();
    for (const client of [sandbox, live]) {
      const responses = await Promise.all(Array.from({ length: 50 }, () => create(client)));
      const refused = responses.filter(({ status }) => status !== 201);
      expect(refused.map(outcome)).toEqual(
        Array.from({ length: 45 }, () => [422, 'BUSINESS_WEBHOOK_SUBSCRIPTION_LIMIT']),
      );
    }
  });

  test('when a sixth is resumed, then it is refused until another is paused or deleted', async () => {
    const { sandbox } = await operator.newPartner();
    const setActive = (id: string, isActive: boolean) =>
      sandbox.call(`/webhooks/${id}/active`, { method: 'PATCH', body: { isActive } });
    const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => created(sandbox)));
    const { id } = first!.subscription;
    expect((await setActive(id, true)).status).toBe(200);
    await setActive(id, false);
    await created(sandbox);
    expect(outcome(await setActive(id, true))).toEqual([422, 'BUSINESS_WEBHOOK_SUBSCRIPTION_LIMIT']);
    await setActive(others[0]!.subscription.id, false);
    expect((await setActive(id, true)).status).toBe(200);
  });
});

describe('webhook urls (spec §10.2)', () => {
  let client: PartnerClient;
  beforeAll(async () => {
    client = (await operator.newPartner()).sandbox;
  });

  test.each([
    'http://8.8.8.8/',
    'ftp://8.8.8.8/',
    'no url',
    '',
    'https://10.0.0.1/',
    'https://192.168.1.1/',
    'https://172.16.0.1/',
    'https://127.0.0.2/',
    'https://2130706434/',
    'https://0x7f.0.0.2/',
    'https://0177.0.0.2/',
    'https://127.2/',
    'https://169.254.169.254/latest/meta-data',
    'https://168.63.129.16/',
    'https://100.64.0.1/',
    'https://198.18.0.1/',
    'https://192.0.2.1/',
    'https://224.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[64:ff9b::808:808]/',
    'https://[2002:808:808::1]/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/',
    'https://user@8.8.8.8/',
    'https://8.8.8.8\\@10.0.0.1/',
    'https://8.8.8.8/\u0000',
    'https://8.8.8.8/a b',
    ' https://8.8.8.8/',
    'https://example..com/',
  ])('when the url is %j, then it is VALIDATION_WEBHOOK_URL_REJECTED', async (url) => {
    expect(outcome(await create(client, { url }))).toEqual([400, 'VALIDATION_WEBHOOK_URL_REJECTED']);
  });

  test('when a url or a label of it is too long, then it is VALIDATION_WEBHOOK_URL_REJECTED', async () => {
    for (const url of [`https://${'a'.repeat(64)}.com/`, `https://8.8.8.8/${'a'.repeat(2_033)}`]) {
      expect(outcome(await create(client, { url }))).toEqual([400, 'VALIDATION_WEBHOOK_URL_REJECTED']);
    }
    const longest = `https://8.8.8.8/${'a'.repeat(2_032)}`;
    expect((await created(client, { url: longest })).subscription.url).toBe(longest);
  });

  test('when a url is none, or other fields are unfit too, then VALIDATION_FAILED goes first', async () => {
    for (const body of [
      { url: 1 },
      { url: null },
      { url: 'http://10.0.0.1/', eventTypes: ['order.processing'] },
    ]) {
      expect(outcome(await create(client, body))).toEqual([400, 'VALIDATION_FAILED']);
    }
  });

  test('when a url is changed to an unfit one, then it stays; the same one is not checked again', async () => {
    const { subscription } = await created(client);
    const change = (url: string) =>
      client.call<WebhookSubscription>(`/webhooks/${subscription.id}`, { method: 'PUT', body: { url } });
    expect(outcome(await change('https://10.0.0.1/'))).toEqual([400, 'VALIDATION_WEBHOOK_URL_REJECTED']);
    expect(expectSuccess(await change(PUBLIC)).url).toBe(PUBLIC);
    await client.call(`/webhooks/${subscription.id}`, { method: 'DELETE' });
  });
});

describe('isolation of webhooks', () => {
  let owner: TestPartner;
  let stranger: TestPartner;
  beforeAll(async () => {
    owner = await operator.newPartner();
    stranger = await operator.newPartner();
  });

  test('when another partner or the other environment names a subscription, then it does not exist', async () => {
    const { subscription } = await created(owner.sandbox);
    const path = `/webhooks/${subscription.id}`;
    for (const client of [stranger.sandbox, owner.live]) {
      const responses = [
        await client.call(path),
        await client.call(path, { method: 'PUT', body: { url: 'https://1.1.1.1/' } }),
        await client.call(`${path}/active`, { method: 'PATCH', body: { isActive: false } }),
        await client.call(`${path}/rotate-secret`, { method: 'POST' }),
        await client.call(path, { method: 'DELETE' }),
      ];
      expect(responses.map(outcome)).toEqual(responses.map(() => [404, 'NOT_FOUND_WEBHOOK_SUBSCRIPTION']));
      expect(await client.all('/webhooks')).toEqual([]);
    }
    expect(expectSuccess(await owner.sandbox.call(path))).toEqual(subscription);
  });

  test('when an id is unknown, then it is 404; when it is none, then VALIDATION_FAILED', async () => {
    expect(outcome(await owner.sandbox.call(`/webhooks/${randomUUID()}`))).toEqual([
      404,
      'NOT_FOUND_WEBHOOK_SUBSCRIPTION',
    ]);
    expect(outcome(await owner.sandbox.call('/webhooks/none'))).toEqual([400, 'VALIDATION_FAILED']);
  });
});
