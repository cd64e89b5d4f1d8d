import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PartnerRegistered, PartnerUpdated, type Partner } from '@reseller/contracts';
import { byOperator, register, startFixture, type Fixture } from './identity-fixture';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

interface OutboxEvent {
  type: string;
  partner: Partner | undefined;
}

/** What the outbox holds about a partner, oldest first. */
async function eventsOf(partnerId: string): Promise<OutboxEvent[]> {
  const { rows } = await fixture.database.pool.query<{ type: string; payload: Buffer }>(
    'SELECT type, payload FROM outbox WHERE aggregate_id = $1 ORDER BY aggregate_seq',
    [partnerId],
  );
  return rows.map(({ type, payload }) => {
    const reader = type.endsWith('PartnerRegistered') ? PartnerRegistered : PartnerUpdated;
    return { type: type.replace('reseller.identity.v1.', ''), partner: reader.decode(payload).partner };
  });
}

async function auditOf(
  partnerId: string,
): Promise<{ action: string; operator: string | undefined; details: unknown }[]> {
  const request = { page: undefined, partnerId, fromAt: undefined, toAt: undefined };
  const { entries } = await fixture.audit.listAuditEntries(request, byOperator);
  return entries.map(({ action, operator, detailsJson }) => ({
    action,
    operator,
    details: JSON.parse(detailsJson) as unknown,
  }));
}

describe('partners', () => {
  it('when a partner is registered, then it is active, has a global id and all that was said about it', async () => {
    const parent = await register(fixture, 'Acme');
    const { partner } = await fixture.partners.createPartner(
      {
        name: 'Acme North',
        parentPartnerId: parent,
        displayCurrency: 'USD',
        isVatRegistered: true,
        taxRegistrationNumber: '310122393500003',
        commissionRate: '0.10',
        marketingEnabled: true,
        billingEmail: 'billing@acme.example',
        language: 'ar',
      },
      byOperator,
    );
    expect(partner).toEqual({
      id: expect.any(String),
      globalId: expect.stringMatching(/^PRT-\d{6}$/),
      name: 'Acme North',
      parentPartnerId: parent,
      path: [parent, partner?.id],
      isActive: true,
      isFrozen: false,
      displayCurrency: 'USD',
      isVatRegistered: true,
      taxRegistrationNumber: '310122393500003',
      commissionRate: '0.1',
      marketingEnabled: true,
      billingEmail: 'billing@acme.example',
      language: 'ar',
      version: 1,
      createdAt: expect.any(Date),
    });
    const read = await fixture.partners.getPartner({ partnerId: partner?.id ?? '' }, byOperator);
    expect(read.partner).toEqual(partner);
    expect(await eventsOf(partner?.id ?? '')).toEqual([{ type: 'PartnerRegistered', partner }]);
    expect(await auditOf(partner?.id ?? '')).toEqual([
      expect.objectContaining({ action: 'partner.create', operator: 'Olga' }),
    ]);
  });

  it('when a new partner is unfit, then every fault is named and nothing is stored', async () => {
    const before = await fixture.partners.listPartners({ page: undefined }, byOperator);
    const unfit = {
      name: '',
      displayCurrency: 'XXQ',
      commissionRate: '2',
      billingEmail: 'x',
      parentPartnerId: 'y',
    };
    await expect(fixture.partners.createPartner(unfit, byOperator)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: {
        errors: ['name', 'displayCurrency', 'commissionRate', 'billingEmail', 'parentPartnerId'].map((path) =>
          expect.objectContaining({ path }),
        ),
      },
    });
    const unknownParent = { name: 'Orphan', parentPartnerId: '018f0000-0000-7000-8000-00000000dead' };
    await expect(fixture.partners.createPartner(unknownParent, byOperator)).rejects.toMatchObject({
      code: 'NOT_FOUND_PARTNER',
    });
    const after = await fixture.partners.listPartners({ page: undefined }, byOperator);
    expect(after.page).toEqual(before.page);
  });

  it('when fields change, then version, event and audit entry each move on once; when nothing changes, none does', async () => {
    const id = await register(fixture, 'Before');
    const change = { partnerId: id, name: 'After', displayCurrency: 'EUR', isVatRegistered: true };
    const { partner } = await fixture.partners.updatePartner(change, byOperator);
    expect(partner).toMatchObject({
      name: 'After',
      displayCurrency: 'EUR',
      isVatRegistered: true,
      version: 2,
    });
    const repeated = await fixture.partners.updatePartner(change, byOperator);
    expect(repeated.partner).toEqual(partner);
    const cleared = await fixture.partners.updatePartner({ partnerId: id, displayCurrency: '' }, byOperator);
    expect(cleared.partner).toMatchObject({ displayCurrency: undefined, version: 3 });

    const events = await eventsOf(id);
    expect(
      events.map(({ type, partner: snapshot }) => [type, snapshot?.version, snapshot?.displayCurrency]),
    ).toEqual([
      ['PartnerRegistered', 1, undefined],
      ['PartnerUpdated', 2, 'EUR'],
      ['PartnerUpdated', 3, undefined],
    ]);
    expect(await auditOf(id)).toMatchObject([
      { action: 'partner.update', details: { changes: { displayCurrency: { from: 'EUR', to: null } } } },
      { action: 'partner.update', details: { changes: { name: { from: 'Before', to: 'After' } } } },
      { action: 'partner.create' },
    ]);
  });

  it('when many change one partner at once, then no change is lost and the versions have no gap', async () => {
    const partnerId = await register(fixture, 'Busy');
    for (let round = 1; round <= 6; round += 1) {
      const changes = [
        { name: `Busy ${round}` },
        { taxRegistrationNumber: `${round}` },
        { commissionRate: `0.${round}` },
        { billingEmail: `round-${round}@acme.example` },
        { isActive: round % 2 === 0 },
      ];
      await Promise.all(
        changes.map((change) => fixture.partners.updatePartner({ partnerId, ...change }, byOperator)),
      );
      const { partner } = await fixture.partners.getPartner({ partnerId }, byOperator);
      expect(partner).toMatchObject(Object.assign({}, ...changes) as object);
    }
    const versions = (await eventsOf(partnerId)).map(({ partner }) => partner?.version);
    expect(versions).toEqual(Array.from({ length: 1 + 6 * 5 }, (_, n) => n + 1));
  });
});
