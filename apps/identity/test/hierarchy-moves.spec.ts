import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PartnerUpdated } from '@reseller/contracts';
import { eventually } from '@reseller/testing';
import { PartnerRepository } from '../src/partner/partner.repository';
import { createTransact } from '../src/transaction';
import { byOperator, register, startFixture, type Fixture } from './identity-fixture';

let fixture: Fixture;
let ids: string[];

beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

/** Ten partners, each below the one before. */
beforeEach(async () => {
  ids = [];
  for (let n = 0; n < 10; n += 1) ids.push(await register(fixture, `P${n}`, ids.at(-1)));
});

const move = (partnerId: string, parentPartnerId: string): Promise<unknown> =>
  fixture.partners.updatePartner({ partnerId, parentPartnerId }, byOperator);

/** Partners whose path is not the one that following the parents gives; a cycle has none, so it shows too. */
async function untruePaths(): Promise<unknown[]> {
  const { rows } = await fixture.database.pool.query<{ id: string }>(
    `WITH RECURSIVE walked AS (
       SELECT id, ARRAY[id] AS path FROM partners WHERE parent_partner_id IS NULL
       UNION ALL SELECT p.id, w.path || p.id FROM partners p JOIN walked w ON p.parent_partner_id = w.id
     ) SELECT p.id, p.path, w.path AS walked FROM partners p LEFT JOIN walked w USING (id)
       WHERE w.path IS DISTINCT FROM p.path`,
  );
  return rows;
}

describe('moving partners', () => {
  it('when a partner moves, then everybody below moves along, each a version on and with an event', async () => {
    const [root, , middle = '', below = ''] = ids;
    const target = await register(fixture, 'Target');
    await move(middle, target);
    expect(await untruePaths()).toEqual([]);
    const { partner } = await fixture.partners.getPartner({ partnerId: below }, byOperator);
    expect(partner).toMatchObject({ path: [target, middle, below], version: 2 });
    const stayed = await fixture.partners.getPartner({ partnerId: root ?? '' }, byOperator);
    expect(stayed.partner?.version).toBe(1);
    const { rows } = await fixture.database.pool.query<{ payload: Buffer }>(
      `SELECT payload FROM outbox WHERE aggregate_id = $1 ORDER BY aggregate_seq DESC LIMIT 1`,
      [below],
    );
    expect(PartnerUpdated.decode(rows[0]?.payload ?? Buffer.of()).partner).toEqual(partner);
  });

  it('when a partner becomes a root, then its path begins with itself', async () => {
    const [, , middle = ''] = ids;
    await move(middle, '');
    const { partner } = await fixture.partners.getPartner({ partnerId: middle }, byOperator);
    expect(partner).toMatchObject({ parentPartnerId: undefined, path: [middle] });
    expect(await untruePaths()).toEqual([]);
  });

  it('when a partner is to be put below itself or a descendant, then it is VALIDATION_FAILED on parentPartnerId', async () => {
    const [, second = '', , , fifth = ''] = ids;
    for (const parent of [second, fifth]) {
      await expect(move(second, parent)).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: { errors: [expect.objectContaining({ path: 'parentPartnerId' })] },
      });
    }
    expect(await untruePaths()).toEqual([]);
  });

  it('when a partner is registered below one that is being moved, then it waits and gets the new path', async () => {
    const [root = '', , middle = ''] = ids;
    const { pool } = fixture.database;
    const partners = new PartnerRepository(fixture.prisma, pool);
    const registered = await createTransact(fixture.prisma)(async (tx) => {
      await partners.lockHierarchy(tx);
      const present = await partners.findForUpdate(middle, tx);
      if (!present) throw new Error('not there');
      await partners.update({ ...present, parentPartnerId: root, path: [root, middle] }, tx);
      await partners.moveDescendants(middle, [root, middle], tx);
      let isDone = false;
      const below = register(fixture, 'Newcomer', middle).finally(() => (isDone = true));
      await eventually(async () => {
        const { rows } = await pool.query(
          "SELECT 1 FROM pg_locks JOIN pg_database d ON d.oid = database WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted",
        );
        expect(isDone || rows.length > 0).toBe(true);
      });
      return { below };
    });
    await registered.below;
    expect(await untruePaths()).toEqual([]);
  });

  it('when no transaction can begin in time, then a move is SERVICE_UNAVAILABLE', async () => {
    const [root = '', , middle = ''] = ids;
    const pool = fixture.database.servicePool;
    const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    try {
      await expect(move(middle, root)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    } finally {
      for (const client of held) client.release();
    }
    await move(middle, root);
    expect(await untruePaths()).toEqual([]);
  });

  it('when fifty moves and registrations run at once, then there is never a cycle nor an untrue path', async () => {
    const plan = fc.array(fc.tuple(fc.nat(9), fc.nat(10), fc.integer({ min: 0, max: 4 })), {
      minLength: 50,
      maxLength: 50,
    });
    await fc.assert(
      fc.asyncProperty(plan, async (steps) => {
        const attempts = steps.map(([who, where, kind]) =>
          kind === 0
            ? register(fixture, 'Newcomer', ids[who])
            : move(ids[who] ?? '', where === 10 ? '' : (ids[where] ?? '')),
        );
        for (const result of await Promise.allSettled(attempts)) {
          // On a busy machine fifty at once may take longer than a transaction may wait for its beginning.
          if (result.status === 'rejected')
            expect(['VALIDATION_FAILED', 'SERVICE_UNAVAILABLE']).toContain(result.reason.code);
        }
        expect(await untruePaths()).toEqual([]);
      }),
      { numRuns: 6, endOnFailure: true },
    );
  });
});
