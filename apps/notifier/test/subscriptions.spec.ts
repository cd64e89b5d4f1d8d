import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Environment, WebhookEventType } from '@reseller/contracts';
import { codeOf, createTestDatabase, type TestDatabase } from '@reseller/testing';
import { MIGRATIONS, someCall, startNotifier, type RunningNotifier } from './start-notifier';

let database: TestDatabase;
let notifier: RunningNotifier;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  notifier = await startNotifier(database, { WEBHOOK_ALLOWED_PRIVATE_TARGETS: '127.0.0.1:9000' });
});
afterAll(async () => {
  await notifier.stop();
  await database.drop();
});

// Addresses, so that no test needs a name server.
const URL = 'https://8.8.8.8/hooks';
const subscriptionRequest = {
  url: URL,
  eventTypes: [WebhookEventType.ORDER_COMPLETED, WebhookEventType.ORDER_FAILED],
};
type Call = ReturnType<typeof someCall>;

async function create(call: Call): Promise<{ id: string; secret: string }> {
  const { subscription, secret } = await notifier.webhooks.createWebhook(subscriptionRequest, call);
  return { id: subscription?.id ?? '', secret };
}

const rowOf = async (id: string) => {
  const { rows } = await database.pool.query('SELECT * FROM webhook_subscriptions WHERE id = $1', [id]);
  return rows[0] as Record<string, unknown> | undefined;
};

describe('a webhook subscription', () => {
  it('when it is stored, then its secret is nowhere in the row', async () => {
    const { id, secret } = await create(someCall());
    const row = await rowOf(id);
    const ciphertext = row?.['secret_ciphertext'] as Buffer | undefined;
    expect(ciphertext?.includes(secret.slice(6))).toBe(false);
    expect(JSON.stringify(row)).not.toContain(secret.slice(6));
  });

  it('when its secret is rotated, then a new one is returned and stored, and nothing else changes', async () => {
    const call = someCall();
    const { id, secret } = await create(call);
    const before = await rowOf(id);
    const rotated = await notifier.webhooks.rotateWebhookSecret({ subscriptionId: id.toUpperCase() }, call);
    expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
    expect(rotated.secret).not.toBe(secret);
    const after = await rowOf(id);
    expect(after?.['secret_ciphertext']).not.toEqual(before?.['secret_ciphertext']);
    expect({ ...after, secret_ciphertext: 0, updated_at: 0 }).toEqual({
      ...before,
      secret_ciphertext: 0,
      updated_at: 0,
    });
  });

  it('when it is changed, then what is given changes and the rest stays', async () => {
    const call = someCall();
    const { id } = await create(call);
    const change = (url: string | undefined, eventTypes: WebhookEventType[]) =>
      notifier.webhooks.updateWebhook({ subscriptionId: id, url, eventTypes }, call);
    expect((await change(undefined, [])).subscription).toMatchObject(subscriptionRequest);
    expect((await change('https://1.1.1.1/', [])).subscription).toMatchObject({
      url: 'https://1.1.1.1/',
      eventTypes: subscriptionRequest.eventTypes,
    });
    const types = [WebhookEventType.VARIANT_BACK_IN_STOCK];
    expect((await change(undefined, types)).subscription).toMatchObject({
      url: 'https://1.1.1.1/',
      eventTypes: types,
    });
  });

  it('when its url stays the same, then it is not checked again; a new one is', async () => {
    const call = someCall();
    const { id } = await create(call);
    await database.pool.query(`UPDATE webhook_subscriptions SET url = 'https://10.0.0.1/' WHERE id = $1`, [
      id,
    ]);
    const change = (url: string) =>
      notifier.webhooks.updateWebhook({ subscriptionId: id, url, eventTypes: [] }, call);
    expect(await codeOf(change('https://10.0.0.1/'))).toBe('ok');
    expect(await codeOf(change('https://10.0.0.2/'))).toBe('VALIDATION_WEBHOOK_URL_REJECTED');
  });

  it.each([
    ['https://10.0.0.1/', 'VALIDATION_WEBHOOK_URL_REJECTED'],
    ['https://[::ffff:8.8.8.8]/', 'VALIDATION_WEBHOOK_URL_REJECTED'],
    ['http://8.8.8.8/', 'VALIDATION_WEBHOOK_URL_REJECTED'],
    ['', 'VALIDATION_WEBHOOK_URL_REJECTED'],
    ['https://8.8.8.8/\u0000', 'VALIDATION_WEBHOOK_URL_REJECTED'],
    ['http://nowhere.invalid/', 'VALIDATION_WEBHOOK_URL_REJECTED'],
    ['http://127.0.0.1:9000/', 'ok'],
    ['http://127.0.0.1:9001/', 'VALIDATION_WEBHOOK_URL_REJECTED'],
  ])('when the url is %j, then the response is %s', async (url, code) => {
    expect(await codeOf(notifier.webhooks.createWebhook({ ...subscriptionRequest, url }, someCall()))).toBe(
      code,
    );
  });

  it('when event types are missing, unknown or repeated, then that goes before the url', async () => {
    const { UNSPECIFIED, ORDER_FAILED } = WebhookEventType;
    for (const eventTypes of [[], [UNSPECIFIED], [ORDER_FAILED, ORDER_FAILED]]) {
      const url = 'https://10.0.0.1/';
      expect(await codeOf(notifier.webhooks.createWebhook({ url, eventTypes }, someCall()))).toBe(
        'VALIDATION_FAILED',
      );
    }
  });
});

describe('isolation of subscriptions', () => {
  it('when another partner or environment names one, then it stays as it is', async () => {
    const owner = someCall();
    const { id: subscriptionId } = await create(owner);
    const before = await rowOf(subscriptionId);
    const { webhooks } = notifier;
    for (const call of [someCall(), someCall(Environment.LIVE, owner.partner.partnerId)])
      await Promise.allSettled([
        webhooks.updateWebhook({ subscriptionId, url: 'https://1.1.1.1/', eventTypes: [] }, call),
        webhooks.deleteWebhook({ subscriptionId }, call),
        webhooks.setWebhookActive({ subscriptionId, isActive: false }, call),
        webhooks.rotateWebhookSecret({ subscriptionId }, call),
      ]);
    expect(await rowOf(subscriptionId)).toEqual(before);
  });
});

describe('the limit of five active subscriptions', () => {
  const tally = (codes: unknown[]) => ({
    ok: codes.filter((code) => code === 'ok').length,
    limit: codes.filter((code) => code === 'BUSINESS_WEBHOOK_SUBSCRIPTION_LIMIT').length,
  });
  const activeOf = async (call: Call): Promise<number> => {
    const { rows } = await database.pool.query<{ n: number }>(
      'SELECT count(*)::integer AS n FROM webhook_subscriptions WHERE partner_id = $1 AND is_active',
      [call.partner.partnerId],
    );
    return rows[0]?.n ?? -1;
  };
  const setActive = (id: string, isActive: boolean, call: Call) =>
    codeOf(notifier.webhooks.setWebhookActive({ subscriptionId: id, isActive }, call));

  it('when fifty are created at once, then exactly five are made', async () => {
    const call = someCall();
    const creates = Array.from({ length: 50 }, () =>
      codeOf(notifier.webhooks.createWebhook(subscriptionRequest, call)),
    );
    expect(tally(await Promise.all(creates))).toEqual({ ok: 5, limit: 45 });
    expect(await activeOf(call)).toBe(5);
  });

  it('when fifty creates, resumes, pauses and deletes meet, then never more than five are active, and all five can be', async () => {
    const call = someCall();
    const paused: string[] = [];
    for (let i = 0; i < 12; i += 1) {
      const { id } = await create(call);
      expect(await setActive(id, false, call)).toBe('ok');
      paused.push(id);
    }
    let most = 0;
    const watch = async () => void (most = Math.max(most, await activeOf(call)));
    const work = Array.from({ length: 50 }, (_, i) => async () => {
      const id = paused[i % paused.length] ?? '';
      if (i % 5 === 0) await codeOf(notifier.webhooks.createWebhook(subscriptionRequest, call));
      else if (i % 5 === 4) await setActive(id, false, call);
      else await setActive(id, true, call);
      await watch();
    });
    await Promise.all(work.map((one) => one()));
    expect(most).toBeLessThanOrEqual(5);
    for (const id of paused) await setActive(id, true, call);
    expect(await activeOf(call)).toBe(5);
    for (const id of paused) await codeOf(notifier.webhooks.deleteWebhook({ subscriptionId: id }, call));
    const left = await activeOf(call);
    const creates = Array.from({ length: 10 }, () =>
      codeOf(notifier.webhooks.createWebhook(subscriptionRequest, call)),
    );
    expect(tally(await Promise.all(creates))).toEqual({ ok: 5 - left, limit: 5 + left });
  });

  it('when five are active, then a sixth can wait paused, and an active one be resumed again without effect', async () => {
    const call = someCall();
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.push((await create(call)).id);
    const [first = '', second = ''] = ids;
    expect(await setActive(first, true, call)).toBe('ok');
    expect(await setActive(first, false, call)).toBe('ok');
    expect(await setActive(first, false, call)).toBe('ok');
    const sixth = await create(call);
    expect(await setActive(first, true, call)).toBe('BUSINESS_WEBHOOK_SUBSCRIPTION_LIMIT');
    await notifier.webhooks.deleteWebhook({ subscriptionId: second }, call);
    expect(await setActive(first, true, call)).toBe('ok');
    expect(await setActive(sixth.id, false, call)).toBe('ok');
  });

  it('when the other environment has five, then this one still has room for five', async () => {
    const sandbox = someCall();
    const live = someCall(Environment.LIVE, sandbox.partner.partnerId);
    for (let i = 0; i < 5; i += 1) await create(sandbox);
    for (let i = 0; i < 5; i += 1) await create(live);
    expect(await codeOf(notifier.webhooks.createWebhook(subscriptionRequest, live))).toBe(
      'BUSINESS_WEBHOOK_SUBSCRIPTION_LIMIT',
    );
  });
});

describe('the limit of twenty subscriptions (spec §14.4)', () => {
  const limitOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'made',
      ({ code, details }: { code?: string; details?: { limit?: number } }) => [code, details?.limit],
    );
  const createPaused = async (call: Call): Promise<string> => {
    const { id } = await create(call);
    await notifier.webhooks.setWebhookActive({ subscriptionId: id, isActive: false }, call);
    return id;
  };
  const race = async (call: Call, times: number): Promise<unknown[]> =>
    Promise.all(
      Array.from({ length: times }, () =>
        limitOf(notifier.webhooks.createWebhook(subscriptionRequest, call)),
      ),
    );

  it('when creates race to it, then there are twenty, paused ones counted, and a deleted one makes way', async () => {
    const call = someCall();
    let last = '';
    for (let i = 0; i < 18; i += 1) last = await createPaused(call);
    const refused = ['BUSINESS_RESOURCE_LIMIT', 20];
    const results = await race(call, 10);
    expect(results.filter((result) => result === 'made')).toHaveLength(2);
    expect(results.filter((result) => result !== 'made')).toEqual(Array.from({ length: 8 }, () => refused));
    await notifier.webhooks.deleteWebhook({ subscriptionId: last }, call);
    expect((await race(call, 2)).sort()).toEqual([refused, 'made']);
    expect(await race(someCall(Environment.LIVE, call.partner.partnerId), 1)).toEqual(['made']);
  });

  it('when both limits are reached, then it is the one of all that is named', async () => {
    const call = someCall();
    for (let i = 0; i < 15; i += 1) await createPaused(call);
    for (let i = 0; i < 5; i += 1) await create(call);
    expect(await race(call, 1)).toEqual([['BUSINESS_RESOURCE_LIMIT', 20]]);
  });
});
