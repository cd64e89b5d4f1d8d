import { describe, expect, it } from '@jest/globals';
import {
  Environment,
  FulfillmentGroupChanged,
  FulfillmentGroupStatus,
  OrderCancelled,
  OrderCompleted,
  OrderFailed,
  OrderProcessingStarted,
  OrderReturned,
  OrderReversed,
  OrderStatus,
  ProductType,
  ReturnReason,
  ReturnRequestChanged,
  ReturnRequestStatus,
  VariantBackInStock,
  type OrderSnapshot,
} from '@reseller/contracts';
import fc from 'fast-check';
import { toWebhookEvent } from './public-events';

const EVENT_ID = '019a2f51-4b2d-7e55-8b1a-3f4e5d6c7b90';
const PARTNER = '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10';
const occurredAt = new Date('2026-01-15T09:30:00.123Z');

const snapshot = (changes: Partial<OrderSnapshot> = {}): OrderSnapshot => ({
  orderId: '019a2f40-1c2d-7e55-8b1a-3f4e5d6c7b8a',
  orderGlobalId: 'TU-1',
  partnerId: PARTNER,
  environment: Environment.SANDBOX,
  productType: ProductType.TOPUP,
  externalReference: 'INV-1',
  amount: '25.50',
  currency: 'SAR',
  status: OrderStatus.COMPLETED,
  failureCode: undefined,
  customerRef: undefined,
  ...changes,
});

const MESSAGES = {
  OrderProcessingStarted,
  OrderCompleted,
  OrderFailed,
  OrderCancelled,
  OrderReversed,
  OrderReturned,
};

function publicEvent(name: keyof typeof MESSAGES, order: OrderSnapshot | undefined) {
  const payload = Buffer.from(MESSAGES[name].encode({ order }).finish());
  return toWebhookEvent({
    eventId: EVENT_ID,
    type: `reseller.orders.v1.${name}`,
    occurredAt,
    headers: {},
    payload,
  });
}

const bodyOf = (event: ReturnType<typeof toWebhookEvent>): unknown => JSON.parse(String(event?.body));

describe('the public events', () => {
  it('when an order is completed, then they get exactly the envelope of the specification', () => {
    const event = publicEvent('OrderCompleted', snapshot());
    expect(String(event?.body)).toBe(
      `{"eventId":"${EVENT_ID}","eventType":"order.completed","occurredAt":"2026-01-15T09:30:00.123Z","data":{` +
        `"orderGlobalId":"TU-1","partnerId":"${PARTNER}","productType":"Topup","externalReference":"INV-1",` +
        `"amount":25.5,"currency":"SAR","failureCode":null,"status":"Completed","customerRef":null}}`,
    );
    expect(event).toMatchObject({
      eventId: EVENT_ID,
      eventType: 'order.completed',
      partnerId: PARTNER,
      environment: 'sandbox',
      orderGlobalId: 'TU-1',
      occurredAt,
    });
  });

  it.each([
    ['OrderProcessingStarted', OrderStatus.PROCESSING, 'order.completed', 'Processing'],
    ['OrderCompleted', OrderStatus.COMPLETED, 'order.completed', 'Completed'],
    ['OrderCompleted', OrderStatus.PARTIALLY_RETURNED, 'order.completed', 'PartiallyReturned'],
    ['OrderFailed', OrderStatus.FAILED, 'order.failed', 'Failed'],
    ['OrderCancelled', OrderStatus.CANCELLED, 'order.cancelled', 'Cancelled'],
    ['OrderReversed', OrderStatus.REVERSED, 'order.cancelled', 'Reversed'],
    ['OrderReturned', OrderStatus.RETURNED, 'order.returned', 'Returned'],
  ] as const)(
    'when the event is %s with %s, then it is %s with status %s',
    (name, status, eventType, expected) => {
      const event = publicEvent(name, snapshot({ status }));
      expect(event?.eventType).toBe(eventType);
      expect(bodyOf(event)).toMatchObject({ eventType, data: { status: expected } });
    },
  );

  it('when an eSIM or scent order is live, then its product, environment, failure and customer are in the event', () => {
    const failed = publicEvent(
      'OrderFailed',
      snapshot({
        productType: ProductType.ESIM,
        environment: Environment.LIVE,
        status: OrderStatus.FAILED,
        failureCode: 'VENDOR_REFUSED',
      }),
    );
    expect(failed?.environment).toBe('live');
    expect(bodyOf(failed)).toMatchObject({ data: { productType: 'Esim', failureCode: 'VENDOR_REFUSED' } });
    const scent = publicEvent(
      'OrderCompleted',
      snapshot({ productType: ProductType.SCENT, customerRef: 'c-1' }),
    );
    expect(bodyOf(scent)).toMatchObject({ data: { productType: 'Scent', customerRef: 'c-1' } });
  });

  it('when an event has amounts, then they are JSON numbers of exactly the decimal', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 14 }), (halalas) => {
        const amount = `${Math.floor(halalas / 100)}.${String(halalas % 100).padStart(2, '0')}`;
        const text = String(publicEvent('OrderCompleted', snapshot({ amount }))?.body);
        const written = /"amount":([\d.]+),/.exec(text)?.[1] ?? '';
        expect(written).toBe(amount.replace(/\.?0+$/, '') || '0');
      }),
    );
  });

  it('when a fulfillment group changes, then the event has the group and how far the order is', () => {
    const group = {
      order: snapshot({ productType: ProductType.SCENT, orderGlobalId: 'SC-1', orderId: 'scent-order' }),
      fulfillmentGroupId: 'group',
      status: FulfillmentGroupStatus.DELIVERED,
      deliveredAt: new Date('2026-01-16T10:00:00Z'),
      totalGroups: 2,
      deliveredGroups: 1,
    };
    const tell = (change: Partial<FulfillmentGroupChanged>) =>
      toWebhookEvent({
        eventId: EVENT_ID,
        type: 'reseller.orders.v1.FulfillmentGroupChanged',
        occurredAt,
        headers: {},
        payload: Buffer.from(FulfillmentGroupChanged.encode({ ...group, ...change }).finish()),
      });
    expect(tell({})).toMatchObject({ partnerId: PARTNER, environment: 'sandbox', orderGlobalId: 'SC-1' });
    expect(bodyOf(tell({}))).toEqual({
      eventId: EVENT_ID,
      eventType: 'order.fulfilment-updated',
      occurredAt: '2026-01-15T09:30:00.123Z',
      data: {
        orderGlobalId: 'SC-1',
        scentOrderId: 'scent-order',
        partnerId: PARTNER,
        externalReference: 'INV-1',
        fulfillmentGroupId: 'group',
        status: 'Delivered',
        deliveredAt: '2026-01-16T10:00:00.000Z',
        deliveryRollup: { totalGroups: 2, deliveredGroups: 1 },
      },
    });
    expect(bodyOf(tell({ status: FulfillmentGroupStatus.SHIPPED, deliveredAt: undefined }))).toMatchObject({
      data: { status: 'Shipped', deliveredAt: null },
    });
  });

  it('when a return request changes, then the event has its lines, and not who decided', () => {
    const payload = ReturnRequestChanged.encode({
      order: snapshot({ productType: ProductType.SCENT, orderGlobalId: 'SC-1' }),
      returnRequest: {
        returnRequestId: 'request',
        scentOrderId: 'scent-order',
        orderGlobalId: 'SC-1',
        fulfillmentGroupId: 'group',
        partnerId: PARTNER,
        status: ReturnRequestStatus.DECLINED,
        requestedAt: new Date('2026-01-16T10:00:00Z'),
        decidedAt: new Date('2026-01-17T10:00:00Z'),
        decidedByUserId: 'operator',
        declineReason: 'worn',
        lines: [{ lineId: 'l', scentOrderLineId: 'line', quantity: 2, reason: ReturnReason.CHANGED_MIND }],
        environment: Environment.SANDBOX,
      },
    }).finish();
    const type = 'reseller.orders.v1.ReturnRequestChanged';
    const event = toWebhookEvent({
      eventId: EVENT_ID,
      type,
      occurredAt,
      headers: {},
      payload: Buffer.from(payload),
    });
    expect(event).toMatchObject({ eventType: 'order.return-request.updated', orderGlobalId: 'SC-1' });
    expect(bodyOf(event)).toMatchObject({
      eventType: 'order.return-request.updated',
      data: {
        returnRequestId: 'request',
        scentOrderId: 'scent-order',
        orderGlobalId: 'SC-1',
        fulfillmentGroupId: 'group',
        partnerId: PARTNER,
        status: 'Declined',
        requestedAt: '2026-01-16T10:00:00.000Z',
        decidedAt: '2026-01-17T10:00:00.000Z',
        declineReason: 'worn',
        lines: [{ id: 'l', scentOrderLineId: 'line', quantity: 2, reasonCode: 'ChangedMind' }],
      },
    });
    expect(String(event?.body)).not.toContain('operator');
  });

  it.each([
    [1, 'Limited', 1],
    [5, 'Limited', 5],
    [6, 'Available', 6],
    [20, 'Available', 20],
    [21, 'Available', null],
  ])('when a variant is back with %d, then it is %s with %j', (quantity, availability, expected) => {
    const payload = Buffer.from(
      VariantBackInStock.encode({
        registrationId: 'r',
        variantId: 'v',
        sku: 'SKU-1',
        partnerId: PARTNER,
        environment: Environment.LIVE,
        customerRef: undefined,
        availableQuantity: quantity,
      }).finish(),
    );
    const type = 'reseller.scent.v1.VariantBackInStock';
    const event = toWebhookEvent({ eventId: EVENT_ID, type, occurredAt, headers: {}, payload });
    expect(event).toMatchObject({ environment: 'live', orderGlobalId: null });
    expect(bodyOf(event)).toMatchObject({
      eventType: 'variant.back-in-stock',
      data: {
        registrationId: 'r',
        variantId: 'v',
        sku: 'SKU-1',
        partnerId: PARTNER,
        customerRef: null,
        availability,
        availableQuantity: expected,
      },
    });
  });

  it('when a kind of event has no row, then there is no public event, whatever its payload', () => {
    for (const type of ['reseller.orders.v1.OrderRenamed', 'toString', '']) {
      expect(
        toWebhookEvent({ eventId: EVENT_ID, type, occurredAt, headers: {}, payload: Buffer.from('x') }),
      ).toBeUndefined();
    }
  });

  it('when an event cannot be read, then it is an error and not half an event', () => {
    const type = 'reseller.orders.v1.OrderCompleted';
    const broken = { eventId: EVENT_ID, type, occurredAt, headers: {}, payload: Buffer.from([0xff, 0xff]) };
    expect(() => toWebhookEvent(broken)).toThrow();
    expect(() => publicEvent('OrderCompleted', undefined)).toThrow('carries no order');
    expect(() => publicEvent('OrderCompleted', snapshot({ environment: Environment.UNSPECIFIED }))).toThrow();
    expect(() => publicEvent('OrderCompleted', snapshot({ status: OrderStatus.UNSPECIFIED }))).toThrow();
  });
});
