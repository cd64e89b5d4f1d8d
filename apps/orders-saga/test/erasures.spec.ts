import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeFinance, FakeShop } from '@reseller/contract-testing';
import { ErasureStatus, OrderStatus, RecipientKind, type Erasure } from '@reseller/contracts';
import { codeOf, createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import { v4 as uuid } from 'uuid';
import {
  ANY_ORDER,
  callOf,
  create,
  createEsim,
  createScent,
  esim,
  MIGRATIONS,
  operator,
  scent,
  startOrders,
  topup,
  type RunningOrders,
} from './start-orders';

const ENV = { ERASURE_HASH_KEY: `test:${'k'.repeat(32)}`, ERASURE_RECHECK_MS: '50' };

let database: TestDatabase;
let finance: FakeFinance;
let shop: FakeShop;
let service: RunningOrders;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
beforeEach(async () => {
  finance = await new FakeFinance('1000.00').start();
  shop = await new FakeShop().start();
  service = await startOrders(database, finance, ENV, { shop });
});
afterEach(async () => {
  await service.stop();
  await shop.stop();
  await finance.stop();
});
afterAll(() => database.drop());

let made = 0;
/** A number of this test alone; its end has the simulated vendor deliver at once. */
const aNumber = (): string => `+9665${String((made += 1)).padStart(4, '0')}9999`;

const erase = async (recipient: string, kind = RecipientKind.PHONE_NUMBER): Promise<Erasure> =>
  (await service.erasures.requestErasure({ kind, recipient, reason: 'ticket 4711' }, operator)).erasure!;
const read = async ({ id }: Erasure): Promise<Erasure> =>
  (await service.erasures.getErasure({ erasureId: id }, operator)).erasure!;
const completed = (erasure: Erasure): Promise<Erasure> =>
  eventually(async () => {
    const now = await read(erasure);
    expect(now.status).toBe(ErasureStatus.COMPLETED);
    return now;
  });

/** The tables in which any column shows the text. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await database.pool.query(
      `SELECT FROM "${name}" AS t WHERE position(lower($1) in lower(t::text)) > 0
         OR position(encode(convert_to($1, 'UTF8'), 'hex') in t::text) > 0 LIMIT 1`,
      [text],
    );
    if (rowCount) found.push(name);
  }
  return found;
}

describe('erasing a recipient (spec §18.10)', () => {
  it('when a phone number is erased, then no table shows it, and all else of its orders is as before', async () => {
    const [phoneNumber, call] = [aNumber(), callOf()];
    const before = await create(service, topup('9999', { phoneNumber }), call);
    const other = await create(service, topup(), call);
    expect(await tablesWith(phoneNumber)).toContain('orders');
    const { parts } = await completed(await erase(phoneNumber));
    expect(parts).toMatchObject([{ service: 'orders-saga', rows: '1' }]);
    expect(await tablesWith(phoneNumber)).toEqual([]);
    const { orderId } = before;
    const { order } = await service.topups.getTopupOrder({ orderId }, call);
    expect(order).toEqual({ ...before, phoneNumber: '+00000000000' });
    expect((await service.topups.getTopupOrder(other, call)).order?.phoneNumber).toBe(other.phoneNumber);
    const search = { ...ANY_ORDER, phoneNumber };
    expect((await service.operations.listAllOrders(search, operator)).orders).toEqual([]);
    // What an operator may do with it, too.
    const { orderGlobalId } = before;
    await service.operations.reverseOrder({ orderGlobalId, notes: 'not received' }, operator);
    await eventually(async () => {
      const { order: now } = await service.topups.getTopupOrder({ orderId }, call);
      expect(now).toMatchObject({ status: OrderStatus.REVERSED, phoneNumber: '+00000000000' });
    });
  });

  it('when an erased order is repeated, then the same body gets it and another is refused with the fields that differ', async () => {
    const [phoneNumber, call] = [aNumber(), callOf()];
    const request = topup('9999', { phoneNumber });
    const { orderId } = await create(service, request, call);
    await completed(await erase(phoneNumber));
    expect(await create(service, request, call)).toMatchObject({ orderId, phoneNumber: '+00000000000' });
    await expect(create(service, { ...request, phoneNumber: aNumber() }, call)).rejects.toMatchObject({
      code: 'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE',
      details: { mismatchedFields: ['phoneNumber'] },
    });
    await expect(create(service, { ...request, amount: '11.00' }, call)).rejects.toMatchObject({
      details: { mismatchedFields: ['amount'] },
    });
  });

  it('when an e-mail address is erased, then its eSIMs show neither it nor what turns them on', async () => {
    const [email, call] = [`Some.One.${uuid()}@example.com`, callOf()];
    const request = esim(undefined, { email });
    const { orderId, amount } = await createEsim(service, request, call);
    // As its vendor may have said it.
    const said = `UPDATE orders SET error_message = 'no mail for ' || (request ->> 'email') WHERE id = $1`;
    await database.pool.query(said, [orderId]);
    await completed(await erase(email.toLowerCase(), RecipientKind.EMAIL));
    expect(await tablesWith(email)).toEqual([]);
    const { order } = await service.esims.getEsimOrder({ orderId }, call);
    expect(order).toMatchObject({ email: 'erased@erased.invalid', amount, esimIccid: undefined });
    expect((await createEsim(service, request, call)).orderId).toBe(orderId);
  });

  it('when an order is on its way to the recipient, then it is erased once it has ended, and no order of later', async () => {
    const [phone, call] = [aNumber(), callOf()];
    const address = { ...scent().shippingAddress!, phone, recipient: `Huda ${uuid()}` };
    const request = scent({ shippingAddress: address });
    const order = await createScent(service, request, call);
    const done = await create(service, topup('9999', { phoneNumber: phone }), call);
    const erasure = await erase(phone);
    await eventually(async () => expect((await read(erasure)).parts[0]?.rows).toBe('1'));
    expect((await service.topups.getTopupOrder(done, call)).order?.phoneNumber).toBe('+00000000000');
    expect((await read(erasure)).status).toBe(ErasureStatus.RUNNING);
    const { phoneNumber, ...later } = await create(service, topup('9999', { phoneNumber: phone }), call);
    const { orderGlobalId, orderId } = order;
    await service.operations.cancelOrder({ orderGlobalId, notes: 'never sent' }, operator);
    expect((await completed(erasure)).parts[0]?.rows).toBe('2');
    // What was ordered after the request is another request's.
    expect((await service.topups.getTopupOrder(later, call)).order?.phoneNumber).toBe(phoneNumber);
    expect((await completed(await erase(phone))).parts[0]?.rows).toBe('1');
    for (const text of [phone, address.recipient, address.line1]) expect(await tablesWith(text)).toEqual([]);
    const { order: erased } = await service.scents.getScentOrder({ orderId }, call);
    const { recipient, line1, city, phone: number, country, ...rest } = erased!.shippingAddress!;
    expect([recipient, line1, city, number]).toEqual(['erased', 'erased', 'erased', '+00000000000']);
    expect([country, rest]).toEqual([address.country, {}]);
    expect((await createScent(service, request, call)).orderId).toBe(orderId);
  });

  it('when an order is cancelled and its money not free yet, then it is erased once it is', async () => {
    const [phoneNumber, call] = [aNumber(), callOf()];
    await create(service, topup('9999', { phoneNumber }), call);
    for (const method of ['reserveFunds', 'releaseFunds'] as const)
      finance.fail(method, 'SERVICE_UNAVAILABLE');
    const placed = codeOf(create(service, topup('9999', { phoneNumber }), call));
    const only = (status: OrderStatus) =>
      eventually(async () => {
        const search = { ...ANY_ORDER, phoneNumber, status };
        const { orders } = await service.operations.listAllOrders(search, operator);
        expect(orders).toHaveLength(1);
        return orders[0]!;
      });
    const { orderGlobalId } = await only(OrderStatus.PENDING);
    const cancelled = service.operations.cancelOrder({ orderGlobalId, notes: '' }, operator);
    await only(OrderStatus.CANCELLED);
    const erasure = await erase(phoneNumber);
    await eventually(async () => expect((await read(erasure)).parts[0]?.rows).not.toBe('0'));
    expect((await read(erasure)).parts[0]?.rows).toBe('1');
    finance.recover();
    expect((await completed(erasure)).parts[0]?.rows).toBe('2');
    await Promise.all([placed, cancelled]);
  });

  it('when somebody holds an order that is under way, then the erasure waits for no such order', async () => {
    const [phone, call] = [aNumber(), callOf()];
    const { orderId } = await createScent(
      service,
      scent({ shippingAddress: { ...scent().shippingAddress!, phone } }),
      call,
    );
    await create(service, topup('9999', { phoneNumber: phone }), call);
    const holder = await database.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM sagas WHERE order_id = $1 FOR UPDATE', [orderId]);
      const erasure = await erase(phone);
      await eventually(async () => expect((await read(erasure)).parts[0]?.rows).toBe('1'));
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
  });

  it('when it is requested again while it runs, then it is that one; afterwards another, and none names the recipient', async () => {
    const phoneNumber = aNumber();
    finance.fail('captureFunds', 'INTERNAL_ERROR');
    const placed = create(service, topup('9999', { phoneNumber }), callOf());
    await eventually(() => expect(finance.calls['captureFunds']).toBeGreaterThan(0));
    const [first, second] = await Promise.all([erase(phoneNumber), erase(phoneNumber)]);
    expect(second.id).toBe(first.id);
    finance.recover();
    await placed;
    await completed(first);
    const later = await erase(phoneNumber);
    expect(later).toMatchObject({ subjectHash: first.subjectHash });
    expect(later.id).not.toBe(first.id);
    await completed(later);
    expect(await tablesWith(phoneNumber)).toEqual([]);
    const naming = { kind: RecipientKind.PHONE_NUMBER, recipient: phoneNumber, reason: `of ${phoneNumber}` };
    expect(await codeOf(service.erasures.requestErasure(naming, operator))).toBe('VALIDATION_FAILED');
  });
});
