import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PartnerRegistered, PartnerUpdated, type Partner } from '@reseller/contracts';
import { createPostgresEventBus, type DomainEvent, type EventBus } from '@reseller/messaging';
import { codeOf, silentLog } from '@reseller/testing';
import { Registry } from 'prom-client';
import { v7 as uuidv7 } from 'uuid';
import { partnerWith, startFinanceService, type FinanceService, type TestPartner } from './finance-service';

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
  const isSeen = async (partner: TestPartner, version: number) => {
    const request = { partnerId: partner.partnerId, version };
    return (await finance.rates.awaitPartnerVersion(request, call)).isSeen;
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

  it.each([
    ['XYZ', '1'],
    ['USD', '1e3'],
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
