import { ORDER_STATUSES } from '@reseller/presenters';
import { z } from 'zod';
import { PRODUCTS } from '../../products';
import { exampleTopupOrder } from '../../products/topup';
import { id } from '../../fields/response-fields';
import { MAY_GROW } from '../../openapi/may-grow';
import { charge, orderTimes } from '../../fields/order-fields';

/** The products an order can be for. */
export const productType = z.enum(PRODUCTS.map(({ name }) => name));

const summaryFields = {
  productType: productType,
  orderId: id('The id under the product’s own path.'),
  orderGlobalId: z.string(),
  externalReference: z.string(),
  status: z.enum(ORDER_STATUSES),
  ...orderTimes,
  customerRef: z.string().nullable().meta({ description: 'Null but for scent orders.' }),
  ...charge,
};

/** What orders of all products have in common. */
export const orderSummary = z.strictObject(summaryFields).meta({ id: 'OrderSummary' });

/** An order of any product as the product's own full resource; a new product is a form more. */
export const productOrder = z
  .union(PRODUCTS.map(({ order }) => order))
  .meta({ id: 'ProductOrder', description: 'The whole order, as its product has it.', ...MAY_GROW });

/** The same with the product's own full resource. */
export const unifiedOrder = z
  .strictObject({
    ...summaryFields,
    order: productOrder,
  })
  .meta({ id: 'UnifiedOrder' });

/** The same order as the unified list shows it. */
export const exampleOrderSummary = {
  productType: 'Topup' as const,
  orderId: exampleTopupOrder.orderId,
  orderGlobalId: exampleTopupOrder.orderGlobalId,
  externalReference: exampleTopupOrder.externalReference,
  status: exampleTopupOrder.status,
  amount: exampleTopupOrder.amount,
  currency: exampleTopupOrder.currency,
  submittedAt: exampleTopupOrder.submittedAt,
  completedAt: exampleTopupOrder.completedAt,
  customerRef: null,
  displayCurrency: exampleTopupOrder.displayCurrency,
  rate: exampleTopupOrder.rate,
  amountDisplay: exampleTopupOrder.amountDisplay,
};
