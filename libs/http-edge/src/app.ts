import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import type { IncomingMessage, RequestListener } from 'node:http';
import { AppError } from '@reseller/errors';
import { Dispatcher, type Edge, type EdgeRoute } from './dispatcher';
import type { EdgeConfig } from './edge-config';
import { Exchange, type ReceivedRequest } from './exchange';
import type { Observer } from './observe';
import type { Page, PostPage } from './pages';
import { runInRequestSpan } from './request-span';
import { splitTarget } from './request-target';
import type { Headers } from './security-headers';
import { cameProtected, isProbe, plaintextRefused } from './tls-only';

/** A directory that is served as it stands. */
export interface StaticFiles {
  /** The path they are under, with a slash at either end. */
  under: `/${string}/`;
  directory: string;
  headers: Headers;
  /** The names that are served; absent, all of the directory with its index.html. */
  only?: readonly string[];
}

/** A page that reads the rest of its address itself, as an application in the browser does. */
export interface ApplicationPage {
  /** The path that it is under, with a slash at either end. */
  under: `/${string}/`;
  page: Page;
}

export interface EdgeOptions<R extends EdgeRoute> {
  edge: Edge<R>;
  /** By their exact path. */
  pages: ReadonlyMap<string, Page | PostPage>;
  files?: StaticFiles | undefined;
  /** What every path below one of these shows that no page of `pages` is at. */
  applications?: readonly ApplicationPage[];
  observer: Observer;
  connections: EdgeConfig;
  /** The proxies whose X-Forwarded-For is believed; none when absent. */
  trustedProxies?: string[] | undefined;
  /** Refuses whoever comes neither by TLS nor from this machine; probes are served. */
  tlsOnly?: boolean;
}

/** The exchanges of the requests that pass through Express' own handlers. */
const exchanges = new WeakMap<object, Exchange>();

function exchangeOf(response: object): Exchange {
  const exchange = exchanges.get(response);
  if (!exchange) throw new Error('the request passed by the first handler');
  return exchange;
}

/** An edge's requests, and what it makes of addresses. */
export interface EdgeApp {
  readonly listener: RequestListener;
  /** Whether an address is one of the proxies whose X-Forwarded-For is believed. */
  trustsProxy(address: string): boolean;
}

/**
 * An edge's pages, routes and files, each request in one Exchange. Only files pass through Express: its router and its own
 * requests and responses would cost every other request as much again as its route's checks.
 */
export function createEdgeApp<R extends EdgeRoute>(options: EdgeOptions<R>): EdgeApp {
  const { pages, files, applications = [], observer } = options;
  const unreadTimeoutMs = options.connections.UNREAD_RESPONSE_TIMEOUT_MS;
  const dispatcher = new Dispatcher(options.edge);
  const app = createFilesApp(options, dispatcher);
  const addressOf = options.trustedProxies ? forwardedAddress(app) : socketAddress;
  const trustsProxy = (address: string): boolean =>
    (app.get('trust proxy fn') as (address: string, hop: number) => boolean)(address, 0);
  return {
    trustsProxy,
    listener: (incoming, response) => {
      const request = incoming as ReceivedRequest;
      const exchange = new Exchange(request, response, observer, unreadTimeoutMs, addressOf);
      const target = splitTarget(request.url);
      // Refused and not sent on to https: what the caller brought has been in plain text already, and would be again next time.
      if (options.tlsOnly && !isProbe(target.path) && !cameProtected(request, trustsProxy))
        return exchange.fail(plaintextRefused());
      const page = pages.get(target.path);
      const application = page ?? applications.find(({ under }) => target.path.startsWith(under));
      if (page) void respondWithPage(dispatcher, exchange, target.path, page);
      else if (application && 'under' in application)
        void respondWithPage(dispatcher, exchange, application.under, application.page);
      else if (files && target.path.startsWith(files.under)) {
        exchanges.set(response, exchange);
        request.socket.setTimeout(unreadTimeoutMs);
        app(request as Request, response as Response);
      } else {
        const match = dispatcher.find(exchange, target.path);
        if (dispatcher.turnsAway(exchange, match)) return;
        runInRequestSpan(request, exchange.requestId, (span) => {
          exchange.span = span;
          void dispatcher.respond(exchange, match, target.search);
        });
      }
    },
  };
}

/** The one place that Express serves by itself. */
function createFilesApp<R extends EdgeRoute>(
  { files, trustedProxies }: EdgeOptions<R>,
  dispatcher: Dispatcher<R>,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  if (trustedProxies) app.set('trust proxy', trustedProxies);
  if (files) app.use(files.under.slice(0, -1), serveFiles(files));
  app.use((request: Request, response: Response) => {
    const { path, search } = splitTarget(request.url);
    const exchange = exchangeOf(response);
    return dispatcher.respond(exchange, dispatcher.find(exchange, path), search);
  });
  app.use(errorBoundary);
  return app;
}

const socketAddress = ({ socket }: IncomingMessage): string | undefined => socket.remoteAddress;

/** The address that the trusted proxies forward, as Express reads it of a request of its own. */
const forwardedAddress =
  (app: Express) =>
  ({ headers, socket }: IncomingMessage): string | undefined =>
    Reflect.get(app.request, 'ip', { app, headers, socket }) as string | undefined;

async function respondWithPage<R extends EdgeRoute>(
  dispatcher: Dispatcher<R>,
  exchange: Exchange,
  path: string,
  page: Page | PostPage,
): Promise<void> {
  const { method } = exchange.request;
  try {
    const [respond, allow] = 'post' in page ? [page.post, ['POST']] : [page, ['GET', 'HEAD']];
    if (!allow.includes(method)) {
      return await dispatcher.respondUnmatched(exchange, { kind: 'method', allow: allow.join(', ') });
    }
    exchange.route = path;
    await respond(exchange);
  } catch (error) {
    exchange.fail(error);
  }
}

function serveFiles({ directory, headers, only }: StaticFiles): express.RequestHandler {
  const serve = express.static(directory, {
    index: only ? false : 'index.html',
    redirect: false,
    setHeaders: (response: Response) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      response.setHeader('X-Request-Id', exchangeOf(response).requestId);
    },
  });
  if (!only) return serve;
  const served = new Set(only.map((file) => `/${file}`));
  return (request, response, next) => (served.has(request.path) ? serve(request, response, next) : next());
}

/** The last resort: what Express itself refuses, such as a path it cannot decode, is no route of ours. */
const errorBoundary: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const status = (error as { status?: unknown } | null)?.status;
  const isRequestFault = typeof status === 'number' && status >= 400 && status < 500;
  exchangeOf(response).fail(isRequestFault ? new AppError('NOT_FOUND_ROUTE', {}, { cause: error }) : error);
};
