import { expect } from '@jest/globals';
import type { FakeFinance, FakeShop } from '@reseller/contract-testing';
import { FulfillmentGroupStatus, OrderStatus, type ScentOrder } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { codeOf, eventually, type TestDatabase } from '@reseller/testing';
import { createScent, eventsOf, operator, scent, type Clients } from './start-orders';

/** The steps of a checkout that can fail for good, with what is then left to spend of 1000.00. */
export const STEPS = [
  { step: 'checkout.begin', method: 'beginCheckout', held: '1000.00' },
  { step: 'funds.reserve', method: 'reserveFunds', held: '1000.00' },
  { step: 'funds.settle', method: 'settleOrder', held: '730.00' },
  { step: 'checkout.commit', method: 'commitCheckout', held: '757.60' },
] as const;
export type Step = (typeof STEPS)[number];

/** What a create and its repetition get while the order goes on in the background. */
const OUTLASTED = ['SERVICE_UNAVAILABLE', 'CONFLICT_ORDER_IN_PROGRESS'];

/** Where scent orders fail: an instance with a short SAGA_PARK_AFTER_MS, and what it depends on. */
export class ParkingLot {
  constructor(
    readonly service: Clients,
    readonly finance: FakeFinance,
    readonly shop: FakeShop,
    readonly database: TestDatabase,
  ) {}

  failingAt({ method }: Step): FakeFinance | FakeShop {
    return method.endsWith('Checkout') ? this.shop : this.finance;
  }

  async read({ externalReference }: ReturnType<typeof scent>, call: CallContext): Promise<ScentOrder> {
    const { order } = await this.service.scents.getScentOrderByReference({ externalReference }, call);
    if (!order) throw new Error('no order was returned');
    return order;
  }

  /** Has an order fail at a step until it is parked. */
  async park(at: Step, call: CallContext, request = scent()): Promise<ScentOrder> {
    this.failingAt(at).fail(at.method, 'INTERNAL_ERROR', Number.POSITIVE_INFINITY, call.partner?.partnerId);
    expect(await codeOf(createScent(this.service, request, call))).toBe('SERVICE_UNAVAILABLE');
    return this.parked(request, call);
  }

  /** The same, but the step had its effect: only its answers were lost. */
  async parkBehindEffect(at: Step, call: CallContext, request = scent()): Promise<ScentOrder> {
    const dependency = this.failingAt(at);
    dependency.fail(at.method, 'lost-reply', 1);
    // Every try after the first, however soon it comes.
    dependency.fail(at.method, 'INTERNAL_ERROR', Number.POSITIVE_INFINITY, call.partner?.partnerId);
    void createScent(this.service, request, call).catch(() => undefined);
    return this.parked(request, call);
  }

  parked(request: ReturnType<typeof scent>, call: CallContext): Promise<ScentOrder> {
    return eventually(async () => {
      const order = await this.read(request, call);
      expect(order.status).toBe(OrderStatus.INTERVENTION_REQUIRED);
      return order;
    });
  }

  resolve({ orderGlobalId }: ScentOrder, outcome: OrderStatus, service = this.service) {
    return service.operations.resolveOrder({ orderGlobalId, notes: 'checked', outcome }, operator);
  }

  cancel({ orderGlobalId }: ScentOrder) {
    return this.service.operations.cancelOrder({ orderGlobalId, notes: 'checked' }, operator);
  }

  /** Nothing of it is left but the order itself, and its cart takes the next one. */
  async expectUndone({ orderId }: ScentOrder, status: OrderStatus, call: CallContext): Promise<void> {
    const { order: undone } = await this.service.scents.getScentOrder({ orderId }, call);
    expect(undone).toMatchObject({ status, completedAt: expect.any(Date) });
    for (const group of undone?.fulfillmentGroups ?? [])
      expect(group.status).toBe(FulfillmentGroupStatus.CANCELLED);
    const { partner } = call;
    expect([this.finance.available(partner), this.finance.charges(partner)]).toEqual(['1000.00', 0]);
    expect(this.shop.count('begun', partner)).toBe(0);
    if (this.shop.count('committed', partner) > 0) {
      const ids = undone?.fulfillmentGroups.map(({ fulfillmentGroupId }) => fulfillmentGroupId) ?? [];
      expect([...this.shop.restocksOf(undone?.orderGlobalId ?? '')].sort()).toEqual(ids.sort());
      expect(this.shop.givenBack.has(undone?.orderGlobalId ?? '')).toBe(true);
    }
    const ends = status === OrderStatus.FAILED ? 'OrderFailed' : 'OrderCancelled';
    const groups = undone?.fulfillmentGroups.map(() => 'FulfillmentGroupChanged') ?? [];
    expect(await eventsOf(this.database, orderId)).toEqual([...groups, ends]);
    const next = scent();
    // Where a test sets a budget of some milliseconds, a healthy create may outlast it; it is repeated as partners repeat it.
    const placed = await eventually(() =>
      createScent(this.service, next, call).then(
        (order) => order.status,
        (error: { code?: string }) => {
          if (OUTLASTED.includes(error.code ?? '')) throw error;
          return error;
        },
      ),
    );
    expect(placed).toBe(OrderStatus.PROCESSING);
  }
}
