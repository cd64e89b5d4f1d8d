import { pageBounds, toPageInfo } from '@reseller/database';
import type { PageInfo, PageRequest } from '@reseller/contracts';
import { isUuid } from '@reseller/rpc';
import type { Prisma, PrismaClient } from '../../../generated/prisma/client';
import type { OrderEnvironment } from '../../../order/domain/order';
import type { RequestedUnits, ReturnRequest, ReturnStatusName } from './domain/return-request';

/** Return requests in a page's order, newest first unless the oldest were requested first. */
interface ReturnRequestPage {
  readonly requests: ReturnRequest[];
  readonly page: PageInfo;
}

const WITH_ORDER_AND_LINES = {
  order: { select: { order: { select: { globalId: true, partnerId: true, environment: true } } } },
  lines: {
    select: { id: true, orderLineId: true, quantity: true, reason: true },
    orderBy: { position: 'asc' },
  },
} as const satisfies Prisma.ReturnRequestInclude;

type Row = Prisma.ReturnRequestGetPayload<{ include: typeof WITH_ORDER_AND_LINES }>;

/** Reads return requests; writing them is LockedOrder's. */
export class ReturnRequestRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /** Any partner's; a text that is no id finds nothing. */
  async find(id: string): Promise<ReturnRequest | undefined> {
    if (!isUuid(id)) return undefined;
    const include = WITH_ORDER_AND_LINES;
    const row = await this.prisma.returnRequest.findUnique({ where: { id }, include });
    return row ? toReturnRequest(row) : undefined;
  }

  listOfOrder(orderId: string, page: PageRequest | undefined): Promise<ReturnRequestPage> {
    return this.list({ orderId }, page);
  }

  /** Every partner's; without a status, all. */
  listAll(
    status: ReturnStatusName | undefined,
    page: PageRequest | undefined,
    isOldestFirst: boolean,
  ): Promise<ReturnRequestPage> {
    return this.list(status ? { status } : {}, page, isOldestFirst ? 'asc' : 'desc');
  }

  private async list(
    where: Prisma.ReturnRequestWhereInput,
    page: PageRequest | undefined,
    way: Prisma.SortOrder = 'desc',
  ): Promise<ReturnRequestPage> {
    const { limit: take, offset: skip } = pageBounds(page);
    const [total, rows] = await Promise.all([
      this.prisma.returnRequest.count({ where }),
      this.prisma.returnRequest.findMany({
        where,
        include: WITH_ORDER_AND_LINES,
        orderBy: [{ requestedAt: way }, { id: way }],
        take,
        skip,
      }),
    ]);
    return { requests: rows.map(toReturnRequest), page: toPageInfo(page, total) };
  }
}

function toReturnRequest({ order: { order }, lines, ...row }: Row): ReturnRequest {
  return {
    ...row,
    status: row.status as ReturnStatusName,
    orderGlobalId: order.globalId,
    partnerId: order.partnerId,
    environment: order.environment as OrderEnvironment,
    lines: lines.map((line) => ({ ...line, reason: line.reason as RequestedUnits['reason'] })),
  };
}
