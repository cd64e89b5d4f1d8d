import type { TargetCheck } from '../src/address/check-target';
import type { CheckTarget, WebhookRequest } from '../src/delivery/webhook-sender';

/** What the webhooks of `request` are signed with. */
export const secret = 'whsec_test';

/** Stands for the address check: the url's own address, whatever it is. */
export const allow: CheckTarget = (text) => {
  const url = new URL(text);
  return Promise.resolve(allowed(url, [url.hostname]));
};

/** A url that may be reached, at these addresses. */
export function allowed(url: URL, addresses: string[]): TargetCheck {
  const { origin, hostname: host, port } = url;
  return {
    outcome: 'allowed',
    origin,
    path: `${url.pathname}${url.search}`,
    host,
    port: Number(port),
    addresses,
  };
}

/** A webhook to a receiver. */
export function request(url: string, more: Partial<WebhookRequest> = {}): WebhookRequest {
  return {
    url,
    secret,
    eventId: 'e-1',
    eventType: 'order.completed',
    body: Buffer.from('{"a":"ü"}'),
    attemptNumber: 1,
    isTest: false,
    ...more,
  };
}
