import {
  Environment,
  type CountWebhookDeliveriesResponse,
  type OrderSeries,
  type VendorHealth,
} from '@reseller/contracts';
import { ALWAYS, isInOrder } from '@reseller/http-edge';
import { toJsonNumber } from '@reseller/money';
import { presentEnum, PRODUCT_NAMES, STATUS_NAMES } from '@reseller/presenters';
import { z } from 'zod';
import { Absences } from '../absences';
import { countApprovals, countDeadLetters, type WaitingAt } from '../waiting';
import { environment, queryMoment } from './fields';
import { overviewResponse } from './responses/overview';
import { defineRoute, type OpsRoute } from './route';
import { presentEnvironment } from './values.presenter';

const HOUR_MS = 3_600_000;
/** It counts every order of the time. */
const DEADLINE_MS = 12_000;
/** So that what orders-saga has is shown in time when notifier hangs. */
const WEBHOOKS = { deadlineMs: 9_000 };

type Hour = z.infer<typeof overviewResponse>['orders'][number];

const overview = defineRoute({
  method: 'GET',
  path: '/ops/v1/overview',
  role: 'viewer',
  summary:
    'What came of an environment’s orders, creates, webhooks and vendors in a time, and what waits for a person now',
  deadlineMs: DEADLINE_MS,
  query: z
    .object({ environment, from: queryMoment, to: queryMoment })
    .refine(({ from, to }) => isInOrder(from, to), {
      ...ALWAYS,
      path: ['to'],
      error: 'must be later than from',
    }),
  response: overviewResponse,
  async handle({ query, call, clients }) {
    const span = { environment: query.environment, fromAt: query.from, toAt: query.to };
    const absences = new Absences<WaitingAt>();
    const [orders, webhooks, approvals, deadLetters] = await Promise.all([
      clients.orders.getOrderOverview(span, call),
      absences.unlessAway('notifier', clients.deliveries.countWebhookDeliveries(span, call, WEBHOOKS)),
      query.environment === Environment.LIVE ? countApprovals(clients, call, absences) : 0,
      countDeadLetters(clients, call, absences),
    ]);
    return {
      environment: presentEnvironment(query.environment),
      from: query.from.toISOString(),
      to: query.to.toISOString(),
      orders: presentSeries(orders.series),
      refusals: orders.refusals.map(({ code, count }) => ({ code, count })),
      creates: { count: orders.created, p50Ms: orders.p50Ms ?? null, p99Ms: orders.p99Ms ?? null },
      webhooks: webhooks ? presentWebhooks(webhooks) : null,
      vendors: orders.vendors.map(presentVendor),
      waiting: {
        orders: orders.waitingOrders,
        returnRequests: orders.waitingReturnRequests,
        approvals,
        deadLetters,
      },
      ...absences.shown(),
    };
  },
});

/** Hour by hour; within one in the order of the series. */
function presentSeries(all: readonly OrderSeries[]): Hour[] {
  const byHour = new Map<number, Hour[]>();
  for (const { productType, status, hours, counts, amounts } of all) {
    const same = {
      productType: presentEnum(PRODUCT_NAMES, productType),
      status: presentEnum(STATUS_NAMES, status),
    };
    for (const [n, at] of hours.entries()) {
      const rows = byHour.get(at) ?? [];
      const hour = rows[0]?.hour ?? new Date(at * HOUR_MS).toISOString();
      const row = { hour, ...same, count: counts[n] ?? 0, amount: toJsonNumber(amounts[n] ?? '0.00') };
      if (rows.push(row) === 1) byHour.set(at, rows);
    }
  }
  return [...byHour].sort(([a], [b]) => a - b).flatMap(([, rows]) => rows);
}

function presentWebhooks({ delivered, deadLettered, pending }: CountWebhookDeliveriesResponse) {
  const ended = delivered + deadLettered;
  return { delivered, deadLettered, pending, successRate: ended === 0 ? null : delivered / ended };
}

const presentVendor = ({ responses, ...same }: VendorHealth) => ({
  ...same,
  successRate: same.calls === 0 ? null : responses / same.calls,
  p50Ms: same.p50Ms ?? null,
  p99Ms: same.p99Ms ?? null,
});

/** An environment at a glance. */
export const overviewRoutes: readonly OpsRoute[] = [overview];
