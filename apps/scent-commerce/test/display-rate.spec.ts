import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Availability, type DisplayRate } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { requirePartner, type CallContext } from '@reseller/rpc';
import { eventually } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
import { addVariant } from './catalog-data';
import { knowPartner, startScentService, type ScentService } from './scent-service';

/** A read has two seconds, in which finance must not be missed (spec §1.10). */
const AS_A_READ = { deadlineMs: 2_000 };
const AWAY = new AppError('SERVICE_UNAVAILABLE');

describe('display rates while finance is away (spec §3.3)', () => {
  let scents: ScentService;
  let variantId: string;
  beforeAll(async () => {
    scents = await startScentService();
    variantId = await addVariant(scents.database, { listPrice: '100.00', onHand: 30 });
  });
  afterAll(() => scents.stop());

  const buyerWith = async (displayCurrency: string): Promise<CallContext> =>
    (await knowPartner(scents, { displayCurrency })).call;

  const catalogRate = async (
    call: CallContext,
    at = scents,
    options: { deadlineMs?: number } = {},
  ): Promise<DisplayRate | undefined> =>
    (await at.catalog.getVariant({ variantId }, call, options)).displayRate;

  /** The rate that each call shows which has one; changes among them. */
  async function everyRate(call: CallContext): Promise<(DisplayRate | undefined)[]> {
    const line = { variantId, quantity: 2 };
    const replies = [
      (
        await scents.catalog.listVariants(
          { ...PAGE, availability: Availability.UNSPECIFIED },
          call,
          AS_A_READ,
        )
      ).displayRate,
      (await scents.catalog.listScents(PAGE, call)).displayRate,
      await catalogRate(call),
      (await scents.carts.addCartItem(line, call)).cart?.displayRate,
      (await scents.carts.setCartItem({ variantId, quantity: 3 }, call)).cart?.displayRate,
      (await scents.carts.getCart({}, call)).cart?.displayRate,
      (await scents.carts.quotePrice({ lines: [line] }, call)).displayRate,
      await previewed(call),
      await begun(call),
      (await scents.carts.clearCart({ customerRef: 'x' }, call)).cart?.displayRate,
    ];
    return replies;
  }

  async function previewed(call: CallContext): Promise<DisplayRate | undefined> {
    const { lockId, cart } = await scents.carts.previewCheckout({ lock: true }, call);
    expect(lockId).toEqual(expect.any(String));
    return cart?.displayRate;
  }

  async function begun(call: CallContext): Promise<DisplayRate | undefined> {
    const { partnerId, environment } = requirePartner(call);
    const request = { orderKey: uuidv7(), partnerId, environment };
    const { checkout } = await scents.checkouts.beginCheckout(request, { requestId: 'r' });
    return checkout?.displayRate;
  }

  it('when a rate was read before, then reads, changes, locks and orders go on with it', async () => {
    const usd = { currency: 'USD', rate: '0.266600' };
    scents.rates.set('USD', usd.rate);
    const call = await buyerWith('USD');
    // A busy machine may need more than one read has for finance.
    await eventually(async () => expect(await catalogRate(call)).toEqual(usd));
    scents.rates.set('USD', AWAY);
    expect(await everyRate(call)).toEqual(Array(10).fill(usd));
    scents.rates.set('USD', '0.300000');
    const changed = { currency: 'USD', rate: '0.300000' };
    await eventually(async () => expect(await catalogRate(call)).toEqual(changed));
  });

  it('when no rate was ever read, then all of it goes on without one', async () => {
    scents.rates.set('EUR', AWAY);
    expect(await everyRate(await buyerWith('EUR'))).toEqual(Array(10).fill(undefined));
  });

  it('when finance never responds, then reads go on within their deadline', async () => {
    const gbp = { currency: 'GBP', rate: '0.200000' };
    scents.rates.set('GBP', gbp.rate);
    const call = await buyerWith('GBP');
    await eventually(async () => expect(await catalogRate(call)).toEqual(gbp));
    scents.rates.set('GBP', 'never');
    const read = async () => (await scents.carts.getCart({}, call, AS_A_READ)).cart?.displayRate;
    // Again where a busy machine needs more than that; one that waits for finance never makes it.
    await eventually(async () => {
      const reads = [catalogRate(call, scents, AS_A_READ), ...Array.from({ length: 10 }, read)];
      expect(await Promise.all(reads)).toEqual(Array(11).fill(gbp));
    });
  });

  it('when more keyed changes wait for finance than there are connections, then each is made', async () => {
    scents.rates.set('JPY', 'never');
    const call = await buyerWith('JPY');
    const add = (_: unknown, n: number) =>
      scents.carts.addCartItem(
        { variantId, quantity: 1, customerRef: `c${n}` },
        { ...call, idempotency: { key: `k${n}`, fingerprint: 'f' } },
      );
    const added = await Promise.all(Array.from({ length: 30 }, add));
    expect(added.map(({ cart }) => cart?.items.length)).toEqual(added.map(() => 1));
  });

  it('when an instance starts meanwhile, then it has what the others read, up to an hour ago', async () => {
    const sek = { currency: 'SEK', rate: '2.800000' };
    scents.rates.set('SEK', sek.rate);
    const call = await buyerWith('SEK');
    await eventually(async () => expect(await catalogRate(call)).toEqual(sek));
    const { pool, url } = scents.database;
    const kept = (): Promise<{ rowCount: number | null }> =>
      pool.query(`SELECT FROM known_rates WHERE currency = 'SEK'`);
    await eventually(async () => expect((await kept()).rowCount).toBe(1));
    const late = await startScentService({ DATABASE_URL: url });
    try {
      late.rates.set('SEK', AWAY);
      expect(await catalogRate(call, late)).toEqual(sek);
      await pool.query(`UPDATE known_rates SET read_at = read_at - interval '1 hour'`);
      expect(await catalogRate(call, late)).toBeUndefined();
    } finally {
      await late.stop();
    }
  });
});

const PAGE = { page: { page: 1, pageSize: 20 } };
