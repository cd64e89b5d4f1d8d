import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  WebhookCheckName,
  WebhookCheckResult,
  WebhookDeliveryStatus,
  WebhookDiagnosisServiceService,
  WebhookEventType,
  type WebhookDiagnosis,
} from '@reseller/contracts';
import { createRpcClient, type RpcClient } from '@reseller/rpc';
import { CertificateAuthority, createTestDatabase, type TestDatabase } from '@reseller/testing';
import { receiveWebhooks } from '@reseller/webhook-receiver';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { DiagnosisRepository } from '../src/diagnosis/diagnosis.repository';
import { Receiver } from './receiver';
import { MIGRATIONS, someCall, startNotifier, type RunningNotifier } from './start-notifier';

const { REACHABLE, CERTIFICATE, SIGNED_ACCEPTED, FORGED_REJECTED, STALE_REJECTED, FAST } = WebhookCheckName;
const { PASS, WARN, FAIL, SKIPPED } = WebhookCheckResult;

let database: TestDatabase;
let notifier: RunningNotifier;
let client: RpcClient<typeof WebhookDiagnosisServiceService>;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  notifier = await startNotifier(database, { WEBHOOK_ALLOWED_PRIVATE_TARGETS: '127.0.0.0/8' });
  const options = { name: 'notifier', defaultDeadlineMs: 35_000 };
  client = createRpcClient(WebhookDiagnosisServiceService, notifier.address, options);
});
afterAll(async () => {
  client.close();
  await notifier.stop();
  await database.drop();
});

const open: Server[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(server: Server): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A subscription of a partner of its own to a url. */
async function subscribed(url: string) {
  const call = someCall();
  const created = await notifier.webhooks.createWebhook(
    { url, eventTypes: [WebhookEventType.ORDER_COMPLETED] },
    call,
  );
  const subscriptionId = created.subscription?.id ?? '';
  const diagnose = async (): Promise<WebhookDiagnosis> =>
    (await client.diagnoseWebhook({ subscriptionId }, call)).diagnosis!;
  return { call, subscriptionId, secret: created.secret, diagnose };
}

const resultsOf = ({ checks }: WebhookDiagnosis) => new Map(checks.map(({ name, result }) => [name, result]));
const failedOf = ({ checks }: WebhookDiagnosis) =>
  checks.filter(({ result }) => result === FAIL).map(({ name }) => name);
const codeOf = (error: unknown): unknown => (error as { code?: string }).code;

describe('diagnosing a receiver (spec §17.3)', () => {
  it('when it is our own library, then it passes, and handled two events: the example and the unknown one', async () => {
    let secret = '';
    const handled: string[] = [];
    const receive = receiveWebhooks({
      secret: () => secret,
      handle: ({ eventType }, { isTest }) => void (isTest && handled.push(eventType)),
    });
    const port = await listen(createServer((request, response) => void receive(request, response)));
    const subscription = await subscribed(`http://127.0.0.1:${port}/`);
    secret = subscription.secret;
    const diagnosis = await subscription.diagnose();
    expect([diagnosis.grade, resultsOf(diagnosis).get(CERTIFICATE)]).toEqual([PASS, SKIPPED]);
    expect(handled).toEqual(['order.completed', 'diagnosis.unknown-type']);
  });

  it('when it accepts everything, paused, then forged and stale fail; it is no delivery, and is what is read again', async () => {
    const receiver = await Receiver.start();
    const { call, subscriptionId, diagnose } = await subscribed(receiver.url());
    await notifier.webhooks.setWebhookActive({ subscriptionId, isActive: false }, call);
    const read = () => client.getWebhookDiagnosis({ subscriptionId }, call);
    expect(codeOf(await read().catch((error: unknown) => error))).toBe('NOT_FOUND_WEBHOOK_DIAGNOSIS');
    const diagnosis = await diagnose();
    expect([diagnosis.grade, failedOf(diagnosis)]).toEqual([FAIL, [FORGED_REJECTED, STALE_REJECTED]]);
    expect(diagnosis.checks).toHaveLength(8);
    expect(receiver.received.map(({ headers }) => headers['x-service-test'])).toEqual(Array(5).fill('true'));
    expect((await read()).diagnosis).toEqual(diagnosis);
    const { deliveries } = await notifier.webhooks.listWebhookDeliveries(
      {
        subscriptionId,
        page: undefined,
        eventType: WebhookEventType.UNSPECIFIED,
        status: WebhookDeliveryStatus.UNSPECIFIED,
      },
      call,
    );
    const { subscription } = await notifier.webhooks.getWebhook({ subscriptionId }, call);
    expect([deliveries, subscription?.lastDeliveryAt]).toEqual([[], undefined]);
    await receiver.stop();
  });

  it('when nobody listens, then reachable fails and the rest is skipped', async () => {
    const receiver = await Receiver.start();
    const { diagnose } = await subscribed(receiver.url());
    await receiver.stop();
    const { grade, checks } = await diagnose();
    expect([grade, ...checks.map(({ result }) => result)]).toEqual([FAIL, FAIL, ...Array(7).fill(SKIPPED)]);
  });

  it('when diagnoses have ended, then each is counted by its grade', async () => {
    const count = async (): Promise<[string, string][]> =>
      [...(await notifier.metrics()).matchAll(/^webhook_diagnoses_total\{.*grade="(\w+)".*\} (\d+)$/gm)].map(
        ([, grade = '', n = '']) => [grade, n],
      );
    const before = new Map(await count());
    const receiver = await Receiver.start();
    await (await subscribed(receiver.url())).diagnose();
    await receiver.stop();
    expect(await count()).toEqual([
      ['Pass', before.get('Pass')],
      ['Warn', before.get('Warn')],
      ['Fail', String(Number(before.get('Fail')) + 1)],
    ]);
  });

  it('when its certificate is nobody’s we know, then that fails, as deliveries do; known, it has a day left', async () => {
    const authority = await CertificateAuthority.create();
    const certificate = await authority.issue({ names: ['localhost'] });
    const accept: RequestListener = (_request, response) => void response.end();
    const port = await listen(createTlsServer(certificate, accept));
    const { diagnose } = await subscribed(`https://localhost:${port}/`);
    const unknown = resultsOf(await diagnose());
    expect([REACHABLE, CERTIFICATE, SIGNED_ACCEPTED, FAST].map((name) => unknown.get(name))).toEqual([
      ...[PASS, FAIL, FAIL, SKIPPED],
    ]);
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, authority.pem]);
    try {
      const known = resultsOf(await diagnose());
      expect([CERTIFICATE, SIGNED_ACCEPTED].map((name) => known.get(name))).toEqual([WARN, PASS]);
    } finally {
      setDefaultCACertificates(before);
    }
  });
});

describe('one diagnosis at a time', () => {
  it('when one is under way, then another is refused until it has ended, on every instance', async () => {
    const receiver = await Receiver.start();
    const { call, subscriptionId, diagnose } = await subscribed(receiver.url());
    const held: (() => void)[] = [];
    const arrived = new Promise<void>((resolve) => {
      receiver.behaviour = (_received, response) => {
        held.push(() => void response.end());
        resolve();
      };
    });
    const first = diagnose();
    await arrived;
    const refusal = await diagnose().catch((error: unknown) => error);
    expect([
      codeOf(refusal),
      Number((refusal as { details: Record<string, unknown> }).details['retryAfterSeconds']),
    ]).toEqual(['RATE_LIMITED', expect.any(Number)]);
    receiver.behaviour = (_received, response) => void response.end();
    held.forEach((goOn) => goOn());
    await first;
    expect((await diagnose()).grade).toBe(FAIL);
    // What a process that died left behind is over when its lease is, and a late end of it is not kept.
    const repository = new DiagnosisRepository(database.servicePool);
    const dead = '019a2f3c-5b7e-4c41-9a6d-0d5f2f6b8a10';
    expect(await repository.claim(subscriptionId, dead, 60_000)).toMatchObject({ outcome: 'claimed' });
    expect(codeOf(await diagnose().catch((error: unknown) => error))).toBe('RATE_LIMITED');
    await database.pool.query(
      'UPDATE webhook_diagnoses SET lease_until = clock_timestamp() WHERE subscription_id = $1',
      [subscriptionId],
    );
    const last = await diagnose();
    const late = { subscriptionId, startedAt: new Date(), grade: 'Pass' as const, checks: [] };
    expect(await repository.finish(late, dead)).toBe(false);
    expect((await client.getWebhookDiagnosis({ subscriptionId }, call)).diagnosis).toEqual(last);
    await receiver.stop();
  });

  it('when the subscription is deleted meanwhile, then the diagnosis is not found, and nothing of it stays', async () => {
    const receiver = await Receiver.start();
    const { call, subscriptionId, diagnose } = await subscribed(receiver.url());
    const deleted = new Promise<void>((resolve, reject) => {
      receiver.behaviour = (_received, response) => {
        receiver.behaviour = (_next, other) => void other.end();
        notifier.webhooks.deleteWebhook({ subscriptionId }, call).then(() => resolve(), reject);
        void deleted.finally(() => response.end());
      };
    });
    expect(codeOf(await diagnose().catch((error: unknown) => error))).toBe('NOT_FOUND_WEBHOOK_SUBSCRIPTION');
    const { rows } = await database.pool.query('SELECT FROM webhook_diagnoses WHERE subscription_id = $1', [
      subscriptionId,
    ]);
    expect(rows).toEqual([]);
    await receiver.stop();
  });
});
