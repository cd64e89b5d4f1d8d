import type { OpenFulfillmentGroup, PageInfo, PageRequest } from '@reseller/contracts';
import { pageBounds, toPageInfo } from '@reseller/database';
import { environmentOf } from '@reseller/rpc';
import type { Prisma, PrismaClient } from '../../../generated/prisma/client';
import type { OrderEnvironment } from '../../../order/domain/order';
import { UNPAID_STATUSES } from '../domain/scent-moves';
import type { GroupStatus } from '../domain/scent-order';
import { toGroupStatus } from '../scent-order.mapper';
import { GROUP_MOVES } from './domain/rollup';

/** Which open groups are listed; without a field, all. */
interface OpenGroupFilter {
  readonly status?: GroupStatus | undefined;
  readonly environment?: OrderEnvironment | undefined;
}

/** Open groups in a page's order, oldest first. */
interface OpenGroupPage {
  readonly fulfillmentGroups: OpenFulfillmentGroup[];
  readonly page: PageInfo;
}

const OPEN = (Object.keys(GROUP_MOVES) as GroupStatus[]).filter((status) => GROUP_MOVES[status].length > 0);

const WITH_ORDER_AND_LINES = {
  order: {
    select: { order: { select: { globalId: true, partnerId: true, environment: true, submittedAt: true } } },
  },
  lines: { select: { sku: true, quantity: true }, orderBy: { position: 'asc' } },
} as const satisfies Prisma.FulfillmentGroupInclude;

type Row = Prisma.FulfillmentGroupGetPayload<{ include: typeof WITH_ORDER_AND_LINES }>;

/** Reads the groups that can still be moved; moving them is LockedOrder's. */
export class OpenGroupsRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /** Those of paid orders, of every partner. A status that is final lists nothing. */
  async list(
    { status, environment }: OpenGroupFilter,
    page: PageRequest | undefined,
  ): Promise<OpenGroupPage> {
    const { limit: take, offset: skip } = pageBounds(page);
    const where: Prisma.FulfillmentGroupWhereInput = {
      // Both, so that the index of open groups serves a single status too.
      status: { in: OPEN, ...(status && { equals: status }) },
      order: { order: { status: { notIn: [...UNPAID_STATUSES] }, ...(environment && { environment }) } },
    };
    const [total, rows] = await Promise.all([
      this.prisma.fulfillmentGroup.count({ where }),
      this.prisma.fulfillmentGroup.findMany({
        where,
        include: WITH_ORDER_AND_LINES,
        orderBy: { id: 'asc' },
        take,
        skip,
      }),
    ]);
    return { fulfillmentGroups: rows.map(toMessage), page: toPageInfo(page, total) };
  }
}

function toMessage({ order: { order }, ...group }: Row): OpenFulfillmentGroup {
  return {
    fulfillmentGroupId: group.id,
    status: toGroupStatus(group.status as GroupStatus),
    orderGlobalId: order.globalId,
    partnerId: order.partnerId,
    environment: environmentOf(order.environment as OrderEnvironment),
    source: group.source,
    submittedAt: order.submittedAt,
    shippedAt: group.shippedAt ?? undefined,
    lines: group.lines,
  };
}
