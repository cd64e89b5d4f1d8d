import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestDatabase } from '@reseller/testing';
import { RegistrationRepository } from '../src/back-in-stock/registration.repository';
import { deleteDiscountCode } from '../src/discount/delete-discount-code';
import { DiscountCodeRepository } from '../src/discount/discount-code.repository';
import { createDiscountCode } from '../src/discount/save-discount-code';
import type { Owner } from '../src/owner';
import { createPrisma, createScentDatabase, newOwner, newVariants } from './scent-database';

let database: TestDatabase;
let codes: DiscountCodeRepository;
let registrations: RegistrationRepository;
beforeAll(async () => {
  database = await createScentDatabase();
  const prisma = createPrisma(database.servicePool);
  codes = new DiscountCodeRepository(prisma, database.servicePool);
  registrations = new RegistrationRepository(prisma, database.servicePool);
});
afterAll(() => database.drop());

const TERMS = {
  discountType: 'Percent',
  value: '10.00',
  validFrom: null,
  validTo: null,
  isActive: true,
  totalUsageCap: null,
  perCustomerCap: null,
  productScope: 'All',
  scopedVariantIds: [],
  minOrderValue: null,
} as const;
const newCode = (owner: Owner, code: string) =>
  createDiscountCode(codes, owner, { code, terms: { ...TERMS, scopedVariantIds: [] } });
const register = (owner: Owner, variantId: string, customerRef: string) =>
  registrations.register(owner, { variantId, customerRef });

/** What works of a race ended with: how many were done, and how each of the others was refused. */
async function outcomes(works: Promise<unknown>[]) {
  const refusals: unknown[] = [];
  for (const result of await Promise.allSettled(works))
    if (result.status === 'rejected') {
      const { code, details } = result.reason as { code?: string; details?: { limit?: number } };
      refusals.push([code, details?.limit]);
    }
  return { done: works.length - refusals.length, refusals };
}
const refused = (times: number, limit: number) =>
  Array.from({ length: times }, () => ['BUSINESS_RESOURCE_LIMIT', limit]);
const upTo = (count: number): string[] => Array.from({ length: count }, (_, at) => `N-${at}`);

describe('what a partner may have (spec §14.4)', () => {
  it('when codes race to the limit of 1,000, then exactly so many are made, and a deleted one makes way', async () => {
    const owner = newOwner();
    await database.pool.query(
      `INSERT INTO discount_codes (partner_id, environment, code, discount_type, value, is_active, product_scope)
       SELECT $1, $2, 'OLD-' || n, 'Percent', 10, true, 'All' FROM generate_series(1, 995) n`,
      [owner.partnerId, owner.environment],
    );
    const { done, refusals } = await outcomes(upTo(20).map((code) => newCode(owner, code)));
    expect([done, refusals]).toEqual([5, refused(15, 1_000)]);
    expect(await outcomes([newCode(owner, 'OLD-1')])).toEqual({
      done: 0,
      refusals: [['CONFLICT_DISCOUNT_CODE_EXISTS', undefined]],
    });
    const [newest] = (await codes.list(owner, undefined, undefined)).codes;
    await deleteDiscountCode(codes, owner, newest?.id ?? '');
    expect(await outcomes([newCode(owner, 'NEW-1'), newCode(owner, 'NEW-2')])).toEqual({
      done: 1,
      refusals: refused(1, 1_000),
    });
    expect(await outcomes([newCode({ ...owner, environment: 'live' }, 'NEW-1')])).toMatchObject({ done: 1 });
  });

  it('when registrations race to the limit of 10,000, then exactly so many are Active, and ended ones make way', async () => {
    const owner = newOwner();
    const [first = '', second = ''] = await newVariants(database.pool, [0, 0]);
    await database.pool.query(
      `INSERT INTO back_in_stock_registrations (partner_id, environment, variant_id, customer_ref)
       SELECT $1, $2, CASE WHEN n <= 3 THEN $3::uuid ELSE $4 END, 'customer-' || n FROM generate_series(1, 9995) n`,
      [owner.partnerId, owner.environment, first, second],
    );
    const { done, refusals } = await outcomes(upTo(20).map((ref) => register(owner, second, ref)));
    expect([done, refusals]).toEqual([5, refused(15, 10_000)]);
    // One that is there already is returned, not made.
    expect(await register(owner, first, 'customer-1')).toMatchObject({ status: 'Active' });
    const [newest] = (await registrations.list(owner, undefined)).registrations;
    for (const _ of ['once', 'again']) await registrations.cancel(owner, newest?.id ?? '');
    const again = await outcomes([register(owner, second, 'late-1'), register(owner, second, 'late-2')]);
    expect(again).toEqual({ done: 1, refusals: refused(1, 10_000) });
    expect(await outcomes([register({ ...owner, environment: 'live' }, second, 'c')])).toMatchObject({
      done: 1,
    });
  });
});
