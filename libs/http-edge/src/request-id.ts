import type { RequestHandler, Response } from 'express';
import { v4 as newUuid } from 'uuid';

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;

/** The id of the request that a response belongs to; set before anything else runs. */
export function requestIdOf(response: Response): string {
  return (response.locals as { requestId: string }).requestId;
}

/** Gives every response an X-Request-Id: the caller's own where it is fit, otherwise a new one (decisions §1.3). */
export const assignRequestId: RequestHandler = (request, response, next) => {
  const given = request.get('x-request-id');
  const requestId = given !== undefined && ACCEPTED.test(given) ? given : newUuid();
  response.locals = { ...response.locals, requestId };
  response.set('X-Request-Id', requestId);
  next();
};
