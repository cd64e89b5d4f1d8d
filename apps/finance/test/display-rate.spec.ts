import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PartnerRegistered, PartnerUpdated, type Partner } from '@reseller/contracts';
import { createPostgresEventBus, type DomainEvent, type EventBus } from '@reseller/messaging';
import { eventually, silentLog } from '@reseller/testing';
import { Registry } from 'prom-client';
import { v7 as uuidv7 } from 'uuid';
import {
  codeOf,
  partnerWith,
  startFinanceService,
  type FinanceService,
  type TestPartner,
} from './finance-service';

describe('display rates', () => {
  let finance: FinanceService;
  let bus: EventBus;

  beforeAll(async () => {
    finance = await startFinanceService();
    bus = createPostgresEventBus({
      connectionString: finance.bus.url,
      log: silentLog,
      metrics: new Registry(),
    });
  });
  afterAll(async () => {
    await bus.close();
    await finance.stop();
  });

  const call = { requestId: 'r', operator: 'olga' };
  const displayRateOf = async (partner: TestPartner) =>
    (await finance.wallets.getBalance({}, partner.call)).displayRate;
  const isSeen = async (partner: TestPartner, version: number, deadlineMs?: number) => {
    const request = { partnerId: partner.partnerId, version };
    return (await finance.rates.awaitPartnerVersion(request, call, { deadlineMs })).isSeen;
  };

  it('when a display currency and its rate are known, then balances and checks carry the rate, at once after each change', async () => {
    const partner = await partnerWith(finance, '10.00');
    expect(await displayRateOf(partner)).toBeUndefined();
    await bus.publish([registered(partner, { displayCurrency: 'USD' })]);
    expect(await isSeen(partner, 1)).toBe(true);
    expect(await displayRateOf(partner)).toBeUndefined();
    await finance.rates.setRate({ currency: 'USD', rate: '0.2666' }, call);
    expect(await displayRateOf(partner)).toEqual({ currency: 'USD', rate: '0.266600' });
    const { updatedAt, ...rate } = await finance.rates.setRate({ currency: 'USD', rate: '0.266667' }, call);
    expect(rate).toEqual({ currency: 'USD', rate: '0.266667' });
    expect(updatedAt).toBeInstanceOf(Date);
    const { displayRate } = await finance.funds.checkFunds(partner.ref, partner.call);
    expect(displayRate).toEqual({ currency: 'USD', rate: '0.266667' });
    await bus.publish([updated(partner, 2, { displayCurrency: 'SAR' })]);
    expect(await isSeen(partner, 2)).toBe(true);
    expect(await displayRateOf(partner)).toBeUndefined();
  });

  it('when events come late, then an older version changes nothing', async () => {
    const partner = await partnerWith(finance, '10.00');
    await finance.rates.setRate({ currency: 'AED', rate: '0.98' }, call);
    const late = [updated(partner, 2, { displayCurrency: 'USD' }), registered(partner, {})];
    await bus.publish([updated(partner, 3, { displayCurrency: 'AED' }), ...late]);
    await eventually(async () => {
      const ids = late.map(({ eventId }) => eventId);
      const seen = await finance.database.pool.query('SELECT 1 FROM inbox WHERE event_id = ANY ($1)', [ids]);
      expect(seen.rowCount).toBe(2);
    });
    expect(await isSeen(partner, 3)).toBe(true);
    expect(await displayRateOf(partner)).toEqual({ currency: 'AED', rate: '0.980000' });
  });

  it('when an event that waits is a newer one, then a call that waits for it ends with it', async () => {
    const partner = await partnerWith(finance, '1.00');
    const waiting = isSeen(partner, 1);
    await bus.publish([registered(partner, {})]);
    expect(await waiting).toBe(true);
    expect(await isSeen(partner, 1)).toBe(true);
  });

  it('when a version is not seen by the deadline, then the response says so instead of failing', async () => {
    const partner = await partnerWith(finance, '1.00');
    expect(await isSeen(partner, 1, 400)).toBe(false);
  });

  it('when a kind of event is not known here, then those after it are still taken over', async () => {
    const partner = await partnerWith(finance, '1.00');
    await bus.publish([
      { ...registered(partner, {}), type: 'reseller.identity.v1.PartnerMerged' },
      updated(partner, 5, {}),
    ]);
    await eventually(async () => expect(await isSeen(partner, 5, 300)).toBe(true));
  });

  it.each([
    ['SAR', '1'],
    ['usd', '1'],
    ['XYZ', '1'],
    ['USD', '0'],
    ['USD', '-1'],
    ['USD', '0.1234567'],
    ['USD', '1e3'],
    ['USD', '1000000000'],
    ['USD', ''],
  ])('when the rate of %s is set to "%s", then VALIDATION_FAILED', async (currency, rate) => {
    expect(await codeOf(finance.rates.setRate({ currency, rate }, call))).toBe('VALIDATION_FAILED');
  });
});

let seq = 0;

function event(type: string, partnerId: string, payload: Uint8Array): DomainEvent {
  seq += 1;
  return {
    eventId: uuidv7(),
    topic: 'reseller.identity.partner.v1',
    type: `reseller.identity.v1.${type}`,
    aggregateId: partnerId,
    aggregateSeq: String(seq),
    occurredAt: new Date(),
    payload: Buffer.from(payload),
    headers: {},
  };
}

function snapshot({ partnerId }: TestPartner, more: Partial<Partner>): Partner {
  return {
    id: partnerId,
    globalId: 'PRT-000001',
    name: 'Acme',
    path: [partnerId],
    language: 'en',
    isActive: true,
    isVatRegistered: false,
    marketingEnabled: false,
    isFrozen: false,
    version: 1,
    createdAt: new Date(),
    ...more,
  };
}

function registered(partner: TestPartner, more: Partial<Partner>): DomainEvent {
  const payload = PartnerRegistered.encode({
    partner: snapshot(partner, more),
    isFrozenWithAncestors: false,
  }).finish();
  return event('PartnerRegistered', partner.partnerId, payload);
}

function updated(partner: TestPartner, version: number, more: Partial<Partner>): DomainEvent {
  const payload = PartnerUpdated.encode({
    partner: snapshot(partner, { ...more, version }),
    isFrozenWithAncestors: false,
  }).finish();
  return event('PartnerUpdated', partner.partnerId, payload);
}
