import { Metadata } from '@grpc/grpc-js';
import { randomUUID } from 'node:crypto';
import type { CallContext, CallPartner, IdempotencyKey } from './call-context';
import { environmentNameOf, environmentOf } from './partner-scope';

const KEY = {
  requestId: 'x-request-id',
  partnerId: 'x-partner-id',
  partnerGlobalId: 'x-partner-global-id',
  path: 'x-partner-path',
  environment: 'x-environment',
  clientId: 'x-client-id',
  actingPartnerId: 'x-acting-partner-id',
  actingClientId: 'x-acting-client-id',
  operator: 'x-operator',
  operatorAccount: 'x-operator-account',
  idempotencyKey: 'x-idempotency-key',
  fingerprint: 'x-request-fingerprint',
  acceptsStale: 'x-accepts-stale',
  traceparent: 'traceparent',
} as const;

/** What travels beside a call's request, by its key in gRPC's metadata. */
export type CallHeaders = Record<string, string>;

/** The headers of an outgoing call. */
export function toHeaders(call: CallContext): CallHeaders {
  const headers: CallHeaders = {};
  put(headers, KEY.requestId, call.requestId);
  put(headers, KEY.operator, call.operator);
  put(headers, KEY.operatorAccount, call.operatorAccount);
  put(headers, KEY.traceparent, call.traceparent);
  put(headers, KEY.idempotencyKey, call.idempotency?.key);
  put(headers, KEY.fingerprint, call.idempotency?.fingerprint);
  if (call.acceptsStale) headers[KEY.acceptsStale] = 'true';
  if (call.partner) putPartner(headers, call.partner);
  return headers;
}

/** The same as metadata of a call of its own, which waits for a ready channel up to its deadline. */
export function metadataOf(headers: CallHeaders): Metadata {
  const metadata = new Metadata({ waitForReady: true });
  for (const key in headers) metadata.set(key, headers[key] ?? '');
  return metadata;
}

function putPartner(headers: CallHeaders, partner: CallPartner): void {
  put(headers, KEY.partnerId, partner.partnerId);
  put(headers, KEY.partnerGlobalId, partner.partnerGlobalId);
  put(headers, KEY.path, partner.path.join(','));
  put(headers, KEY.environment, environmentNameOf(partner.environment));
  put(headers, KEY.clientId, partner.clientId);
  put(headers, KEY.actingPartnerId, partner.actingPartnerId);
  put(headers, KEY.actingClientId, partner.actingClientId);
}

/** What is read of a call's metadata. */
export type ReadMetadata = Pick<Metadata, 'get' | 'getMap'>;

/** The context of an incoming call; a call without a request id gets one, so that its log lines belong together. */
export function fromMetadata(metadata: ReadMetadata): CallContext {
  return {
    requestId: take(metadata, KEY.requestId) ?? randomUUID(),
    partner: takePartner(metadata),
    operator: take(metadata, KEY.operator),
    operatorAccount: take(metadata, KEY.operatorAccount),
    traceparent: take(metadata, KEY.traceparent),
    idempotency: takeIdempotency(metadata),
    ...(take(metadata, KEY.acceptsStale) === 'true' && { acceptsStale: true }),
  };
}

function takeIdempotency(metadata: ReadMetadata): IdempotencyKey | undefined {
  const key = take(metadata, KEY.idempotencyKey);
  const fingerprint = take(metadata, KEY.fingerprint);
  return key !== undefined && fingerprint !== undefined ? { key, fingerprint } : undefined;
}

function takePartner(metadata: ReadMetadata): CallPartner | undefined {
  const partnerId = take(metadata, KEY.partnerId);
  const environment = take(metadata, KEY.environment);
  if (!partnerId || (environment !== 'sandbox' && environment !== 'live')) return undefined;
  return {
    partnerId,
    partnerGlobalId: take(metadata, KEY.partnerGlobalId) ?? '',
    path: (take(metadata, KEY.path) ?? partnerId).split(','),
    environment: environmentOf(environment),
    clientId: take(metadata, KEY.clientId) ?? '',
    actingPartnerId: take(metadata, KEY.actingPartnerId),
    actingClientId: take(metadata, KEY.actingClientId),
  };
}

// Metadata carries printable ASCII only (and trims spaces), so any other value travels percent-encoded.
const PLAIN = /^[!-$&-~]*$/;

function put(headers: CallHeaders, key: string, value: string | undefined): void {
  if (value) headers[key] = PLAIN.test(value) ? value : encodeURIComponent(value);
}

function take(metadata: ReadMetadata, key: string): string | undefined {
  const value = metadata.get(key)[0];
  if (typeof value !== 'string' || value === '') return undefined;
  return value.includes('%') ? decode(value) : value;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // Not written by this library: taken as it came.
    return value;
  }
}
