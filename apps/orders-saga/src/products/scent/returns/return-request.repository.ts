import { pageBounds, query, toPageInfo, type PreparedStatement, type Queryable } from '@reseller/database';
import type { PageInfo, PageRequest } from '@reseller/contracts';
import type { Pool } from 'pg';
import { validate as isUuid } from 'uuid';
import type { ReturnRequest, ReturnStatusName } from './domain/return-request';

const COLUMNS = `r.id, r.order_id AS "orderId", o.global_id AS "orderGlobalId", o.partner_id AS "partnerId", o.environment,
  r.group_id AS "groupId", r.status, r.requested_at AS "requestedAt", r.decided_at AS "decidedAt",
  r.decided_by_user_id AS "decidedByUserId", r.decline_reason AS "declineReason",
  (SELECT jsonb_agg(jsonb_build_object('id', l.id, 'orderLineId', l.order_line_id, 'quantity', l.quantity, 'reason', l.reason)
    ORDER BY l.position) FROM return_request_lines l WHERE l.request_id = r.id) AS lines`;

const FIND: PreparedStatement = {
  name: 'return_request_find',
  text: `SELECT ${COLUMNS} FROM return_requests r JOIN orders o ON o.id = r.order_id WHERE r.id = $1`,
};

const NEWEST = 'ORDER BY r.requested_at DESC, r.id DESC LIMIT $2 OFFSET $3';

// A text for each narrowing, so that each reads its own index.
function lists(name: string, where: string): Record<'count' | 'page', PreparedStatement> {
  return {
    count: {
      name: `return_request_count_${name}`,
      text: `SELECT count(*)::int AS total FROM return_requests r WHERE ${where}`,
    },
    page: {
      name: `return_request_page_${name}`,
      text: `SELECT ${COLUMNS} FROM return_requests r JOIN orders o ON o.id = r.order_id WHERE ${where} ${NEWEST}`,
    },
  };
}

const OF_ORDER = lists('of_order', 'r.order_id = $1::uuid');
const OF_STATUS = lists('of_status', 'r.status = $1::text');
const OF_ALL = lists('of_all', '$1::text IS NULL');

/** Return requests in a page's order, newest first. */
export interface ReturnRequestPage {
  readonly requests: ReturnRequest[];
  readonly page: PageInfo;
}

/** Reads a return request, also within a transaction. */
export async function readReturnRequest(db: Queryable, id: string): Promise<ReturnRequest | undefined> {
  const [row] = await query<ReturnRequest>(db, FIND, [id]);
  return row;
}

/** Reads return requests; writing them is HeldOrder's. */
export class ReturnRequestRepository {
  constructor(private readonly pool: Pool) {}

  /** Any partner's; a text that is no id finds nothing. */
  async find(id: string): Promise<ReturnRequest | undefined> {
    return isUuid(id) ? readReturnRequest(this.pool, id) : undefined;
  }

  listOfOrder(orderId: string, page: PageRequest | undefined): Promise<ReturnRequestPage> {
    return this.list(OF_ORDER, orderId, page);
  }

  /** Every partner's; without a status, all. */
  listAll(status: ReturnStatusName | undefined, page: PageRequest | undefined): Promise<ReturnRequestPage> {
    return this.list(status ? OF_STATUS : OF_ALL, status, page);
  }

  private async list(
    statements: ReturnType<typeof lists>,
    narrowedTo: string | undefined,
    page: PageRequest | undefined,
  ): Promise<ReturnRequestPage> {
    const { limit, offset } = pageBounds(page);
    const [counted, requests] = await Promise.all([
      query<{ total: number }>(this.pool, statements.count, [narrowedTo]),
      query<ReturnRequest>(this.pool, statements.page, [narrowedTo, limit, offset]),
    ]);
    return { requests, page: toPageInfo(page, counted[0]?.total ?? 0) };
  }
}
