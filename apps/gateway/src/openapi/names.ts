/** order.fulfilment-updated, not_found_order and getOrder as names of types: OrderFulfilmentUpdated, NotFoundOrder, GetOrder. */
export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase());
