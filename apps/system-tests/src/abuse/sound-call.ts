import type { Random } from '../storm/random';
import { NOBODY } from './arena';
import type { Arena } from './arena';
import type { Operation } from './operations';
import type { SoundCall } from './shape';

/** What stands for a parameter, by the segment before it; anything else is an id of nothing. */
const PARAMS: Readonly<Record<string, string>> = {
  'topup/{orderId}': 'topup',
  'esim/{orderId}': 'esim',
  'reference/{externalReference}': 'externalReference',
  'by-global-id/{orderGlobalId}': 'orderGlobalId',
  'orders/{orderGlobalId}': 'orderGlobalId',
  'brands/{id}': 'brandId',
  'scents/{id}': 'scentId',
  'variants/{id}': 'variantId',
  'items/{id}': 'variantId',
  'discount-codes/{id}': 'discountCodeId',
  'webhooks/{id}': 'webhookId',
  'partners/{id}': 'partnerId',
  'partner-prices/{partnerId}': 'partnerId',
  'rates/{currency}': 'currency',
};

/** Half of all calls are about things that are there. Deletes are not: what they delete would be missed by the rest. */
function pathOf({ method, path }: Operation, ids: Arena['ids'], random: Random): string {
  const isReal = method !== 'DELETE' && random.chance(0.5);
  const segments = path.split('/');
  return segments
    .map((segment, at) => {
      if (!segment.startsWith('{')) return segment;
      const known = ids[PARAMS[`${segments[at - 1]}/${segment}`] ?? ''];
      return isReal && known ? known : seededId(random);
    })
    .join('/');
}

/** An id that the seed draws. */
function seededId(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.between(0, 15).toString(16)).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** The example with what must be new or there: a reference, a code, a variant. */
function bodyOf(
  example: Readonly<Record<string, unknown>>,
  ids: Arena['ids'],
  random: Random,
): Record<string, unknown> {
  const own: Record<string, () => unknown> = {
    externalReference: () => `abuse-${seededId(random)}`,
    idempotencyKey: () => seededId(random),
    code: () => `C-${seededId(random).slice(0, 13)}`,
    variantId: () => ids.variantId,
    partnerId: () => ids.partnerId,
    clientId: () => ids.clientId,
    clientSecret: () => ids.clientSecret,
    url: () => NOBODY,
  };
  return JSON.parse(JSON.stringify(example), (key, value: unknown) => own[key]?.() ?? value) as Record<
    string,
    unknown
  >;
}

/** A request of a call that may well succeed, drawn anew. */
export function soundCall(
  { platform, ids }: Arena,
  operation: Operation,
  token: string | undefined,
  random: Random,
): SoundCall {
  const url = operation.edge === 'gateway' ? platform.gatewayUrl : platform.backofficeUrl;
  return {
    operation,
    host: new URL(url).host,
    path: pathOf(operation, ids, random),
    token: operation.isAnonymous ? undefined : token,
    body: operation.example && bodyOf(operation.example, ids, random),
    random,
  };
}
