import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeFinance, FakeShop } from '@reseller/contract-testing';
import { codeOf, createTestDatabase, type TestDatabase } from '@reseller/testing';
import fc from 'fast-check';
import { PaidOrder, storyOf } from './fulfillment';
import { callOf, MIGRATIONS, startOrders, type RunningOrders } from './start-orders';

let database: TestDatabase;
let finance: FakeFinance;
let shop: FakeShop;
let service: RunningOrders;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  finance = await new FakeFinance('1000000.00').start();
  shop = await new FakeShop().start();
  service = await startOrders(database, finance, {}, { shop });
});
afterAll(async () => {
  await service.stop();
  await shop.stop();
  await finance.stop();
  await database.drop();
});

const GROUP_CONFLICT = 'CONFLICT_FULFILLMENT_GROUP_STATUS';
const DECIDED = 'CONFLICT_RETURN_REQUEST_DECIDED';
const BOUGHT = [2, 1];

type Act =
  | { kind: 'ship' | 'deliver' | 'cancel'; group: number }
  | { kind: 'ask'; group: number; quantity: number }
  | { kind: 'approve' | 'decline'; request: number };

/** What the rules of §7.3 and §8 say, in as few words as possible. */
class Model {
  readonly groups = ['PENDING', 'PENDING'];
  readonly returned = [0, 0];
  readonly requests: { group: number; quantity: number; status: 'Pending' | 'Approved' | 'Declined' }[] = [];
  hasCompleted = false;

  expected(act: Act): string {
    switch (act.kind) {
      case 'ship':
        return this.move(act.group, ['PENDING'], 'SHIPPED');
      case 'deliver':
        return this.move(act.group, ['SHIPPED'], 'DELIVERED');
      case 'cancel':
        return this.move(act.group, ['PENDING', 'SHIPPED'], 'CANCELLED');
      case 'ask': {
        if (this.groups[act.group] !== 'DELIVERED') return 'BUSINESS_RETURN_REQUEST_GROUP_NOT_DELIVERED';
        const taken = this.requests
          .filter(({ group, status }) => group === act.group && status !== 'Declined')
          .reduce((sum, { quantity }) => sum + quantity, 0);
        if (taken + act.quantity > BOUGHT[act.group]!) return 'BUSINESS_RETURN_REQUEST_QUANTITY_EXCEEDED';
        this.requests.push({ group: act.group, quantity: act.quantity, status: 'Pending' });
        return 'ok';
      }
      default: {
        const request = this.requests[act.request]!;
        if (request.status !== 'Pending') return DECIDED;
        request.status = act.kind === 'approve' ? 'Approved' : 'Declined';
        if (act.kind === 'approve') this.returned[request.group]! += request.quantity;
        return 'ok';
      }
    }
  }

  get status(): string {
    const open = this.groups.filter((one) => one === 'PENDING' || one === 'SHIPPED').length;
    const kept = [0, 1].filter((group) => this.groups[group] === 'DELIVERED');
    if (open > 0) return kept.length > 0 ? 'PARTIALLY_DELIVERED' : 'PROCESSING';
    if (kept.length === 0) return 'CANCELLED';
    if (kept.every((group) => this.returned[group] === 0)) return 'COMPLETED';
    return kept.every((group) => this.returned[group] === BOUGHT[group]) ? 'RETURNED' : 'PARTIALLY_RETURNED';
  }

  private move(group: number, from: readonly string[], to: string): string {
    if (!from.includes(this.groups[group]!)) return GROUP_CONFLICT;
    this.groups[group] = to;
    return 'ok';
  }
}

const group = fc.nat({ max: 1 });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('ship', 'deliver'), group }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), group }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      group,
      quantity: fc.integer({ min: 1, max: 2 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('approve', 'decline'), request: fc.nat({ max: 4 }) }),
  },
);

async function perform(order: PaidOrder, one: Act, requests: string[]): Promise<unknown> {
  if (one.kind === 'ask') {
    return codeOf(
      order.requestReturn(one.group, one.quantity).then((made) => requests.push(made.returnRequestId)),
    );
  }
  return 'group' in one
    ? codeOf(order[one.kind](one.group))
    : codeOf(order[one.kind](requests[one.request]!));
}

describe('operators and partners at random (spec §7.3, §8)', () => {
  it('when they ship, deliver, cancel, ask, approve and decline, then orders are as a plain model says and money follows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 24 }), async (acts) => {
        const order = await PaidOrder.place(service, callOf());
        const model = new Model();
        const requests: string[] = [];
        for (const one of acts) {
          if ('request' in one && one.request >= requests.length) continue;
          expect([one, await perform(order, one, requests)]).toEqual([one, model.expected(one)]);
          expect(await order.state()).toEqual([model.status, model.groups, model.returned]);
        }
        const given = [...finance.refundsOf(order.made.orderGlobalId).values()];
        const back = (group: number): number =>
          given
            .flatMap(({ lines }) => lines)
            .filter(({ lineId }) => lineId === order.made.lines[group]!.lineId)
            .reduce((sum, { quantity }) => sum + quantity, 0);
        for (const group of [0, 1]) {
          const isCancelled = model.groups[group] === 'CANCELLED';
          expect(back(group)).toBe(isCancelled ? BOUGHT[group] : model.returned[group]);
          expect(shop.restocked.has(order.groupId(group))).toBe(isCancelled);
        }
        expect(shop.givenBack.has(order.made.orderGlobalId)).toBe(model.status === 'CANCELLED');
        const story = await storyOf(database, order.made.orderId);
        const isOver = !['PROCESSING', 'PARTIALLY_DELIVERED'].includes(model.status);
        expect((await order.read()).completedAt !== undefined).toBe(isOver);
        const ends = story.filter((event) => /^Order(Completed|Cancelled)/.test(event));
        expect(ends).toHaveLength(isOver ? 1 : 0);
        const approved = model.requests.filter(({ status }) => status === 'Approved');
        expect(story.filter((event) => event.startsWith('OrderReturned'))).toHaveLength(approved.length);
      }),
      { numRuns: 40 },
    );
  });
});
