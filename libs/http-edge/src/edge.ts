import { AppError } from '@reseller/errors';
import express, { type Express, type Request, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import { readBody } from './body';
import { takeBrokenEscapesLiterally } from './broken-escapes';
import { sendSuccess } from './envelope';
import { errorBoundary } from './error-boundary';
import { assignRequestId, requestIdOf } from './request-id';
import { deadlineOf, type AnyRoute } from './route';
import { parseRequest } from './validation';

/** What makes an edge: its table, and who its callers are. */
export interface EdgeOptions<C> {
  routes: readonly AnyRoute<C>[];
  /** Answers the caller or throws an AppError; runs before the body is read. */
  authenticate: (request: Request) => C | Promise<C>;
  log: Logger;
  /** Handlers that come before the table, for pages and health. */
  before?: RequestHandler[];
}

const noFields = z.strictObject({});

function serve<C>(route: AnyRoute<C>, options: EdgeOptions<C>): RequestHandler {
  const shape = { ...route, body: route.body ?? noFields };
  return async (request, response) => {
    const deadlineAt = Date.now() + deadlineOf(route);
    const caller = await options.authenticate(request);
    const body = await readBody(request, response);
    const parsed = parseRequest(shape, { params: request.params, query: request.query, body });
    const { params, query } = parsed as { params: Record<string, unknown>; query: Record<string, unknown> };
    const requestId = requestIdOf(response);
    const payload = await route.handle({
      params,
      query,
      body: parsed.body as Record<string, unknown>,
      caller,
      requestId,
      deadlineAt,
    });
    sendSuccess(response, 200, 'SUCCESS', payload);
  };
}

/** An Express application that serves the table and answers everything else in the envelope too (decisions §1). */
export function createEdge<C>(options: EdgeOptions<C>): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.use(assignRequestId, takeBrokenEscapesLiterally);
  if (options.before) app.use(...options.before);
  for (const path of new Set(options.routes.map((route) => route.path))) {
    const routes = options.routes.filter((route) => route.path === path);
    const at = app.route(path.replace(/\{(\w+)\}/g, ':$1'));
    for (const route of routes) {
      at[route.method.toLowerCase() as 'get'](serve(route, options));
    }
    const allow = routes
      .map(({ method }) => method)
      .sort()
      .join(', ');
    at.all((_request, _response, next) => next(new AppError('METHOD_NOT_ALLOWED', { allow })));
  }
  app.use((_request, _response, next) => next(new AppError('NOT_FOUND_ROUTE')));
  app.use(errorBoundary(options.log));
  return app;
}
