import { reconciliation } from '../common/reconciliation.contract';
import type { Contract } from '../contract';
import { shop, wallets } from './arrange';
import { published } from './events.contract';
import { fulfillment, returnRequests } from './fulfillment.contract';
import { orderOperations } from './operations.contract';
import { orders } from './order.contract';
import { scentOrders } from './scent-order.contract';
import { vendorOrderServices } from './vendor-orders.contract';

/** Everything other services may rely on in orders-saga. */
export const ordersContract: Contract = {
  app: 'orders-saga',
  dependencies: () => ({ finance: wallets, 'scent-commerce': shop }),
  services: [
    ...vendorOrderServices,
    scentOrders,
    ...orders,
    orderOperations,
    fulfillment,
    returnRequests,
    reconciliation,
  ],
  publishes: published,
  consumes: [],
};
