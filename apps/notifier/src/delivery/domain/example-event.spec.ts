import { describe, expect, it } from '@jest/globals';
import { WEBHOOK_EVENT_TYPES } from '@reseller/presenters';
import { exampleData } from './example-event';

const PARTNER = '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10';

describe('exampleData', () => {
  it.each(WEBHOOK_EVENT_TYPES)('when a test of %s is fired, then its data name the partner', (eventType) => {
    expect(exampleData(eventType, PARTNER)).toMatchObject({ partnerId: PARTNER });
  });

  it('when a partner reads the examples, then each looks like its type', () => {
    expect(exampleData('order.completed', PARTNER)).toMatchObject({ amount: 115.5, status: 'Completed' });
    expect(exampleData('order.failed', PARTNER)).toMatchObject({
      status: 'Failed',
      failureCode: 'VENDOR_REFUSED',
    });
    expect(exampleData('order.cancelled', PARTNER)).toMatchObject({ status: 'Cancelled' });
    expect(exampleData('order.returned', PARTNER)).toMatchObject({
      amount: 57.75,
      status: 'PartiallyReturned',
    });
    expect(exampleData('order.fulfilment-updated', PARTNER)).toMatchObject({
      deliveryRollup: { totalGroups: 1, deliveredGroups: 1 },
    });
    expect(exampleData('order.return-request.updated', PARTNER)).toMatchObject({
      lines: [{ quantity: 1, reasonCode: 'Damaged' }],
    });
    expect(exampleData('variant.back-in-stock', PARTNER)).toMatchObject({ availability: 'Available' });
  });
});
