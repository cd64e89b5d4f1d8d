import type { z } from 'zod';

/** How long a caller waits for an answer that changes nothing (decisions §1.10). */
export const READ_DEADLINE_MS = 2_000;
/** How long a caller waits for a create or a change (decisions §1.10). */
export const CHANGE_DEADLINE_MS = 12_000;

/** The methods a route can have. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a route's handle is given: the validated request, who asks, and until when an answer is waited for. */
export interface RouteInput<C, P, Q, B> {
  params: P;
  query: Q;
  body: B;
  caller: C;
  requestId: string;
  /** Milliseconds since the epoch. */
  deadlineAt: number;
}

/** One endpoint as data; its path has parameters in braces, and what it answers becomes the envelope's payload. */
export interface EdgeRoute<C, P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodObject> {
  method: HttpMethod;
  path: `/${string}`;
  params?: P;
  query?: Q;
  /** A strict object: unknown fields are faults (decisions §1.7). Without one a body must be absent or empty. */
  body?: B;
  deadlineMs?: number;
  handle(input: RouteInput<C, z.output<P>, z.output<Q>, z.output<B>>): Promise<unknown>;
}

/** A route with the types of its request forgotten, as a table holds it. */
export type AnyRoute<C> = EdgeRoute<C, z.ZodObject, z.ZodObject, z.ZodObject>;

/** For a kind of caller, the function that declares a route; the types of the request follow from its schemas. */
export function defineRoute<C>() {
  return <
    P extends z.ZodObject = z.ZodObject,
    Q extends z.ZodObject = z.ZodObject,
    B extends z.ZodObject = z.ZodObject,
  >(
    route: EdgeRoute<C, P, Q, B>,
  ): AnyRoute<C> => route as unknown as AnyRoute<C>;
}

/** The milliseconds a request on this route may take. */
export function deadlineOf(route: Pick<AnyRoute<never>, 'method' | 'deadlineMs'>): number {
  return route.deadlineMs ?? (route.method === 'GET' ? READ_DEADLINE_MS : CHANGE_DEADLINE_MS);
}
