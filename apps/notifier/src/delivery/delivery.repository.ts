import type { PageInfo, PageRequest } from '@reseller/contracts';
import {
  isForeignKeyViolation,
  pageBounds,
  query,
  toPageInfo,
  type PreparedStatement,
  type Queryable,
} from '@reseller/database';
import { AppError } from '@reseller/errors';
import type { WebhookDeliveryStatusName, WebhookEventTypeName } from '@reseller/presenters';
import { type EnvironmentName, isUuid, type PartnerScope } from '@reseller/rpc';
import type { WebhookEvent } from '../event/domain/webhook-event';
import type { AttemptResult } from './domain/attempt';
import type { Delivery, DeliveryAttempt } from './domain/delivery';
import { addDays, firstIdAt, firstIdOf, wholeDays } from './domain/day-ids';
import { spanOf, type DayCount } from './domain/list-span';
import {
  PENDING,
  FINISHED,
  COLUMNS,
  DAY_OF_ID,
  WITH_EVENT,
  BODY,
  FIND_REDELIVERABLE,
  OF_ORDER,
  SEARCH,
  COUNT,
  REDELIVER,
  RECORD_TEST,
} from './delivery.sql';
import { NOT_FOLDED } from './delivery-count.repository';
import { KEEP_DAYS } from './partition.repository';

/** What a list shows; undefined filters nothing. */
interface DeliveryFilter {
  subscriptionId?: string | undefined;
  status?: WebhookDeliveryStatusName | undefined;
  eventType?: WebhookEventTypeName | undefined;
}

/** How many deliveries there are of each status. */
interface DeliveryCounts {
  readonly delivered: number;
  readonly deadLettered: number;
  readonly pending: number;
}

type Row = Omit<Delivery, 'attempts'> & {
  attempts: (AttemptResult & { attemptNumber: number; attemptedAt: string })[];
};

/** Reads deliveries, pending and finished as one; sends them again; records tests. */
export class DeliveryRepository {
  constructor(private readonly pool: Queryable) {}

  /** A page of deliveries, newest first. */
  async list(
    filter: DeliveryFilter,
    page: PageRequest | undefined,
  ): Promise<{ deliveries: Delivery[]; page: PageInfo }> {
    const { subscriptionId, eventType } = filter;
    const values = [...(subscriptionId ? [subscriptionId] : []), ...(eventType ? [eventType] : [])];
    const days = await query<DayCount>(this.pool, countByDay(filter), values);
    const total = days.reduce((sum, { count }) => sum + count, 0);
    const bounds = pageBounds(page);
    const span = spanOf(days, bounds);
    const rows = span
      ? await query<Row>(this.pool, listOfDays(filter), [
          ...values,
          firstIdOf(span.oldest),
          firstIdOf(addDays(span.newest, 1)),
          span.skip,
          bounds.limit,
        ])
      : [];
    return { deliveries: rows.map(toDelivery), page: toPageInfo(page, total) };
  }

  /** A delivery whose event may still be sent again: one is for as long as its event's own deliveries are shown. */
  async findRedeliverable(id: string): Promise<Delivery | undefined> {
    const [row] = isUuid(id) ? await query<Row>(this.pool, FIND_REDELIVERABLE, [id, KEEP_DAYS + 1]) : [];
    return row && toDelivery(row);
  }

  /** What each attempt of a delivery sends, as text; its event is kept for as long as it may be sent again. */
  async readBody({ eventId }: Pick<Delivery, 'eventId'>): Promise<string> {
    const [event] = await query<{ body: Buffer }>(this.pool, BODY, [eventId]);
    if (!event) throw new AppError('NOT_FOUND_WEBHOOK_DELIVERY');
    return event.body.toString('utf8');
  }

  /** The newest deliveries of which the whole text is the id, or that of the event, its order or the subscription. */
  async search(text: string, limit: number): Promise<Delivery[]> {
    const values = [isUuid(text) ? text : null, text, limit];
    return (await query<Row>(this.pool, SEARCH, values)).map(toDelivery);
  }

  /** How the deliveries stand that were made in an environment from a moment on and before another. */
  async count(environment: EnvironmentName, fromAt: Date, toAt: Date): Promise<DeliveryCounts> {
    const days = wholeDays(fromAt.getTime(), toAt.getTime());
    const span = [firstIdAt(fromAt.getTime()), firstIdAt(toAt.getTime())];
    const values = [environment, ...span, ...days.map(firstIdOf), ...days];
    const [counts] = await query<DeliveryCounts>(this.pool, COUNT, values);
    if (!counts) throw new Error('a count returned no row');
    return counts;
  }

  /** All deliveries about an order, oldest first: a partner's own, or without a scope anybody's. */
  async listOfOrder(orderGlobalId: string, scope?: PartnerScope): Promise<Delivery[]> {
    const values = [orderGlobalId, scope?.partnerId, scope?.environment];
    return (await query<Row>(this.pool, OF_ORDER, values)).map(toDelivery);
  }

  /**
   * Makes a new delivery of the same event to the same subscription; undefined when that was done less than a second ago,
   * however many ask at once. NOT_FOUND_WEBHOOK_SUBSCRIPTION when the subscription is gone.
   */
  async redeliver(old: Delivery): Promise<Delivery | undefined> {
    try {
      const [made] = await query<Pick<Delivery, 'id' | 'nextAttemptAt' | 'createdAt'>>(this.pool, REDELIVER, [
        old.eventId,
        old.subscriptionId,
        old.eventType,
      ]);
      return made && { ...old, ...made, status: 'Pending', attempts: [] };
    } catch (cause) {
      if (!isForeignKeyViolation(cause)) throw cause;
      throw new AppError('NOT_FOUND_WEBHOOK_SUBSCRIPTION', {}, { cause });
    }
  }

  /** Records a test after its only attempt, with its event; its id (UUIDv7) says when it was made. */
  async recordTest(
    id: string,
    event: WebhookEvent,
    subscriptionId: string,
    attempt: DeliveryAttempt,
  ): Promise<Delivery> {
    const { eventId, partnerId, environment, eventType, occurredAt, body, headers } = event;
    const status = attempt.errorSummary === null ? 'Delivered' : 'DeadLettered';
    const { attemptedAt, responseStatus, durationMs, errorSummary } = attempt;
    const [made] = await query<Pick<Delivery, 'id' | 'createdAt'>>(this.pool, RECORD_TEST, [
      eventId,
      partnerId,
      environment,
      eventType,
      occurredAt,
      body,
      subscriptionId,
      status,
      attemptedAt.toISOString(),
      responseStatus,
      durationMs,
      errorSummary,
      id,
      JSON.stringify(headers),
    ]);
    if (!made) throw new Error('a test was recorded without a row');
    const kept = {
      subscriptionId,
      partnerId,
      environment,
      eventId,
      eventType,
      status,
      orderGlobalId: null,
    } as const;
    return { ...made, ...kept, isTest: true, nextAttemptAt: null, attempts: [attempt] };
  }
}

function toDelivery({ attempts, ...row }: Row): Delivery {
  return {
    ...row,
    attempts: attempts.map((attempt) => ({ ...attempt, attemptedAt: new Date(attempt.attemptedAt) })),
  };
}

/** Which parts of a list there are, and its conditions, with the parameters in the order of `DeliveryFilter`. */
function partsOf({ subscriptionId, status, eventType }: DeliveryFilter): {
  key: string;
  where: string[];
  next: number;
  hasPending: boolean;
  hasFinished: boolean;
} {
  const where = [
    ...(subscriptionId ? ['subscription_id = $1'] : []),
    ...(eventType ? [`event_type = $${subscriptionId ? 2 : 1}`] : []),
  ];
  return {
    key: [subscriptionId && 'subscription', eventType && 'type', status].filter(Boolean).join('-'),
    where,
    next: where.length + 1,
    hasPending: status === undefined || status === 'Pending',
    hasFinished: status !== 'Pending',
  };
}

// A status stands in the text itself, so that the index over dead letters can be used.
const ofStatus = ({ status }: DeliveryFilter): string[] => (status ? [`status = '${status}'`] : []);

// Raw: pending and finished deliveries are counted as one table.
function countByDay(filter: DeliveryFilter): PreparedStatement {
  const { key, where, hasPending, hasFinished } = partsOf(filter);
  const today = "(clock_timestamp() AT TIME ZONE 'UTC')::date";
  const kept = [...where, ...ofStatus(filter), `day >= ${today} - ${KEEP_DAYS}`].join(' AND ');
  const finished = `SELECT day, n FROM webhook_delivery_counts WHERE ${kept}
    UNION ALL SELECT day, n FROM webhook_delivery_minutes WHERE ${kept} AND minute >= ${NOT_FOLDED}`;
  const pending = `SELECT ${DAY_OF_ID} AS day, count(*) AS n FROM webhook_pending_deliveries
    ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''} GROUP BY 1`;
  const parts = [...(hasFinished ? [finished] : []), ...(hasPending ? [pending] : [])];
  return {
    name: `webhook-delivery-counts-${key}`,
    text: `SELECT day::text, sum(n)::integer AS count FROM (${parts.join(' UNION ALL ')}) c GROUP BY day ORDER BY day DESC`,
  };
}

// Raw: pending and finished deliveries are listed as one table.
function listOfDays(filter: DeliveryFilter): PreparedStatement {
  const { key, where, next, hasPending, hasFinished } = partsOf(filter);
  const [from, to, skip, limit] = [0, 1, 2, 3].map((at) => `$${next + at}`);
  const range = [`id >= ${from}::uuid`, `id < ${to}::uuid`];
  const newestFirst = `ORDER BY id DESC LIMIT ${skip}::integer + ${limit}::integer`;
  const pending = `(${PENDING} WHERE ${[...where, ...range].join(' AND ')} ${newestFirst})`;
  const finished = `(${FINISHED} WHERE ${[...where, ...ofStatus(filter), ...range].join(' AND ')} ${newestFirst})`;
  const parts = [...(hasPending ? [pending] : []), ...(hasFinished ? [finished] : [])];
  return {
    name: `webhook-deliveries-${key}`,
    text: `SELECT ${COLUMNS} FROM (
             SELECT * FROM (${parts.join(' UNION ALL ')}) u ORDER BY id DESC OFFSET ${skip} LIMIT ${limit}
           ) d ${WITH_EVENT} ORDER BY d.id DESC`,
  };
}
