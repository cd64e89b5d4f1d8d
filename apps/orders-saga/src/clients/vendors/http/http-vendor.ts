import type { Logger } from '@reseller/service-kit';
import {
  VendorNotAcceptedError,
  VendorUnreachableError,
  type DeliveryShapes,
  type Vendor,
  type VendorResponse,
  type VendorKnowledge,
  type VendorOrder,
} from '../domain/vendor';
import { CallFailure } from './call-failure';
import { HttpCaller, type CallTimes, type HttpCall } from './http-caller';
import { readResponse } from './read-response';
import { VendorBreaker, type BreakerSettings } from './vendor-breaker';
import type { VendorMetrics } from './vendor-metrics';

/** How a live vendor is reached. */
interface HttpVendorSettings {
  readonly name: string;
  /** Base URL of its API. */
  readonly url: string;
  readonly apiKey: string;
  readonly times: CallTimes;
  readonly breaker: BreakerSettings;
  /** What its responses may hold of a delivery. */
  readonly deliveryShapes: DeliveryShapes;
}

/**
 * A vendor that speaks the platform's HTTP contract. Whatever is no clear response is VendorUnreachableError; a
 * submission that the vendor certainly did not accept, by its own word or because it never left, VendorNotAcceptedError.
 */
export function createHttpVendor(
  settings: HttpVendorSettings,
  observed: { metrics: VendorMetrics; log: Logger },
): Vendor & { close(): Promise<void> } {
  const { name, url, apiKey, deliveryShapes } = settings;
  const caller = new HttpCaller(name, settings.times);
  const breaker = new VendorBreaker(name, settings.breaker, observed);
  const base = `${url.replace(/\/+$/, '')}/v1/orders`;
  const common = { accept: 'application/json', authorization: `Bearer ${apiKey}` };

  const send = async (call: 'submit' | 'inquire', http: HttpCall): Promise<VendorKnowledge> => {
    const end = observed.metrics.calls.startTimer({ vendor: name, call });
    try {
      const known = await breaker.run(async () =>
        readResponse(name, await caller.call(http), deliveryShapes),
      );
      end({ outcome: known.kind });
      return known;
    } catch (error) {
      end({ outcome: notAccepted(error) ? 'not-accepted' : 'no-response' });
      throw error;
    }
  };
  const inquire = (key: string, signal: AbortSignal): Promise<VendorKnowledge> =>
    send('inquire', { url: `${base}/${encodeURIComponent(key)}`, method: 'GET', headers: common, signal });

  return {
    name,
    close: () => caller.close(),
    async submit(order, { idempotencyKey, signal, isHeld }) {
      // A vendor that was unwell is tried with an inquiry, never with an order whose outcome nobody may learn.
      const known = breaker.isClosed ? undefined : await unsubmitted(inquire(idempotencyKey, signal));
      if (isResponse(known)) return known;
      const headers = {
        ...common,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      };
      const http = { url: base, method: 'POST' as const, headers, body: requestBody(order), signal, isHeld };
      const response = await submitted(send('submit', http));
      if (isResponse(response)) return response;
      throw new VendorUnreachableError(`vendor ${name} returned a submission as if it was an inquiry`);
    },
    inquire: (idempotencyKey, { signal }) => inquire(idempotencyKey, signal).catch(asUnreachable),
  };
}

// Vendors refuse fields that the contract does not name; the key in the header is the order's id.
function requestBody({ product, item, amount, currency }: VendorOrder): string {
  return JSON.stringify({ product, ...item, amount, currency });
}

function isResponse(known: VendorKnowledge | undefined): known is VendorResponse {
  return known !== undefined && known.kind !== 'not-found';
}

function notAccepted(error: unknown): boolean {
  return error instanceof CallFailure && error.facts.notAccepted;
}

/** What happened to a submission that was tried. */
function submitted<T>(call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    if (!notAccepted(error)) return asUnreachable(error);
    throw new VendorNotAcceptedError((error as Error).message, { cause: error });
  });
}

/** An inquiry ahead of a submission: whatever becomes of it, nothing was submitted. */
function unsubmitted<T>(call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    if (!(error instanceof CallFailure)) throw error;
    throw new VendorNotAcceptedError(error.message, { cause: error });
  });
}

function asUnreachable(error: unknown): never {
  if (!(error instanceof CallFailure)) throw error;
  throw new VendorUnreachableError(error.message, { cause: error });
}
