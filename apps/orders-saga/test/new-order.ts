import { v7 as uuidv7 } from 'uuid';
import type { NewOrder } from '../src/order/domain/order';
import { orderGlobalId } from '../src/order/domain/order-id';

/** A top-up of some partner as its saga begins with it, for tests of what is below the RPCs. */
export function newOrder(given: Partial<NewOrder> = {}): NewOrder {
  const { id = uuidv7() } = given;
  return {
    id,
    globalId: orderGlobalId('TU', id),
    sagaId: 'saga',
    partnerId: uuidv7(),
    partnerGlobalId: 'P-1',
    environment: 'sandbox',
    product: 'Topup',
    externalReference: 'ref',
    request: {},
    geoScopeGlobalId: 'GEO-SA',
    amount: '10.00',
    currency: 'SAR',
    details: { phoneNumber: '+966500000001' },
    vendorName: 'simulator',
    displayRate: null,
    firstStep: 'funds.reserve',
    ...given,
  };
}
