import { pageBounds, query, toPageInfo, type PreparedStatement, type Queryable } from '@reseller/database';
import type { PageInfo, PageRequest } from '@reseller/contracts';
import type { Pool } from 'pg';
import type { Order, OrderStatus } from '../../order/domain/order';
import { ORDER_COLUMNS, toOrder, type OrderRow } from '../../order/order-row';
import type { PartnerScope } from '@reseller/rpc';
import type { GroupStatus, ScentDetails } from './domain/scent-order';
import { UNPRICED } from './scent-order.table';

// Raw: bench row checkout; lines and groups by one snapshot and round trip. Decimals as text inside JSON, so that none
// passes through a float.
const READ: PreparedStatement = {
  name: 'scent_read',
  text: `SELECT s.order_id AS "orderId", s.cart_id AS "cartId", s.total_amount AS "totalAmount",
      s.total_goods_vat AS "totalGoodsVat", s.total_commission AS "totalCommission",
      s.total_commission_vat AS "totalCommissionVat", s.discount_code AS "discountCode",
      s.discount_amount AS "discountAmount", s.partner_is_vat_registered AS "partnerIsVatRegistered",
      s.partner_tax_registration_number AS "partnerTaxRegistrationNumber",
      s.platform_tax_registration_number AS "platformTaxRegistrationNumber", s.tax_point AS "taxPoint",
      (SELECT jsonb_agg(jsonb_build_object('id', g.id, 'source', g.source, 'status', g.status,
        'deliveredAt', g.delivered_at) ORDER BY g.source COLLATE "C") FROM fulfillment_groups g WHERE g.order_id = s.order_id) AS groups,
      (SELECT jsonb_agg(jsonb_build_object('id', l.id, 'position', l.position, 'groupId', l.group_id,
        'variantId', l.variant_id, 'sku', l.sku, 'quantity', l.quantity, 'returnedQuantity', l.returned_quantity,
        'unitAmount', l.unit_amount::text, 'lineTotal', l.line_total::text, 'goodsVat', l.goods_vat::text,
        'commission', l.commission::text, 'commissionVat', l.commission_vat::text, 'pricingMode', l.pricing_mode,
        'source', l.source, 'taxClassification', l.tax_classification, 'vatRate', l.vat_rate::text)
        ORDER BY l.position) FROM scent_order_lines l WHERE l.order_id = s.order_id) AS lines
    FROM scent_orders s WHERE s.order_id = ANY ($1)`,
};

// Raw: a group's moments as rows.
const GROUP_CHANGES: PreparedStatement = {
  name: 'scent_group_changes',
  text: `SELECT g.id AS "groupId", change.status, change.at AS "occurredAt"
    FROM fulfillment_groups g, LATERAL (VALUES ('Shipped', g.shipped_at), ('Delivered', g.delivered_at),
      ('Cancelled', g.cancelled_at)) AS change (status, at)
    WHERE g.order_id = $1 AND change.at IS NOT NULL ORDER BY change.at`,
};

const OF_CUSTOMER = `FROM orders WHERE product = 'Scent' AND partner_id = $1 AND environment = $2 AND customer_ref = $3 AND NOT (${UNPRICED})
  AND ($4::text IS NULL OR status = $4) AND ($5::timestamptz IS NULL OR submitted_at >= $5)
  AND ($6::timestamptz IS NULL OR submitted_at < $6)`;

// Raw: with the list's own conditions, so that both read its index.
const COUNT_OF_CUSTOMER: PreparedStatement = {
  name: 'scent_count_of_customer',
  text: `SELECT count(*)::int AS total ${OF_CUSTOMER}`,
};

// Raw: orders are read by the one list of their columns.
const LIST_OF_CUSTOMER: PreparedStatement = {
  name: 'scent_list_of_customer',
  text: `SELECT ${ORDER_COLUMNS} ${OF_CUSTOMER} ORDER BY submitted_at DESC, id DESC LIMIT $7 OFFSET $8`,
};

type DetailsRow = Omit<ScentDetails, 'groups'> & {
  orderId: string;
  groups: (Omit<ScentDetails['groups'][number], 'deliveredAt'> & { deliveredAt: string | null })[];
};

/** What narrows a customer's orders. */
interface CustomerFilter {
  readonly customerRef: string;
  readonly status?: OrderStatus | undefined;
  readonly fromAt?: Date | undefined;
  readonly toAt?: Date | undefined;
}

/** A fulfillment group took a status. */
interface GroupChange {
  readonly groupId: string;
  readonly status: GroupStatus;
  readonly occurredAt: Date;
}

/** As ScentOrderRepository.readMany, also within a transaction. */
export async function readDetails(
  db: Queryable,
  orderIds: readonly string[],
): Promise<Map<string, ScentDetails>> {
  const rows = await query<DetailsRow>(db, READ, [orderIds]);
  return new Map(rows.map(({ orderId, ...row }) => [orderId, toDetails(row)]));
}

/** Reads what scent orders have beside what all orders have. */
export class ScentOrderRepository {
  constructor(private readonly pool: Pool) {}

  /** By order; an order whose cart is not priced yet, or of another product, has none. */
  async readMany(orderIds: readonly string[]): Promise<Map<string, ScentDetails>> {
    return orderIds.length === 0 ? new Map() : readDetails(this.pool, orderIds);
  }

  /** Of one order. */
  async find(orderId: string): Promise<ScentDetails | undefined> {
    return (await this.readMany([orderId])).get(orderId);
  }

  /** What happened to its groups since they were made, oldest first. */
  listGroupChanges(orderId: string): Promise<GroupChange[]> {
    return query<GroupChange>(this.pool, GROUP_CHANGES, [orderId]);
  }

  /** A customer's orders, newest first; counted on their own index, which holds one customer's and no more. */
  async listOfCustomer(
    { partnerId, environment }: Pick<PartnerScope, 'partnerId' | 'environment'>,
    { customerRef, status, fromAt, toAt }: CustomerFilter,
    page: PageRequest | undefined,
  ): Promise<{ orders: Order[]; page: PageInfo }> {
    const { limit, offset } = pageBounds(page);
    const values = [partnerId, environment, customerRef, status, fromAt, toAt];
    const [counted, rows] = await Promise.all([
      query<{ total: number }>(this.pool, COUNT_OF_CUSTOMER, values),
      query<OrderRow>(this.pool, LIST_OF_CUSTOMER, [...values, limit, offset]),
    ]);
    return { orders: rows.map(toOrder), page: toPageInfo(page, counted[0]?.total ?? 0) };
  }
}

function toDetails({ groups, ...row }: Omit<DetailsRow, 'orderId'>): ScentDetails {
  const withDates = groups.map(({ deliveredAt, ...group }) => ({
    ...group,
    deliveredAt: deliveredAt === null ? null : new Date(deliveredAt),
  }));
  return { ...row, groups: withDates };
}
