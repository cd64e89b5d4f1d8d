import type { Registry } from 'prom-client';
import type { Health } from '@reseller/service-kit';
import { AppError } from '@reseller/errors';
import type { Exchange } from '../pipeline/exchange';
import { API_SECURITY_HEADERS } from '../pipeline/security-headers';

/** A page outside the public API: no token, no limit (decisions §1.9). */
export type Page = (exchange: Exchange) => Promise<void> | void;

/** /healthz: the process runs. */
export const healthPage: Page = (exchange) => exchange.succeed(200, 'SUCCESS', { status: 'ok' });

/** /readyz: requests would be served; otherwise SERVICE_UNAVAILABLE, whose details name what is missing. */
export function readyPage(health: Health): Page {
  return async (exchange) => {
    const { ready, checks } = await health.check();
    if (ready) exchange.succeed(200, 'SUCCESS', { status: 'ready', checks });
    else exchange.fail(new AppError('SERVICE_UNAVAILABLE', { checks }));
  };
}

/** /metrics: Prometheus text. */
export function metricsPage(metrics: Registry): Page {
  return async (exchange) =>
    exchange.send(200, await metrics.metrics(), metrics.contentType, API_SECURITY_HEADERS);
}

/** A document that never changes while the process runs. */
export function fixedPage(
  body: string,
  contentType: string,
  headers: Readonly<Record<string, string>>,
): Page {
  return (exchange) => exchange.send(200, body, contentType, headers);
}
