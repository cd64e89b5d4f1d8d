import type { ErrorDetails } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { FileDeclaration, ReceivedFile } from './arriving-file';
import type { HeldPayload } from './held-payload';
import type { StreamedPayload } from './streamed-payload';

/** What a route's handle is given: the validated request, the call to pass on, and the clients to pass it to. */
export interface RouteInput<Clients, P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodObject> {
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: z.output<B>;
  /** The whole file, where the route takes one. */
  readonly file?: ReceivedFile | undefined;
  readonly call: CallContext;
  readonly clients: Clients;
  readonly log: Logger;
  /** The caller's address, where the edge hands it on. */
  readonly callerAddress?: string | undefined;
  /** Takes the place at the edge again that a held request has let go, with a deadline of its own; may be refused. */
  readonly comeBack?: (() => Promise<void>) | undefined;
}

/** Whom and what a change is about, for the audit entry that is left before it is made. */
export interface AuditedChange {
  /** Noun and verb, such as wallet.credit. */
  readonly action: string;
  readonly partnerId?: string | undefined;
  readonly subject?: string | undefined;
  readonly details: ErrorDetails;
}

/** Whether a call leaves anything behind. */
export type Effect = 'read' | 'change';

/** One endpoint as data, in the form that every edge shares. */
interface RouteDeclaration<
  Clients,
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodObject,
  R extends z.ZodType,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in braces: /api/v1/orders/topup/{orderId}. */
  readonly path: string;
  readonly summary: string;
  readonly params?: P;
  readonly query?: Q;
  /** A strict object: unknown fields are faults (spec §1.7). */
  readonly body?: B;
  /** Takes a file in place of a JSON body. */
  readonly file?: FileDeclaration;
  /** Fields of the body that the service behind it judges, whatever text they hold. */
  readonly anyText?: readonly (keyof z.input<B> & string)[];
  readonly response?: R;
  /** Responds with a file of this content type in place of JSON. */
  readonly produces?: string;
  /** 200 SUCCESS when absent (spec §1.1). */
  readonly success?: { readonly state: 'SUCCESS' | 'CREATED'; readonly status: 200 | 201 };
  /** By the method when absent: reads 2 s, everything else 12 s. */
  readonly deadlineMs?: number;
  /** A request that tests send, and the response that goes with it where one is declared. */
  readonly examples?: {
    readonly params?: z.input<P>;
    readonly query?: z.input<Q>;
    readonly body?: z.input<B>;
    readonly response?: z.input<R>;
  };
  /** What a call does, where its method does not say it: a GET reads, everything else changes. Changes are audited. */
  effect?(input: Pick<RouteInput<Clients, P, Q, B>, 'params' | 'query' | 'body'>): Effect;
  /** Looks up whom a change is about; what it throws is the response, and neither entry nor change is made. */
  audit?(input: RouteInput<Clients, P, Q, B>): Promise<AuditedChange> | AuditedChange;
  /** Returns the payload, or one that is made while it is written, or one to come, for which the request's place is let go. */
  handle(input: RouteInput<Clients, P, Q, B>): Promise<z.input<R> | StreamedPayload | HeldPayload>;
}

/** A route with its types forgotten, as a table holds it; `Extra` is what else an edge declares of each. */
export type Route<Clients, Extra = unknown> = Extra &
  RouteDeclaration<Clients, z.ZodObject, z.ZodObject, z.ZodObject, z.ZodType>;

/** Makes an edge's `defineRoute`, which declares an endpoint; it exists once it has a line in the edge's table. */
export const routeDefiner =
  <Clients, Extra = unknown>() =>
  <
    R extends z.ZodType = z.ZodType,
    P extends z.ZodObject = z.ZodObject,
    Q extends z.ZodObject = z.ZodObject,
    B extends z.ZodObject = z.ZodObject,
  >(
    declaration: Extra & RouteDeclaration<Clients, P, Q, B, R>,
  ): Route<Clients, Extra> =>
    declaration as Route<Clients, Extra>;
