import express, {
  type ErrorRequestHandler,
  type Express,
  type NextFunction,
  type Request,
  type Response,
} from 'express';
import { AppError } from '@reseller/errors';
import { Dispatcher, type Edge, type EdgeRoute } from './dispatcher';
import type { EdgeConfig } from './edge-config';
import { Exchange } from './exchange';
import type { Observer } from './observe';
import type { Page } from './pages';
import { runInRequestSpan } from './request-span';
import { splitTarget } from './request-target';
import type { Headers } from './security-headers';

/** A directory that is served as it stands. */
export interface StaticFiles {
  /** The path they are under, with a slash at either end. */
  under: `/${string}/`;
  directory: string;
  headers: Headers;
  /** The names that are served; absent, all of the directory with its index.html. */
  only?: readonly string[];
}

export interface EdgeOptions<R extends EdgeRoute> {
  edge: Edge<R>;
  /** By their exact path. */
  pages: ReadonlyMap<string, Page>;
  files: StaticFiles;
  observer: Observer;
  connections: EdgeConfig;
  /** The proxies whose X-Forwarded-For is believed; none when absent. */
  trustedProxies?: string[] | undefined;
}

/** The exchanges of the requests that pass through Express' own handlers. */
const exchanges = new WeakMap<object, Exchange>();

function exchangeOf(response: object): Exchange {
  const exchange = exchanges.get(response);
  if (!exchange) throw new Error('the request passed by the first handler');
  return exchange;
}

/** An edge as an Express application: its pages, files and routes, each request in one Exchange. */
export function createEdgeApp<R extends EdgeRoute>(options: EdgeOptions<R>): Express {
  const { pages, files, observer } = options;
  const unreadTimeoutMs = options.connections.UNREAD_RESPONSE_TIMEOUT_MS;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  if (options.trustedProxies) app.set('trust proxy', options.trustedProxies);
  const dispatcher = new Dispatcher(options.edge);
  app.use((request: Request, response: Response, next: NextFunction): void => {
    const exchange = new Exchange(request, response, observer, unreadTimeoutMs);
    const target = splitTarget(request.url);
    const page = pages.get(target.path);
    if (page) void respondWithPage(dispatcher, exchange, target.path, page);
    else if (!target.path.startsWith(files.under)) {
      runInRequestSpan(request, exchange.requestId, (span) => {
        exchange.span = span;
        void dispatcher.respond(exchange, target);
      });
    } else {
      // The one place that Express serves by itself.
      exchanges.set(response, exchange);
      request.socket.setTimeout(unreadTimeoutMs);
      next();
    }
  });
  app.use(files.under.slice(0, -1), serveFiles(files));
  app.use((request: Request, response: Response) =>
    dispatcher.respond(exchangeOf(response), splitTarget(request.url)),
  );
  app.use(errorBoundary);
  return app;
}

/** Whether an address is one of the proxies whose X-Forwarded-For is believed. */
export const trustsProxy = (app: Express, address: string): boolean =>
  (app.get('trust proxy fn') as (address: string, hop: number) => boolean)(address, 0);

async function respondWithPage<R extends EdgeRoute>(
  dispatcher: Dispatcher<R>,
  exchange: Exchange,
  path: string,
  page: Page,
): Promise<void> {
  const { method } = exchange.request;
  try {
    if (method !== 'GET' && method !== 'HEAD') {
      return await dispatcher.respondUnmatched(exchange, { kind: 'method', allow: 'GET, HEAD' });
    }
    exchange.route = path;
    await page(exchange);
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
