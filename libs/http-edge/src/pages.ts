import { AppError } from '@reseller/errors';
import type { Health } from '@reseller/service-kit';
import { readFileSync } from 'node:fs';
import { acceptedCodings, type Coding } from './accepted-codings';
import type { Exchange } from './exchange';
import { API_SECURITY_HEADERS, headerList, type HeaderList, type Headers } from './security-headers';

/** A page outside the route table: read with GET or HEAD, without a token (spec §1.9). */
export type Page = (exchange: Exchange) => Promise<void> | void;

/** One that is written to with POST. */
export interface PostPage {
  readonly post: Page;
}

/** A document that never changes while the process runs. */
export function fixedPage(body: string | Buffer, contentType: string, headers: Headers): Page {
  // One buffer for all who read it, however slowly.
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const list = listOf(contentType, headers);
  return (exchange) => exchange.send(200, bytes, list);
}

/** The edge's OpenAPI document, as the build has made it of its routes. */
export const openApiPage = (file: string): Page =>
  fixedPage(readFileSync(file), 'application/json; charset=utf-8', API_SECURITY_HEADERS);

/** The same bytes in another coding of HTTP, made before the process ran. */
export interface Coded {
  readonly coding: Coding;
  readonly bytes: Buffer;
}

/** A file that never changes while the process runs, in the first of these codings that the reader takes, else as it is. */
export function filePage(
  bytes: Buffer,
  codings: readonly Coded[],
  contentType: string,
  headers: Headers,
): Page {
  const plain = listOf(contentType, { ...headers, Vary: 'Accept-Encoding' });
  const coded = codings.map((one) => ({ ...one, list: [...plain, 'Content-Encoding', one.coding] }));
  return (exchange) => {
    const accepted = acceptedCodings(exchange.request.headers['accept-encoding']);
    const chosen = coded.find(({ coding }) => accepted.has(coding));
    exchange.send(200, chosen?.bytes ?? bytes, chosen?.list ?? plain);
  };
}

/** Sends the reader on to another path of the same server. */
export function redirectPage(location: string): Page {
  const list = listOf('text/plain; charset=utf-8', { ...API_SECURITY_HEADERS, Location: location });
  return (exchange) => exchange.send(302, '', list);
}

const listOf = (contentType: string, headers: Headers): HeaderList =>
  headerList({ ...headers, 'Content-Type': contentType });

/**
 * /healthz: the process runs; /readyz: requests would be served, otherwise SERVICE_UNAVAILABLE, whose details name what
 * is missing; /metrics: Prometheus text.
 */
export function statusPages(health: Health): [path: string, page: Page][] {
  return [
    ['/healthz', (exchange) => exchange.succeed(200, 'SUCCESS', { status: 'ok' })],
    ['/readyz', (exchange) => sendReadiness(exchange, health)],
    ['/metrics', (exchange) => sendMetrics(exchange, health)],
  ];
}

async function sendReadiness(exchange: Exchange, health: Health): Promise<void> {
  const { ready, checks } = await health.check();
  if (ready) exchange.succeed(200, 'SUCCESS', { status: 'ready', checks });
  else exchange.fail(new AppError('SERVICE_UNAVAILABLE', { checks }));
}

async function sendMetrics(exchange: Exchange, { metrics }: Health): Promise<void> {
  exchange.send(200, await metrics.metrics(), listOf(metrics.contentType, API_SECURITY_HEADERS));
}
