import { Agent, request } from 'undici';
import { z } from 'zod';
import { VendorUnreachableError, type Vendor, type VendorKnowledge, type VendorOrder } from './domain/vendor';

/** How a live vendor is reached. */
export interface HttpVendorSettings {
  readonly name: string;
  /** Base URL of its API. */
  readonly url: string;
  readonly apiKey: string;
}

const activationShape = z.object({
  iccid: z.string(),
  activationCode: z.string().startsWith('LPA:1$'),
  matchingId: z.string(),
  planDetails: z.string(),
});

const answerShape = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('success'),
    vendorOrderId: z.string(),
    activation: activationShape.nullish(),
  }),
  z.object({
    status: z.literal('refused'),
    vendorOrderId: z.string().nullish(),
    reason: z.string().nullish(),
  }),
  z.object({ status: z.literal('pending'), vendorOrderId: z.string().nullish() }),
  z.object({
    status: z.literal('unknown'),
    vendorOrderId: z.string().nullish(),
    activation: activationShape.nullish(),
  }),
]);

const LONGEST_REASON = 500;

/** A vendor that speaks the platform's HTTP contract; whatever is no clear answer is VendorUnreachableError. */
export function createHttpVendor(settings: HttpVendorSettings): Vendor & { close(): Promise<void> } {
  const dispatcher = new Agent({ connect: { timeout: 3_000 }, keepAliveTimeout: 30_000, connections: 64 });
  const base = `${settings.url.replace(/\/+$/, '')}/v1/orders`;

  const ask = async (options: AskOptions): Promise<VendorKnowledge> => {
    const { url, method, headers, body, signal } = options;
    const authorization = `Bearer ${settings.apiKey}`;
    try {
      const response = await request(url, {
        dispatcher,
        method,
        headers: { accept: 'application/json', authorization, ...headers },
        ...(body === undefined ? {} : { body }),
        signal,
      });
      const text = await response.body.text();
      return read(settings.name, method, response.statusCode, text);
    } catch (error) {
      if (error instanceof VendorUnreachableError) throw error;
      throw new VendorUnreachableError(`vendor ${settings.name} did not answer`, { cause: error });
    }
  };

  return {
    name: settings.name,
    close: () => dispatcher.close(),
    async submit(order, { idempotencyKey, signal }) {
      const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
      const answer = await ask({ url: base, method: 'POST', headers, body: requestBody(order), signal });
      if (answer.kind === 'not-found')
        throw new VendorUnreachableError(`vendor ${settings.name} answered 404`);
      return answer;
    },
    inquire: (idempotencyKey, { signal }) =>
      ask({ url: `${base}/${encodeURIComponent(idempotencyKey)}`, method: 'GET', headers: {}, signal }),
  };
}

// Vendors refuse fields that the contract does not name; the key in the header is the order's id.
function requestBody(order: VendorOrder): string {
  const { product, phoneNumber, email, productSku, amount, currency } = order;
  return JSON.stringify({ product, phoneNumber, email, productSku, amount, currency });
}

interface AskOptions {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

const notFoundShape = z.object({ error: z.object({ code: z.literal('ORDER_NOT_FOUND') }) });

// Only a 200 with a status of the contract decides anything, and only its own 404 to an inquiry says "never heard of
// it": all else, a proxy's 404 too, leaves the outcome open, since only a vendor's refusal makes an order Failed.
function read(vendor: string, method: 'GET' | 'POST', statusCode: number, text: string): VendorKnowledge {
  const body = parseJson(text);
  if (statusCode === 404 && method === 'GET' && notFoundShape.safeParse(body).success)
    return { kind: 'not-found' };
  const parsed = statusCode === 200 ? answerShape.safeParse(body) : undefined;
  if (!parsed?.success)
    throw new VendorUnreachableError(`vendor ${vendor} answered ${statusCode} without an outcome`);
  const answer = parsed.data;
  switch (answer.status) {
    case 'success':
      return {
        kind: 'success',
        vendorOrderId: answer.vendorOrderId,
        activation: answer.activation ?? undefined,
      };
    case 'refused': {
      const reason = answer.reason?.slice(0, LONGEST_REASON) || 'The vendor refused the order.';
      return { kind: 'refused', vendorOrderId: answer.vendorOrderId ?? undefined, reason };
    }
    case 'pending':
      return { kind: 'pending', vendorOrderId: answer.vendorOrderId ?? undefined };
    case 'unknown':
      return {
        kind: 'unknown',
        vendorOrderId: answer.vendorOrderId ?? undefined,
        activation: answer.activation ?? undefined,
      };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
