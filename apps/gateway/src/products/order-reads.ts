import type { ErrorCode } from '@reseller/errors';
import { presentPage, statusFilter, type ORDER_STATUSES } from '@reseller/presenters';
import type { CertificationStep, OrderStatus, PageInfo, PageRequest } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { z } from 'zod';
import { showsOrders } from '../certification/orders-shown';
import type { Clients } from '../clients';
import { examplePagination } from '../routes/examples';
import { defineRoute, type Route, type Tag } from '../routes/route';
import { pageOf } from '../fields/response-fields';
import { externalReference, pageQuery, submittedBetween, uuid } from '../fields/request-fields';

type StatusName = (typeof ORDER_STATUSES)[number];

interface ListRequest {
  readonly page: PageRequest;
  readonly status: OrderStatus;
  readonly fromAt: Date | undefined;
  readonly toAt: Date | undefined;
}

/** What differs between one product's reads and another's. */
interface OrderReads<M, R extends z.ZodObject> {
  /** As in getTopupOrder. */
  readonly name: `${string}Order`;
  /** What of a certification an order of the product shows; absent where it shows none. */
  readonly step?: CertificationStep;
  /** The create's path; the reads are under it. */
  readonly path: `/api/v1/orders/${string}`;
  readonly tag: Tag;
  /** As in "Read a top-up order". */
  readonly noun: string;
  /** As in "List top-up orders". */
  readonly plural: string;
  /** What a partner calls the create. */
  readonly create: string;
  /** The field of the order that its id is in. */
  readonly idField: string;
  readonly statuses: readonly [StatusName, ...StatusName[]];
  readonly exampleStatus: StatusName;
  /** Filters of the list beside status and time. */
  readonly filters?: z.ZodRawShape;
  readonly order: R;
  readonly example: z.input<R> & { readonly externalReference: string };
  readonly exampleId: string;
  readonly notFound: ErrorCode;
  readonly present: (message: M | undefined) => z.input<R>;
  readonly get: (clients: Clients, orderId: string, call: CallContext) => Promise<{ order?: M | undefined }>;
  readonly getByReference: (
    clients: Clients,
    reference: { externalReference: string },
    call: CallContext,
  ) => Promise<{ order?: M | undefined }>;
  readonly list: (
    clients: Clients,
    request: ListRequest & Record<string, unknown>,
    call: CallContext,
  ) => Promise<{ orders: M[]; page?: PageInfo | undefined }>;
}

/** The three reads that every product has: its list, one order by id, and one by the partner's own reference. */
export function orderReads<M, R extends z.ZodObject>(of: OrderReads<M, R>): Readonly<Record<string, Route>> {
  return {
    [`list${of.name}s`]: listRoute(of),
    [`get${of.name}`]: getRoute(of),
    [`get${of.name}ByReference`]: getByReferenceRoute(of),
  };
}

const listRoute = <M, R extends z.ZodObject>(of: OrderReads<M, R>): Route =>
  defineRoute({
    method: 'GET',
    path: of.path,
    tag: of.tag,
    ...(of.step && { shows: showsOrders(of.step) }),
    summary: `List ${of.plural}`,
    description: 'Newest first by submission. A page past the end is empty.',
    query: z.object({
      ...pageQuery,
      status: z.enum(of.statuses).optional().meta({ description: 'Only orders of this status.' }),
      ...of.filters,
      ...submittedBetween,
    }),
    response: pageOf(of.order) as z.ZodType,
    errors: [],
    examples: {
      query: { page: '1', pageSize: '20', status: of.exampleStatus },
      response: { items: [of.example], pagination: examplePagination },
    },
    async handle({ query, call, clients }) {
      const { page, pageSize, status, fromDate, toDate, ...filters } = query;
      const request = {
        ...filters,
        page: { page, pageSize },
        status: statusFilter(status),
        fromAt: fromDate,
        toAt: toDate,
      };
      const list = await of.list(clients, request, call);
      return presentPage(list.orders, list.page, of.present);
    },
  });

const getRoute = <M, R extends z.ZodObject>(of: OrderReads<M, R>): Route =>
  defineRoute({
    method: 'GET',
    path: `${of.path}/{orderId}`,
    tag: of.tag,
    ...(of.step && { shows: showsOrders(of.step) }),
    summary: `Read ${of.noun}`,
    description: 'An order of another partner or environment is returned as if it did not exist.',
    params: z.object({ orderId: uuid(`The ${of.idField} of the create’s response.`) }),
    response: of.order as z.ZodType,
    errors: [of.notFound],
    examples: { params: { orderId: of.exampleId }, response: of.example },
    async handle({ params, call, clients }) {
      return of.present((await of.get(clients, params.orderId, call)).order);
    },
  });

const getByReferenceRoute = <M, R extends z.ZodObject>(of: OrderReads<M, R>): Route =>
  defineRoute({
    method: 'GET',
    path: `${of.path}/reference/{externalReference}`,
    tag: of.tag,
    ...(of.step && { shows: showsOrders(of.step) }),
    summary: `Read ${of.noun} by your own reference`,
    description: `Says what became of a ${of.create} whose response was lost. Percent-encode the reference; one of dots alone (. or ..) is part of no address, so repeat its create instead.`,
    params: z.object({ externalReference }),
    response: of.order as z.ZodType,
    errors: [of.notFound],
    examples: {
      params: { externalReference: of.example.externalReference },
      response: of.example,
    },
    async handle({ params, call, clients }) {
      return of.present((await of.getByReference(clients, params, call)).order);
    },
  });
