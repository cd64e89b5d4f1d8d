import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { paths } from '../generated/operators-api';
import { api, payloadOf } from './client';

/** How often a page that is looked at reads again what may have changed. */
const LIVE_MS = 10_000;

type QueryOf<P extends keyof paths> = paths[P] extends { get: { parameters: { query?: infer Q } } }
  ? NonNullable<Q>
  : never;

/** A list that is kept up to date while it is looked at, and keeps its rows while the next page comes. */
const list = { placeholderData: keepPreviousData, refetchInterval: LIVE_MS };

/** What came of a time, and what waits for a person now. */
export const overviewQuery = (environment: 'sandbox' | 'live', hours: number) =>
  queryOptions({
    queryKey: ['overview', environment, hours],
    queryFn: ({ signal }) => {
      const to = new Date();
      const from = new Date(to.getTime() - hours * 3_600_000);
      const query = { environment, from: from.toISOString(), to: to.toISOString() };
      return payloadOf(api.GET('/ops/v1/overview', { params: { query }, signal }));
    },
    ...list,
  });

/** A page of orders. */
export const ordersQuery = (query: QueryOf<'/ops/v1/orders'>) =>
  queryOptions({
    queryKey: ['orders', query],
    queryFn: ({ signal }) => payloadOf(api.GET('/ops/v1/orders', { params: { query }, signal })),
    ...list,
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
      const query = { orderGlobalId, pageSize: '1' };
      const { items } = await payloadOf(api.GET('/ops/v1/orders', { params: { query }, signal }));
      return items[0] ?? null;
    },
    refetchInterval: 5_000,
  });

/** What a text names. */
export const searchQuery = (q: string) =>
  queryOptions({
    queryKey: ['search', q],
    queryFn: ({ signal }) => payloadOf(api.GET('/ops/v1/search', { params: { query: { q } }, signal })),
    enabled: q !== '',
    staleTime: 10_000,
  });
