import { describe, expect, it } from '@jest/globals';
import { AppError } from '@reseller/errors';
import { randomUUID } from 'node:crypto';
import { expectFaults, useGateway } from './support/gateway';
import { someWebhook } from './support/samples';

const gateway = useGateway();

const webhook = { url: 'https://example.com/hook', eventTypes: ['order.completed'] };
const post = (path: string, body: unknown, key?: string) =>
  gateway.sendAs(gateway.token, path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
  });
const seen = () => gateway.dependencies.seen.calls.map(({ call }) => call.idempotency);

describe('the Idempotency-Key header (spec §1.11)', () => {
  it('when a create takes one, then it travels with what the request was, and equal requests are equal', async () => {
    const [eventTypes, url] = [webhook.eventTypes, webhook.url];
    for (const body of [webhook, { eventTypes, url }])
      expect((await post('/api/v1/webhooks', body, 'a key')).status).toBe(201);
    await post('/api/v1/webhooks?x=1&y=2', webhook, 'a key');
    await post('/api/v1/webhooks?y=2&x=1', webhook, 'a key');
    await post('/api/v1/webhooks', { ...webhook, eventTypes: ['order.failed'] }, 'a key');
    await post('/api/v1/webhooks', webhook);
    const [first, same, otherQuery, sameQuery, otherBody, none] = seen();
    expect(first).toEqual({ key: 'a key', fingerprint: expect.stringMatching(/^[\w-]{43}$/) });
    expect(same).toEqual(first);
    expect(otherQuery?.fingerprint).not.toBe(first?.fingerprint);
    expect(sameQuery).toEqual(otherQuery);
    expect(otherBody?.fingerprint).not.toBe(first?.fingerprint);
    expect(none).toBeUndefined();
  });

  it('when a key comes again for another thing of the same path, then it is another request', async () => {
    for (const id of [randomUUID(), randomUUID()])
      expect((await post(`/api/v1/webhooks/${id}/rotate-secret`, {}, 'a key')).status).toBe(200);
    const [first, other] = seen();
    expect(first?.key).toBe('a key');
    expect(other?.fingerprint).not.toBe(first?.fingerprint);
  });

  it('when the header comes twice, then it is a fault, for nobody can say which key was meant', async () => {
    const head = `POST /api/v1/webhooks HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${gateway.token}\r\n`;
    const keys = 'Idempotency-Key: one\r\nIdempotency-Key: two\r\n';
    const body = JSON.stringify(webhook);
    const content = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(await gateway.raw(head + keys + content)).toMatch(/^HTTP\/1.1 400 [^]*"path":"Idempotency-Key"/);
  });

  it('when the service has done it before, then the response says so, with the status of the first', async () => {
    const { webhooks } = gateway.dependencies;
    const reply = { subscription: someWebhook(), secret: 'whsec_once' };
    const first = await post('/api/v1/webhooks', webhook, 'k');
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const create = webhooks.createWebhook;
    webhooks.createWebhook = () => ({ ...reply, isReplayed: true });
    // The services that keep keys know it, of this very request.
    const { scentKeys } = gateway.dependencies;
    scentKeys.getIdempotencyKey = () => ({ fingerprint: seen()[0]?.fingerprint });
    const again = await post('/api/v1/webhooks', webhook, 'k');
    scentKeys.getIdempotencyKey = () => ({});
    webhooks.createWebhook = create;
    expect([again.status, again.body.state, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      'CREATED',
      'true',
    ]);
  });

  it('when another service knows the key for another request, then it is refused; one that says nothing is passed over', async () => {
    const { scentKeys } = gateway.dependencies;
    const answers = [
      ({ key }: { key: string }) => (key === 'k' ? { fingerprint: 'of a cart item' } : {}),
      () => Promise.reject(new AppError('SERVICE_UNAVAILABLE')),
    ];
    const replies = [];
    for (scentKeys.getIdempotencyKey of answers) replies.push(await post('/api/v1/webhooks', webhook, 'k'));
    scentKeys.getIdempotencyKey = () => ({});
    expect(replies.map(({ status, body }) => [status, body.state])).toEqual([
      [409, 'CONFLICT_IDEMPOTENCY_KEY_REUSED'],
      [201, 'CREATED'],
    ]);
    expect(seen()).toHaveLength(1);
  });

  it.each(['', 'x'.repeat(129), 'ключ', 'a\tb'])(
    'when the key is "%.20s", then it is a fault beside those of the body',
    async (key) => {
      const written = Buffer.from(key).toString('latin1');
      expectFaults(await post('/api/v1/webhooks', { ...webhook, eventTypes: [] }, written), [
        'Idempotency-Key',
        'eventTypes',
      ]);
    },
  );

  it('when a create has an externalReference, then the header is ignored, whatever it holds', async () => {
    const order = { externalReference: 'r', geoScopeGlobalId: 'g', amount: 1, phoneNumber: '+966501234567' };
    expect((await post('/api/v1/orders/topup', order, 'x'.repeat(200))).status).toBe(200);
    expect(seen()).toEqual([undefined]);
  });
});
