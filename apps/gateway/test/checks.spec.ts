import { beforeAll, describe, expect, it } from '@jest/globals';
import { ActorType } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { type GatewayResponse, useGateway } from './support/gateway';
import { ACME, ACME_NORTH } from './support/samples';

const TOPUP = '/api/v1/orders/topup';
const topup = {
  externalReference: 'ref-1',
  geoScopeGlobalId: 'GEO-SA',
  amount: 10.1,
  phoneNumber: '+966501234567',
};
const outcome = ({ status, body }: GatewayResponse) => [status, body.state];

describe('the order of the checks (spec §1.9, §2.2, §11.2, §11.4)', () => {
  const gateway = useGateway({ RATE_LIMIT_DEFAULT: '3', RATE_LIMIT_TOKEN: '2' });

  it('when several things are wrong, then token, limit, shape and partner are refused in this order', async () => {
    const { dependencies, signer } = gateway;
    const token = await signer.sign({ client_id: 'in-order' });
    const faulty = { ...topup, amount: 'x', partnerId: ACME_NORTH };
    expect(outcome(await gateway.post('bad-token', TOPUP, faulty))).toEqual([
      401,
      'UNAUTHORIZED_INVALID_TOKEN',
    ]);
    expect(outcome(await gateway.post(token, TOPUP, faulty))).toEqual([400, 'VALIDATION_FAILED']);
    expect(outcome(await gateway.post(token, TOPUP, { ...faulty, amount: 1 }))).toEqual([
      403,
      'FORBIDDEN_PARTNER_MISMATCH',
    ]);
    expect(outcome(await gateway.post(token, TOPUP, { ...topup, partnerGlobalId: 'PRT-9' }))).toEqual([
      403,
      'FORBIDDEN_PARTNER_MISMATCH',
    ]);
    expect(dependencies.seen.calls).toEqual([]);
    const refused = await gateway.post(token, TOPUP, '{');
    expect(outcome(refused)).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(Object.keys(refused.body.details).sort()).toEqual(['message', 'requestId']);
  });

  it('when tokens are requested too often, then the third is refused, malformed or not', async () => {
    const postToken = (body: string) =>
      gateway.send('/api/v1/auth/token', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
    expect(outcome(await postToken('{}'))).toEqual([400, 'VALIDATION_FAILED']);
    expect(outcome(await postToken('{"clientId":"a","clientSecret":"b"}'))).toEqual([200, 'SUCCESS']);
    expect(outcome(await postToken('{'))).toEqual([429, 'RATE_LIMITED']);
  });

  it('when a parent acts for its child, then both use the permits of the parent’s credential', async () => {
    const own = await gateway.signer.sign({ client_id: 'parent' });
    const act = { sub: ACME, client_id: 'parent' };
    const delegated = await gateway.signer.sign({
      sub: ACME_NORTH,
      path: [ACME, ACME_NORTH],
      client_id: 'parent',
      act,
    });
    const states = [];
    for (const token of [own, delegated, own, delegated]) {
      states.push((await gateway.sendAs(token, '/api/v1/wallet/balance')).status);
    }
    expect(states).toEqual([200, 200, 200, 429]);
  });

  it('when an address has no valid token, then its third unknown path, method or token uses up its permits', async () => {
    const remembered = await gateway.signer.sign({ client_id: 'remembered' });
    expect(outcome(await gateway.sendAs(remembered, '/api/v1/wallet/balance'))).toEqual([200, 'SUCCESS']);
    // One was used by the bad token of the first test.
    expect(outcome(await gateway.send('/api/v1/none'))).toEqual([404, 'NOT_FOUND_ROUTE']);
    expect(outcome(await gateway.send(TOPUP, { method: 'PUT' }))).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(outcome(await gateway.send('/api/v1/none'))).toEqual([429, 'RATE_LIMITED']);
    expect(outcome(await gateway.send('/api/v1/wallet/balance'))).toEqual([429, 'RATE_LIMITED']);
    // A token that was verified before passes; another is not verified now (spec §14.3).
    expect(outcome(await gateway.sendAs(remembered, '/api/v1/wallet/balance'))).toEqual([200, 'SUCCESS']);
    const fresh = await gateway.signer.sign({ client_id: 'another' });
    expect(outcome(await gateway.sendAs(fresh, '/api/v1/wallet/balance'))).toEqual([429, 'RATE_LIMITED']);
    for (const path of ['/healthz', '/readyz', '/metrics', '/docs', '/api/v1/openapi.json']) {
      expect([path, (await gateway.send(path)).status]).toEqual([path, 200]);
    }
  });
});

describe('a delegated token', () => {
  const gateway = useGateway();
  let delegated: string;
  beforeAll(async () => {
    const act = { sub: ACME, client_id: 'acme-sandbox' };
    delegated = await gateway.signer.sign({ sub: ACME_NORTH, path: [ACME, ACME_NORTH], act });
  });

  it('when it changes something, then the audit entry is there before the change is passed on', async () => {
    const { dependencies } = gateway;
    const create = dependencies.topups.createTopupOrder;
    let entriesBefore = -1;
    dependencies.topups.createTopupOrder = (request, call) => {
      entriesBefore = dependencies.seen.audit.length;
      return create(request, call);
    };
    const response = await gateway.post(delegated, TOPUP, topup);
    expect([response.status, entriesBefore]).toEqual([200, 1]);
    expect(dependencies.seen.audit[0]).toMatchObject({
      entryId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      actorType: ActorType.PARTNER,
      actingPartnerId: ACME,
      actingClientId: 'acme-sandbox',
      partnerId: ACME_NORTH,
      action: 'POST /api/v1/orders/topup',
      subject: 'ref-1',
      requestId: response.headers.get('x-request-id'),
      // By the name that the token's own entry has it under.
      detailsJson: '{"environment":"sandbox"}',
    });
  });

  it('when what it changes is named by the path alone, then that is the subject of the entry', async () => {
    const { audit } = gateway.dependencies.seen;
    audit.length = 0;
    const path = `/api/v1/webhooks/${ACME}/deliveries/${ACME_NORTH}/redeliver`;
    expect((await gateway.post(delegated, path, {})).status).toBe(200);
    expect(audit).toMatchObject([{ subject: `${ACME}/${ACME_NORTH}` }]);
  });

  it('when it reads, is refused by shape, or acts for itself, then there is no entry', async () => {
    const { audit } = gateway.dependencies.seen;
    audit.length = 0;
    await gateway.sendAs(delegated, '/api/v1/wallet/balance');
    await gateway.post(delegated, TOPUP, {});
    await gateway.post(await gateway.signer.sign(), TOPUP, topup);
    expect(audit).toEqual([]);
  });

  it('when it locks a preview or quotes a price, then what it does counts and not its method', async () => {
    const { audit } = gateway.dependencies.seen;
    audit.length = 0;
    const preview = '/api/v1/scent/cart/checkout-preview?customerRef=c-1';
    expect((await gateway.sendAs(delegated, preview)).status).toBe(200);
    const lines = [{ variantId: ACME, quantity: 1 }];
    expect((await gateway.post(delegated, '/api/v1/scent/price-quote', { lines })).status).toBe(200);
    expect(audit).toEqual([]);
    expect((await gateway.sendAs(delegated, `${preview}&lock=true`)).status).toBe(200);
    expect(audit).toMatchObject([
      { action: 'GET /api/v1/scent/cart/checkout-preview', actingPartnerId: ACME },
    ]);
  });

  const limits = { maxOrderAmount: 50, dailySpend: null };
  const limit = (token: string) =>
    gateway.sendAs(token, `/api/v1/descendants/${ACME_NORTH}/limits`, {
      method: 'PUT',
      body: JSON.stringify(limits),
      headers: { 'content-type': 'application/json' },
    });

  it('when an ancestor limits a descendant by its own token, then that is audited first, and without a descendant nothing is set (spec §17.5)', async () => {
    const { dependencies, signer } = gateway;
    const { audit, calls } = dependencies.seen;
    audit.length = calls.length = 0;
    const set = await limit(await signer.sign());
    expect(set.body.payload).toMatchObject({ partnerId: ACME_NORTH, environment: 'sandbox' });
    expect(audit).toMatchObject([
      {
        actorType: ActorType.PARTNER,
        partnerId: ACME_NORTH,
        action: 'PUT /api/v1/descendants/{partnerId}/limits',
        subject: ACME_NORTH,
        detailsJson:
          '{"environment":"sandbox","maxOrderAmount":"50","dailySpend":null,"dailyOrdersPerPhone":null}',
      },
    ]);
    expect(calls).toMatchObject([
      { method: 'setDescendantLimits', request: { partnerId: ACME_NORTH, limits: { maxOrderAmount: '50' } } },
    ]);
    calls.length = 0;
    expect(outcome(await limit(delegated))).toEqual([403, 'FORBIDDEN_NOT_YOUR_DESCENDANT']);
    const { recordAuditEntry } = dependencies.audit;
    dependencies.audit.recordAuditEntry = () => Promise.reject(new AppError('FORBIDDEN_NOT_YOUR_DESCENDANT'));
    expect(outcome(await limit(await signer.sign()))).toEqual([403, 'FORBIDDEN_NOT_YOUR_DESCENDANT']);
    dependencies.audit.recordAuditEntry = recordAuditEntry;
    expect(calls).toEqual([]);
  });

  it('when the entry cannot be made, then nothing is passed on', async () => {
    const { dependencies } = gateway;
    dependencies.seen.calls.length = 0;
    dependencies.audit.recordAuditEntry = () => Promise.reject(new AppError('INTERNAL_ERROR'));
    for (const response of [
      await gateway.post(delegated, TOPUP, topup),
      await limit(await gateway.signer.sign()),
    ])
      expect(outcome(response)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(dependencies.seen.calls).toEqual([]);
  });
});
