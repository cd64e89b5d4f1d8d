import { createHash, timingSafeEqual } from 'node:crypto';
import type { Health, Logger } from '@reseller/service-kit';
import type { VendorSimulation } from '@reseller/vendor-simulation';
import express from 'express';
import type { Express, RequestHandler } from 'express';
import { sendError, VendorHttpError } from './http-errors';
import { getOrder, listJournal, submitOrder } from './order.routes';

const BODY_LIMIT = '16kb';

/** The vendor's HTTP face, as docs/vendors/http-contract.md has it; /healthz, /readyz and /metrics need no key. */
export function createVendorApp(input: {
  simulation: VendorSimulation;
  /** Notified of each order whose response was pending. */
  onPending: (idempotencyKey: string) => void;
  apiKey: string;
  log: Logger;
  health: Health;
}): Express {
  const app = express().disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app.use((request, response, next) => {
    if (!input.health.handle(request, response)) next();
  });
  app.use(authenticate(input.apiKey));
  app
    .route('/v1/orders')
    .post(requireJson, express.json({ limit: BODY_LIMIT }), submitOrder(input))
    .all(onlyAllow('POST'));
  app.route('/v1/orders/:idempotencyKey').get(getOrder(input)).all(onlyAllow('GET'));
  app.route('/v1/journal').get(listJournal(input.simulation)).all(onlyAllow('GET'));
  app.use(() => {
    throw new VendorHttpError(404, 'ROUTE_NOT_FOUND', 'There is nothing at this path.');
  });
  app.use(sendError(input.log));
  return app;
}

function authenticate(apiKey: string): RequestHandler {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = digest(`Bearer ${apiKey}`);
  return (request, response, next) => {
    if (timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) return next();
    response.setHeader('www-authenticate', 'Bearer');
    throw new VendorHttpError(401, 'UNAUTHORIZED', 'The API key is missing or wrong.');
  };
}

const requireJson: RequestHandler = (request, _response, next) => {
  const hasBody = request.headers['content-length'] !== '0' && request.is('*/*') !== null;
  if (hasBody && !request.is('application/json')) {
    throw new VendorHttpError(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.');
  }
  next();
};

function onlyAllow(method: string): RequestHandler {
  return (_request, response) => {
    response.setHeader('allow', method);
    throw new VendorHttpError(405, 'METHOD_NOT_ALLOWED', `Only ${method} is served here.`);
  };
}
