import express, { type Express } from 'express';
import type { IncomingMessage, RequestListener } from 'node:http';
import { Dispatcher, type Edge, type EdgeRoute } from './dispatcher';
import type { EdgeConfig } from './edge-config';
import { Exchange, type ReceivedRequest } from './exchange';
import type { Observer } from './observe';
import type { Page, PostPage } from './pages';
import { runInRequestSpan } from './request-span';
import { splitTarget } from './request-target';
import { cameProtected, isProbe, plaintextRefused } from './tls-only';

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
  /** What every path below one of these shows that no page of `pages` is at. */
  applications?: readonly ApplicationPage[];
  observer: Observer;
  connections: EdgeConfig;
  /** The proxies whose X-Forwarded-For is believed; none when absent. */
  trustedProxies?: string[] | undefined;
  /** Refuses whoever comes neither by TLS nor from this machine; probes are served. */
  tlsOnly?: boolean;
}

/** An edge's requests, and what it makes of addresses. */
interface EdgeApp {
  readonly listener: RequestListener;
  /** Whether an address is one of the proxies whose X-Forwarded-For is believed. */
  trustsProxy(address: string): boolean;
}

/**
 * An edge's pages and routes, each request in one Exchange. None passes through Express, whose router and own requests and
 * responses would cost as much again as a route's checks; it only says which proxies to believe.
 */
export function createEdgeApp<R extends EdgeRoute>(options: EdgeOptions<R>): EdgeApp {
  const { pages, applications = [], observer } = options;
  const unreadTimeoutMs = options.connections.UNREAD_RESPONSE_TIMEOUT_MS;
  const dispatcher = new Dispatcher(options.edge);
  const app = express();
  if (options.trustedProxies) app.set('trust proxy', options.trustedProxies);
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
      else {
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

const socketAddress = ({ socket }: IncomingMessage): string | undefined => socket.remoteAddress;

/** The address that the trusted proxies forward, as Express reads it of a request of its own. */
const forwardedAddress =
  (app: Express) =>
  ({ headers, socket }: IncomingMessage): string | undefined =>
    Reflect.get(app.request, 'ip', { app, headers, socket }) as string | undefined;

/** Such files are many, and each build names them anew. */
const A_PART_OF_A_BUILD = /\/assets\/.+$/;

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
    exchange.route = path.replace(A_PART_OF_A_BUILD, '/assets/*');
    await respond(exchange);
  } catch (error) {
    exchange.fail(error);
  }
}
