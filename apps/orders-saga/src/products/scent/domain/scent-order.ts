import type { Order } from '../../../order/domain/order';
import type { RecordedCheckout, RecordedLine } from './checkout';

/** Where the goods of one warehouse stand (spec §7.3). */
export type GroupStatus = 'Pending' | 'Shipped' | 'Delivered' | 'Cancelled';

/** The lines of one warehouse, shipped together. */
export interface FulfillmentGroup {
  readonly id: string;
  readonly source: string;
  readonly status: GroupStatus;
  readonly deliveredAt: Date | null;
}

/** A line with what came back of it. */
export type ScentLine = RecordedLine & { readonly returnedQuantity: number };

/** What a scent order has beside what all orders have. */
export interface ScentDetails extends Omit<RecordedCheckout, 'groups' | 'lines' | 'totalAmountWithVat'> {
  /** When the charge was captured. */
  readonly taxPoint: Date | null;
  readonly groups: readonly FulfillmentGroup[];
  /** In the cart's order. */
  readonly lines: readonly ScentLine[];
}

/** What an order whose cart this process has just checked out has, as it reads; undefined for one that was read. */
export function justCheckedOut({ details }: Pick<Order, 'details'>): ScentDetails | undefined {
  const { checkout, taxPoint } = details as { checkout?: RecordedCheckout; taxPoint?: string };
  return (
    checkout && {
      ...checkout,
      taxPoint: taxPoint === undefined ? null : new Date(taxPoint),
      groups: checkout.groups.map((group) => ({ ...group, status: 'Pending', deliveredAt: null })),
      lines: checkout.lines.map((line) => ({ ...line, returnedQuantity: 0 })),
    }
  );
}

/** The body of a create, under its public names. A type, so that it is JSON too. */
export type ShippingAddress = {
  readonly recipient: string;
  readonly line1: string;
  readonly line2: string | null;
  readonly city: string;
  readonly region: string | null;
  readonly postalCode: string | null;
  readonly country: string;
  readonly phone: string;
};

/** How many units of each variant lines hold. */
export function unitsPerVariant(
  lines: readonly Pick<ScentLine, 'variantId' | 'quantity'>[],
): { variantId: string; quantity: number }[] {
  const perVariant = new Map<string, number>();
  for (const { variantId, quantity } of lines)
    perVariant.set(variantId, (perVariant.get(variantId) ?? 0) + quantity);
  return [...perVariant].map(([variantId, quantity]) => ({ variantId, quantity }));
}
