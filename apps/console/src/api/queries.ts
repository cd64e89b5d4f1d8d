import { queryOptions, type Query } from '@tanstack/react-query';
import type { paths } from '../generated/operators-api';
import { api, payloadOf } from './client';
import { liveBy, type Topic } from './live';
import type { EnvironmentName } from '../search';

/** How often a page that is looked at reads again what may have changed, while no stream says when it has. */
const LIVE_MS = 10_000;

/** The same of a single order. */
const ROW_MS = 5_000;

type QueryOf<P extends keyof paths> = paths[P] extends { get: { parameters: { query?: infer Q } } }
  ? NonNullable<Q>
  : never;

type Gets<P extends keyof paths> = paths[P] extends { get: infer G } ? G : never;

/** The payload of a GET. */
type Payload<P extends keyof paths> =
  Gets<P> extends { responses: { 200: { content: { 'application/json': { payload: infer R } } } } }
    ? R
    : never;

/** Keeps what is shown while the next page of the same list comes; nothing of another thing, and nothing of the other world. */
const keptOf = (list: unknown) => {
  const of = JSON.stringify(list);
  return {
    placeholderData: <T>(shown: T | undefined, before: Pick<Query, 'meta'> | undefined): T | undefined =>
      before?.meta?.['of'] === of ? shown : undefined,
    meta: { of },
  };
};

/** A list that is kept up to date while it is looked at. */
const listOf = (list: unknown, ...topics: Topic[]) => {
  const [live, kept] = [liveBy(LIVE_MS, topics), keptOf(list)];
  return { ...live, ...kept, meta: { ...live.meta, ...kept.meta } };
};

/** What a list shows, by the first part of its path; what is not here is read by the clock alone. */
const TOPICS: Readonly<Record<string, Topic>> = {
  'return-requests': 'returnRequests',
  approvals: 'approvals',
  'dead-letters': 'deadLetters',
  'webhook-deliveries': 'webhookDeliveries',
  partners: 'partners',
  reconciliation: 'differences',
};

const keptBy = (list: unknown, topic: Topic | undefined) =>
  topic ? listOf(list, topic) : { ...keptOf(list), refetchInterval: LIVE_MS };

/** What came of a time, and what waits for a person now. */
export const overviewQuery = (environment: EnvironmentName, hours: number) =>
  queryOptions({
    queryKey: ['overview', environment, hours],
    queryFn: ({ signal }) => {
      const to = new Date();
      const from = new Date(to.getTime() - hours * 3_600_000);
      const query = { environment, from: from.toISOString(), to: to.toISOString() };
      return payloadOf(api.GET('/ops/v1/overview', { params: { query }, signal }));
    },
    ...listOf(
      environment,
      'orders',
      'returnRequests',
      'approvals',
      'deadLetters',
      'webhookDeliveries',
      'differences',
    ),
  });

/** A page of orders. */
export const ordersQuery = (query: QueryOf<'/ops/v1/orders'>) =>
  queryOptions({
    queryKey: ['orders', query],
    queryFn: ({ signal }) => payloadOf(api.GET('/ops/v1/orders', { params: { query }, signal })),
    ...listOf(query.environment, 'orders'),
  });

/** An order with all that happened to it. Each reading is audited, so this is never read by the clock. */
export const timelineQuery = (orderGlobalId: string) =>
  queryOptions({
    queryKey: ['order', orderGlobalId, 'timeline'],
    queryFn: ({ signal }) =>
      payloadOf(
        api.GET('/ops/v1/orders/{orderGlobalId}/timeline', { params: { path: { orderGlobalId } }, signal }),
      ),
    staleTime: Infinity,
  });

/** The order's row alone, whose reading leaves nothing behind: what shows that its timeline has to be read again. */
export const orderRowQuery = (orderGlobalId: string) =>
  queryOptions({
    queryKey: ['order', orderGlobalId, 'row'],
    queryFn: async ({ signal }) => {
      const query = { orderGlobalId, pageSize: 1 };
      const { items } = await payloadOf(api.GET('/ops/v1/orders', { params: { query }, signal }));
      return items[0] ?? null;
    },
    ...liveBy(ROW_MS, ['orders']),
  });

/** What a text names. */
export const searchQuery = (q: string) =>
  queryOptions({
    queryKey: ['search', q],
    queryFn: ({ signal }) => payloadOf(api.GET('/ops/v1/search', { params: { query: { q } }, signal })),
    enabled: q !== '',
    staleTime: 10_000,
  });

/** What a GET returns, read anew while it is looked at; stale by its path. */
export const readQuery = <P extends keyof paths>(
  path: P,
  query: QueryOf<P> = {} as QueryOf<P>,
  inPath: Readonly<Record<string, string>> = {},
) =>
  queryOptions({
    queryKey: [path, inPath, query] as const,
    queryFn: ({ signal }) => read(path, query, inPath, signal),
    ...keptBy(
      [inPath, (query as { environment?: EnvironmentName }).environment],
      TOPICS[path.split('/')[3] ?? ''],
    ),
  });

// The client's types do not go through a path that is a parameter itself; they were applied to this function's.
function read<P extends keyof paths>(
  path: P,
  query: QueryOf<P>,
  inPath: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Payload<P>> {
  const call = api.GET(path as never, { params: { path: inPath, query }, signal } as never);
  return payloadOf(call as Promise<{ data?: { payload: Payload<P> } }>);
}
