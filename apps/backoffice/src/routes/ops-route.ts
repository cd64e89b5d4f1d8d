import type { EdgeRoute } from '@reseller/http-edge';
import type { CallContext } from '@reseller/rpc';
import type { Logger } from '@reseller/service-kit';
import { z } from 'zod';
import type { Clients } from '../clients';
import type { Operator } from '../operators';

/** What routes are made with. */
export interface RouteDeps {
  clients: Clients;
  log: Logger;
}

/** What a route's handle is given: the validated request, who asks, and until when an answer is waited for. */
export interface RouteInput<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  caller: Operator;
  requestId: string;
  /** Milliseconds since the epoch. */
  deadlineAt: number;
  /** Of a read: aborted when the caller has left. */
  signal: AbortSignal | undefined;
}

/** One call of the operators' API as data; what its handle answers becomes the payload of 200 SUCCESS. */
export interface OpsDeclaration<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodObject> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in braces: /ops/v1/partners/{id}. */
  path: `/ops/v1/${string}`;
  params?: P;
  query?: Q;
  /** A strict object: unknown fields are faults (spec §1.7). Without one a body must be absent or empty. */
  body?: B;
  /** By the method when absent: reads 2 s, everything else 12 s. */
  deadlineMs?: number;
  handle(input: RouteInput<z.output<P>, z.output<Q>, z.output<B>>): Promise<unknown>;
}

/** A route of the operators' API with its types forgotten, as the table holds it. */
export type OpsRoute = EdgeRoute & OpsDeclaration<z.ZodObject, z.ZodObject, z.ZodObject>;

const noFields = z.strictObject({});

/** Declares a route of the operators' API; it exists once it has its line in routes/index.ts. */
export function defineOpsRoute<
  P extends z.ZodObject = z.ZodObject,
  Q extends z.ZodObject = z.ZodObject,
  B extends z.ZodObject = z.ZodObject,
>(declaration: OpsDeclaration<P, Q, B>): OpsRoute {
  return { body: noFields, ...declaration } as unknown as OpsRoute;
}

/** The call to pass on to a neighbour: who asks, and until when. */
export function callOf(input: RouteInput<unknown, unknown, unknown>): CallContext {
  const { requestId, caller, deadlineAt, signal } = input;
  return { requestId, operator: caller.name, deadlineAt, ...(signal && { signal }) };
}
