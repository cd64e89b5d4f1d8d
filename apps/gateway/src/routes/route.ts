import type { ErrorCode } from '@reseller/errors';
import { routeDefiner, type Route as EdgeRoute } from '@reseller/http-edge';
import type { z } from 'zod';
import type { Shows } from '../certification/sight';
import type { Clients } from '../clients';
import type { CHAPTERS } from '../openapi/chapters';

/**
 * How an order is created: sent once. Where its connection breaks, the saga goes on by itself; sent again it would meet its
 * own first attempt, and a partner who sent one request would get CONFLICT_ORDER_IN_PROGRESS.
 */
export const SENT_ONCE = { retries: 'never' } as const;

/** The chapters of the reference; each product's orders have their own. */
export type Tag = keyof typeof CHAPTERS | `${string} orders`;

/**
 * What a partner's endpoint declares beside its shape. The bearer token and the default rate limit are implied, and so are the
 * errors that follow from them and from having params, a query or a body; `errors` lists only those of the service behind it.
 */
interface PartnerEndpoint {
  readonly path: `/api/v1/${string}`;
  readonly tag: Tag;
  readonly description: string;
  /** Only the token endpoint is anonymous; it has the token limit, by address. */
  readonly access?: 'bearer' | 'anonymous';
  /** For rehearsing: a live token is refused before the shape is looked at (spec §15.1). */
  readonly sandboxOnly?: true;
  /** Takes an Idempotency-Key: the service behind it gives a repetition its first response (spec §1.11). */
  readonly idempotencyKey?: true;
  /** What of a certification its outcome shows, in the sandbox (spec §17.6). */
  readonly shows?: Shows;
  /** At which door it is let in; reads and changes by their method when absent. */
  readonly work?: 'orders';
  readonly response: z.ZodType;
  /** What can be called with a field of the response: the operation, and which field each parameter of its path is, as a JSON pointer. */
  readonly links?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly errors: readonly ErrorCode[];
  /** In the reference; a test holds each to its schema. */
  readonly examples: { readonly response: unknown; readonly file?: string };
}

/** A route as the table holds it. */
export type Route = EdgeRoute<Clients, PartnerEndpoint>;

/** Declares an endpoint; it exists once it has a line in the table of routes/index.ts. */
export const defineRoute = routeDefiner<Clients, PartnerEndpoint>();

/** A route under the name by which generated clients call it. */
export type NamedRoute = Route & { readonly operationId: string };

/** The table of routes, of their declarations by name. */
export const nameRoutes = (named: Readonly<Record<string, Route>>): readonly NamedRoute[] =>
  Object.entries(named).map(([operationId, route]) => ({ ...route, operationId }));
