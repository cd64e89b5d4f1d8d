import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CertificationServiceService,
  CertificationStep,
  CertifiedProduct,
  EvidenceType,
  OrderStatus,
  SightingServiceService,
  WebhookCheckResult,
  WebhookDiagnosisServiceService,
  type ClientCalls,
  type Sighting,
} from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { eventually } from '@reseller/testing';
import { TestGateway, useGateway } from './support/gateway';
import { someEsimOrder, someStatement, someTopupOrder } from './support/samples';

const TOPUPS = '/api/v1/orders/topup';
const order = {
  externalReference: 'A',
  geoScopeGlobalId: 'GEO-SA',
  amount: 10,
  phoneNumber: '+966501234567',
};
const { orderGlobalId } = someTopupOrder();
const SUBSCRIPTION = '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10';

const gateway = useGateway();
let reported: Sighting[];
let calls: ClientCalls[];
beforeAll(() => {
  gateway.dependencies.servers.identity.on(SightingServiceService, {
    recordSightings: (request) => {
      reported.push(...request.sightings);
      calls.push(...request.calls);
      return { shown: [] };
    },
  });
});
beforeEach(() => {
  reported = [];
  calls = [];
});

/** As STEP/kind/subject, without the words that all of them have. */
const toText = ({ step, kind, subject }: Sighting): string =>
  [step.replace('CERTIFICATION_STEP_', ''), kind.replace('SIGHTING_KIND_', ''), subject].join(' ');
/** Waits until just this was reported; a refusal that is met marks the end, since batches are in order. */
async function expectReported(...expected: string[]): Promise<void> {
  gateway.dependencies.topups.createTopupOrder = () => {
    throw new AppError('BUSINESS_INSUFFICIENT_BALANCE');
  };
  await gateway.sendAs(gateway.token, TOPUPS, {
    ...post(order),
    headers: { ...JSON_TYPE, 'x-request-id': 'the-end' },
  });
  const wanted = [...expected, 'REFUSAL_MET WHOLE the-end'].sort();
  await eventually(() => expect(reported.map(toText)).toContain('REFUSAL_MET WHOLE the-end'));
  expect(reported.map(toText).sort()).toEqual(wanted);
}
const JSON_TYPE = { 'content-type': 'application/json' };
const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body), headers: JSON_TYPE });
const statusIs = (status: OrderStatus, { isNew = false } = {}) => {
  const reply = () => ({ order: someTopupOrder({ status }), isNew });
  Object.assign(gateway.dependencies.topups, {
    createTopupOrder: reply,
    getTopupOrder: reply,
    getTopupOrderByReference: reply,
  });
};

describe('what partners show in the sandbox (spec §17.6)', () => {
  it('when a create makes an order, then it is sold or under way, and nothing is followed or repeated yet', async () => {
    statusIs(OrderStatus.COMPLETED, { isNew: true });
    await gateway.post(gateway.token, TOPUPS, order);
    statusIs(OrderStatus.PROCESSING, { isNew: true });
    await gateway.post(gateway.token, TOPUPS, { ...order, externalReference: 'B' });
    await expectReported(
      `TOPUP_ORDER WHOLE ${orderGlobalId}`,
      `PENDING_ORDER_FOLLOWED FIRST ${orderGlobalId}`,
    );
  });

  it('when a create is repeated and its order completed, then it is sold, ended and repeated', async () => {
    statusIs(OrderStatus.COMPLETED);
    await gateway.post(gateway.token, TOPUPS, order);
    await expectReported(
      `TOPUP_ORDER WHOLE ${orderGlobalId}`,
      `PENDING_ORDER_FOLLOWED SECOND ${orderGlobalId}`,
      `LOST_RESPONSE_REPEATED SECOND ${orderGlobalId}`,
    );
  });

  it('when an order is pending, and read by its id, reference or in a list at its end, then both are seen', async () => {
    statusIs(OrderStatus.PROCESSING);
    await gateway.sendAs(gateway.token, `${TOPUPS}/${someTopupOrder().orderId}`);
    statusIs(OrderStatus.FAILED);
    await gateway.sendAs(gateway.token, `${TOPUPS}/reference/A`);
    await expectReported(
      `PENDING_ORDER_FOLLOWED FIRST ${orderGlobalId}`,
      `PENDING_ORDER_FOLLOWED SECOND ${orderGlobalId}`,
      `REFUSAL_MET WHOLE ${orderGlobalId}`,
    );
  });

  it('when an eSIM is listed, or an event read, then each shows its own', async () => {
    await gateway.sendAs(gateway.token, '/api/v1/orders/esim');
    await gateway.sendAs(gateway.token, '/api/v1/events');
    await expectReported(
      `PENDING_ORDER_FOLLOWED FIRST ${someEsimOrder().orderGlobalId}`,
      'PENDING_ORDER_FOLLOWED SECOND TU-1',
    );
  });

  it('when an order is read among those of every product, then its product is sold as well', async () => {
    await gateway.sendAs(gateway.token, '/api/v1/orders');
    await expectReported('TOPUP_ORDER WHOLE ORD-1', 'PENDING_ORDER_FOLLOWED SECOND ORD-1');
  });

  it.each(['drop-response', 'unavailable-after'])(
    'when the response of a create is lost by %s, then that is all it shows',
    async (fault) => {
      statusIs(OrderStatus.COMPLETED, { isNew: true });
      const headers = { ...JSON_TYPE, 'x-sandbox-fault': fault };
      await gateway.sendAs(gateway.token, TOPUPS, { ...post(order), headers }).catch(() => undefined);
      await expectReported(`LOST_RESPONSE_REPEATED FIRST ${orderGlobalId}`);
    },
  );

  it('when a read is lost, or nothing was done, then it shows nothing', async () => {
    statusIs(OrderStatus.COMPLETED);
    const lost = { headers: { 'x-sandbox-fault': 'unavailable-after' } };
    await gateway.sendAs(gateway.token, `${TOPUPS}/reference/A`, lost);
    await gateway.sendAs(gateway.token, `/api/v1/statements/${someStatement().id}`, lost);
    await gateway.sendAs(gateway.token, TOPUPS, {
      ...post(order),
      headers: { ...JSON_TYPE, 'x-sandbox-fault': 'unavailable' },
    });
    await expectReported();
  });

  it('when a create with a key is lost and then replayed, then both halves have one subject, which names no key', async () => {
    const { webhooks } = gateway.dependencies;
    const create = (fault?: string) =>
      gateway.sendAs(gateway.token, '/api/v1/webhooks', {
        ...post({ url: 'https://a.example/', eventTypes: ['order.failed'] }),
        headers: { ...JSON_TYPE, 'idempotency-key': 'my key', ...(fault && { 'x-sandbox-fault': fault }) },
      });
    const before = webhooks.createWebhook;
    await create('unavailable-after');
    webhooks.createWebhook = async (request, call) => ({
      ...(await before(request, call)),
      isReplayed: true,
    });
    await create();
    webhooks.createWebhook = before;
    await eventually(() => expect(reported).toHaveLength(2));
    const [first, second] = reported.map(toText).map((text) => text.split(' '));
    expect([first?.[1], second?.[1]]).toEqual(['FIRST', 'SECOND']);
    expect(first?.[2]).toBe(second?.[2]);
    expect(first?.[2]).toMatch(/^[\w-]{43}$/);
  });

  it('when a statement is read, then that is seen; a list of them shows nothing', async () => {
    const { id } = someStatement();
    await gateway.sendAs(gateway.token, '/api/v1/statements');
    await gateway.sendAs(gateway.token, `/api/v1/statements/${id}`);
    await expectReported(`STATEMENT_READ WHOLE ${id}`);
  });

  it.each([
    [WebhookCheckResult.PASS, [`DIAGNOSIS_PASSED WHOLE ${SUBSCRIPTION}`]],
    [WebhookCheckResult.WARN, []],
  ])('when a diagnosis is graded %s, then it shows %j', async (grade, expected) => {
    gateway.dependencies.servers.notifier.on(WebhookDiagnosisServiceService, {
      getWebhookDiagnosis: () => ({ diagnosis: { subscriptionId: SUBSCRIPTION, grade, checks: [] } }),
    });
    await gateway.sendAs(gateway.token, `/api/v1/webhooks/${SUBSCRIPTION}/diagnosis`);
    await expectReported(...expected);
  });

  it('when a token is live, then nothing is reported', async () => {
    statusIs(OrderStatus.COMPLETED);
    const live = await gateway.signer.sign({ env: 'live' });
    await gateway.post(live, TOPUPS, order);
    await gateway.post(live, TOPUPS, {});
    await expectReported();
    expect(calls.every(({ calledAt }) => calledAt.length === 1)).toBe(true);
  });

  it('when a call is refused by a rehearsed limit, then when, for how long and what comes afterwards is reported', async () => {
    await gateway.sendAs(gateway.token, '/api/v1/orders', {
      headers: { 'x-sandbox-fault': 'rate-limited', 'x-request-id': 'limited' },
    });
    await eventually(() => expect(calls.flatMap(({ limits }) => limits)).toHaveLength(1));
    const [limit] = calls.flatMap(({ limits }) => limits);
    expect(limit).toMatchObject({ retryAfterSeconds: 1, requestId: 'limited' });
    expect(calls.flatMap(({ calledAt }) => calledAt)[0]?.getTime()).toBeLessThanOrEqual(
      limit?.at?.getTime() ?? 0,
    );
  });

  it('when the permits are used up, then that limit is reported as well', async () => {
    const limited = await TestGateway.start({ RATE_LIMIT_DEFAULT: '1' });
    const recorded: ClientCalls[] = [];
    limited.dependencies.servers.identity.on(SightingServiceService, {
      recordSightings: (request) => (recorded.push(...request.calls), { shown: [] }),
    });
    const bearer = await limited.signer.sign();
    await limited.sendAs(bearer, '/api/v1/orders');
    await limited.sendAs(bearer, '/api/v1/orders');
    await eventually(() => expect(recorded.flatMap(({ limits }) => limits)).toHaveLength(1));
    expect(recorded.flatMap(({ limits }) => limits)[0]?.retryAfterSeconds).toBeGreaterThan(1);
    await limited.stop();
  });

  it('when identity is away, then requests are served as ever', async () => {
    gateway.dependencies.servers.identity.fail('recordSightings', 'SERVICE_UNAVAILABLE', 1);
    statusIs(OrderStatus.COMPLETED);
    expect((await gateway.post(gateway.token, TOPUPS, order)).status).toBe(200);
    await eventually(() => expect(reported.length).toBeGreaterThan(0));
  });
});

describe('GET /api/v1/certification (spec §17.6)', () => {
  it('when it is read, then each step says whether it was shown, by what, and how to show it', async () => {
    const shownAt = new Date('2026-01-15T09:30:00.412Z');
    gateway.dependencies.servers.identity.on(CertificationServiceService, {
      getCertification: () => ({
        certification: {
          partnerId: '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10',
          products: [CertifiedProduct.TOPUP],
          certifiedAt: undefined,
          isWaived: false,
          steps: [
            {
              step: CertificationStep.TOPUP_ORDER,
              shownAt,
              evidence: { type: EvidenceType.ORDER, id: 'TU-1', requestId: 'r-1' },
            },
            { step: CertificationStep.STATEMENT_READ, shownAt: undefined, evidence: undefined },
          ],
        },
      }),
    });
    const { body } = await gateway.sendAs(gateway.token, '/api/v1/certification');
    expect(body.payload).toMatchObject({
      status: 'InProgress',
      certifiedAt: null,
      isWaived: false,
      products: ['Topup'],
      steps: [
        {
          name: 'TopupOrder',
          status: 'Shown',
          shownAt: shownAt.toISOString(),
          evidence: { type: 'Order', id: 'TU-1', requestId: 'r-1' },
        },
        { name: 'StatementRead', status: 'Missing', shownAt: null, evidence: null },
      ],
    });
  });
});
