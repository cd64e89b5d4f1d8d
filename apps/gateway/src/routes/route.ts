import type { z } from 'zod';
import type { ErrorCode } from '@reseller/errors';
import type { StreamedPayload } from '@reseller/http-edge';
import type { CallContext } from '@reseller/rpc';
import type { Clients } from '../clients';

export { READ_DEADLINE_MS } from '@reseller/http-edge';

/**
 * How an order is created: sent once. Where its connection breaks, the saga goes on by itself; sent again it would meet its
 * own first attempt and answer CONFLICT_ORDER_IN_PROGRESS to a partner who asked once.
 */
export const ASKED_ONCE = { retries: 'never' } as const;

/** The chapters of the reference. */
export type Tag =
  | 'Authentication'
  | 'Orders'
  | 'Top-up orders'
  | 'eSIM orders'
  | 'Discount codes'
  | 'Reference data'
  | 'Scent catalog'
  | 'Scent cart'
  | 'Scent orders'
  | 'Returns'
  | 'Wallet'
  | 'Statements'
  | 'Webhooks';

/** What a route's handle is given: the validated request, the call to pass on, and the neighbours to pass it to. */
export interface RouteInput<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodObject> {
  params: z.output<P>;
  query: z.output<Q>;
  body: z.output<B>;
  call: CallContext;
  clients: Clients;
}

/**
 * One endpoint as data. The bearer token and the default rate limit are implied, and so are the errors that follow
 * from them and from having params, a query or a body; `errors` lists only what the service behind it answers.
 */
export interface RouteDeclaration<
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodObject,
  R extends z.ZodType,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in braces: /api/v1/orders/topup/{orderId}. */
  path: `/api/v1/${string}`;
  tag: Tag;
  summary: string;
  description: string;
  /** Only the token endpoint is anonymous; it has the token limit, by address. */
  access?: 'bearer' | 'anonymous';
  params?: P;
  query?: Q;
  /** A strict object: unknown fields are faults (spec §1.7). */
  body?: B;
  /** Fields of the body that the service behind it judges, whatever text they hold. */
  anyText?: readonly (keyof z.input<B> & string)[];
  response: R;
  errors: readonly ErrorCode[];
  /** Everything but creating a webhook subscription is 200 SUCCESS (spec §1.1). */
  success?: { state: 'SUCCESS' | 'CREATED'; status: 200 | 201 };
  /** By the method when absent: reads 2 s, everything else 12 s. */
  deadlineMs?: number;
  /** Shown in the reference; a test holds each to its schema. */
  examples: { params?: z.input<P>; query?: z.input<Q>; body?: z.input<B>; response: z.input<R> };
  /** Answers the payload, or one that is made while it is written. */
  handle(input: RouteInput<P, Q, B>): Promise<z.input<R> | StreamedPayload>;
}

/** A route with its types forgotten, as the table holds it. */
export type Route = RouteDeclaration<z.ZodObject, z.ZodObject, z.ZodObject, z.ZodType>;

/** Declares an endpoint; it exists once it has a line in the table of routes/index.ts. */
export function defineRoute<
  R extends z.ZodType,
  P extends z.ZodObject = z.ZodObject,
  Q extends z.ZodObject = z.ZodObject,
  B extends z.ZodObject = z.ZodObject,
>(declaration: RouteDeclaration<P, Q, B, R>): Route {
  return declaration as unknown as Route;
}
