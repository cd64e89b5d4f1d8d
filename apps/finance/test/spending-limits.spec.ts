import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeIdentity, identityPartner } from '@reseller/contract-testing';
import { LimitSetter, PartnerUpdated } from '@reseller/contracts';
import { createPostgresEventBus, type EventBus } from '@reseller/messaging';
import { codeOf, eventually, silentLog } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
import {
  newPartner,
  partnerWith,
  reserveRequest,
  startFinanceService,
  type FinanceService,
  type TestPartner,
} from './finance-service';
import { brokenInvariants } from './invariants';

const LIMITS = { maxOrderAmount: '5.00', dailySpend: undefined, dailyOrdersPerPhone: undefined };

describe('who limits a partner’s spending (spec §17.5)', () => {
  let finance: FinanceService;
  let identity: FakeIdentity;
  let bus: EventBus;

  beforeAll(async () => {
    identity = await new FakeIdentity().start();
    finance = await startFinanceService({ IDENTITY_ADDRESS: identity.address });
    bus = createPostgresEventBus({ connectionString: finance.bus.url, log: silentLog });
  });
  afterAll(async () => {
    await bus.close();
    await finance.stop();
    await identity.stop();
  });
  afterEach(async () => expect(await brokenInvariants(finance.database.pool)).toEqual({}));

  /** identity has the partner there from now on, in this version; finance hears of it when it is published. */
  function place({ partnerId: id }: TestPartner, above: readonly TestPartner[], version: number) {
    const path = [...above.map(({ partnerId }) => partnerId), id];
    const partner = identityPartner(id, { path, version });
    identity.partners.set(id, partner);
    return () =>
      bus.publish([
        {
          eventId: uuidv7(),
          topic: 'reseller.identity.partner.v1',
          type: 'reseller.identity.v1.PartnerUpdated',
          aggregateId: id,
          aggregateSeq: String(version),
          occurredAt: new Date(),
          payload: Buffer.from(
            PartnerUpdated.encode(PartnerUpdated.fromPartial({ partner: { ...partner, path } })).finish(),
          ),
          headers: {},
        },
      ]);
  }

  const limit = (ancestor: TestPartner, { partnerId }: TestPartner) =>
    finance.limits.setDescendantLimits({ partnerId, limits: LIMITS }, ancestor.call);
  const settersOf = async ({ ref, call }: TestPartner) =>
    (await finance.limits.getPartnerLimits(ref, call)).settings.map(({ setBy, ancestorPartnerId }) =>
      setBy === LimitSetter.OPERATOR ? 'operator' : ancestorPartnerId,
    );

  it('when a partner moves, then the limits of those who are above it no more end, and all others stay', async () => {
    const [root, parent] = [newPartner(), newPartner()];
    const child = await partnerWith(finance, '100.00');
    place(child, [root, parent], 1);
    await limit(root, child);
    await limit(parent, child);
    await finance.limits.setPartnerLimits(
      { ...child.ref, limits: { ...LIMITS, maxOrderAmount: '50.00' } },
      child.call,
    );
    expect(await settersOf(child)).toHaveLength(3);
    const moved = place(child, [root], 2);
    await moved();
    await eventually(async () => expect(await settersOf(child)).toEqual(['operator', root.partnerId]));
    const out = place(child, [], 3);
    await out();
    await eventually(async () => expect(await settersOf(child)).toEqual(['operator']));
    await finance.funds.reserveFunds(reserveRequest(child, '40.00'), child.call);
    expect(await codeOf(limit(root, child))).toBe('FORBIDDEN_NOT_YOUR_DESCENDANT');
  });

  it('when finance has heard of a move that identity’s response was before, then nothing is set', async () => {
    const parent = newPartner();
    const child = await partnerWith(finance, '10.00');
    const before = place(child, [parent], 1);
    await place(child, [], 2)();
    await finance.rates.awaitPartnerVersion({ partnerId: child.partnerId, version: 2 }, child.call);
    place(child, [parent], 1);
    expect(await codeOf(limit(parent, child))).toBe('SERVICE_UNAVAILABLE');
    // An event that comes late changes nothing either.
    await before();
    expect(await settersOf(child)).toEqual([]);
  });

  it('when a wallet is opened while its limits are set, then it begins with them', async () => {
    const parent = newPartner();
    const children = Array.from({ length: 12 }, () => newPartner());
    for (const child of children) place(child, [parent], 1);
    await Promise.all(
      children.flatMap((child) => [limit(parent, child), finance.wallets.openWallet(child.ref, child.call)]),
    );
    const { rows } = await finance.database.pool.query(
      'SELECT DISTINCT max_order_amount::text AS most FROM wallets WHERE partner_id = ANY ($1)',
      [children.map(({ partnerId }) => partnerId)],
    );
    expect(rows).toEqual([{ most: '5.00' }]);
  });
});
