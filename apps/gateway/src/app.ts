import express, {
  type ErrorRequestHandler,
  type Express,
  type NextFunction,
  type Request,
  type Response,
} from 'express';
import { AppError } from '@reseller/errors';
import type { Health } from '@reseller/service-kit';
import { openApiDocument } from './openapi';
import { Api, type ApiOptions } from './pipeline/api';
import { Exchange } from './pipeline/exchange';
import type { Observer } from './pipeline/observe';
import { splitTarget } from './pipeline/request-target';
import { API_SECURITY_HEADERS, DOCS_SECURITY_HEADERS } from './pipeline/security-headers';
import { docsPages, OPENAPI_PATH, RENDERER_FILES, rendererDirectory } from './site/docs-pages';
import { fixedPage, healthPage, metricsPage, readyPage, type Page } from './site/status-pages';

export interface AppOptions extends ApiOptions {
  observer: Observer;
  health: Health;
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

/** The gateway as an Express application: pages, renderer files and the API, each request in one Exchange. */
export function createApp(options: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  if (options.trustedProxies) app.set('trust proxy', options.trustedProxies);
  const api = new Api(options);
  const pages = createPages(options);
  app.use((request: Request, response: Response, next: NextFunction): void => {
    const exchange = new Exchange(request, response, options.observer);
    const { path } = splitTarget(request.url);
    const page = pages.get(path);
    if (page) void answerPage(api, exchange, path, page);
    else if (!path.startsWith('/docs/')) void api.answer(exchange);
    else {
      // The one place that Express serves by itself: the files of the renderer's package.
      exchanges.set(response, exchange);
      next();
    }
  });
  app.use('/docs', rendererFiles());
  app.use((_request: Request, response: Response) => api.answer(exchangeOf(response)));
  app.use(errorBoundary);
  return app;
}

function createPages(options: AppOptions): Map<string, Page> {
  const document = JSON.stringify(openApiDocument(options.routes));
  return new Map<string, Page>([
    ['/healthz', healthPage],
    ['/readyz', readyPage(options.health)],
    ['/metrics', metricsPage(options.health.metrics)],
    [OPENAPI_PATH, fixedPage(document, 'application/json; charset=utf-8', API_SECURITY_HEADERS)],
    ...Object.entries(docsPages),
  ]);
}

async function answerPage(api: Api, exchange: Exchange, path: string, page: Page): Promise<void> {
  const { method } = exchange.request;
  try {
    if (method !== 'GET' && method !== 'HEAD') {
      return await api.answerUnmatched(exchange, { kind: 'method', allow: 'GET, HEAD' });
    }
    exchange.route = path;
    await page(exchange);
  } catch (error) {
    exchange.fail(error);
  }
}

function rendererFiles(): express.RequestHandler {
  const serve = express.static(rendererDirectory(), {
    index: false,
    redirect: false,
    setHeaders: (response: Response) => {
      for (const [name, value] of Object.entries(DOCS_SECURITY_HEADERS)) response.setHeader(name, value);
      response.setHeader('X-Request-Id', exchangeOf(response).requestId);
    },
  });
  const files = new Set<string>(RENDERER_FILES.map((file) => `/${file}`));
  return (request, response, next) => (files.has(request.path) ? serve(request, response, next) : next());
}

/** The last resort: what Express itself refuses, such as a path it cannot decode, is no route of ours. */
const errorBoundary: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const status = (error as { status?: unknown } | null)?.status;
  const isRequestFault = typeof status === 'number' && status >= 400 && status < 500;
  exchangeOf(response).fail(isRequestFault ? new AppError('NOT_FOUND_ROUTE', {}, { cause: error }) : error);
};
