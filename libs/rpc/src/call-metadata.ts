import { Metadata } from '@grpc/grpc-js';
import { Environment } from '@reseller/contracts';
import { randomUUID } from 'node:crypto';
import type { CallContext, CallPartner } from './call-context';

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
  traceparent: 'traceparent',
} as const;

const ENVIRONMENT_NAMES: Partial<Record<Environment, string>> = {
  [Environment.SANDBOX]: 'sandbox',
  [Environment.LIVE]: 'live',
};

/** Metadata for an outgoing call; the call waits for a ready channel up to its deadline. */
export function toMetadata(call: CallContext): Metadata {
  const metadata = new Metadata({ waitForReady: true });
  put(metadata, KEY.requestId, call.requestId);
  put(metadata, KEY.operator, call.operator);
  put(metadata, KEY.traceparent, call.traceparent);
  if (call.partner) putPartner(metadata, call.partner);
  return metadata;
}

function putPartner(metadata: Metadata, partner: CallPartner): void {
  put(metadata, KEY.partnerId, partner.partnerId);
  put(metadata, KEY.partnerGlobalId, partner.partnerGlobalId);
  put(metadata, KEY.path, partner.path.join(','));
  put(metadata, KEY.environment, ENVIRONMENT_NAMES[partner.environment]);
  put(metadata, KEY.clientId, partner.clientId);
  put(metadata, KEY.actingPartnerId, partner.actingPartnerId);
  put(metadata, KEY.actingClientId, partner.actingClientId);
}

/** The context of an incoming call; a call without a request id gets one, so that its log lines belong together. */
export function fromMetadata(metadata: Metadata): CallContext {
  return {
    requestId: take(metadata, KEY.requestId) ?? randomUUID(),
    partner: takePartner(metadata),
    operator: take(metadata, KEY.operator),
    traceparent: take(metadata, KEY.traceparent),
  };
}

function takePartner(metadata: Metadata): CallPartner | undefined {
  const partnerId = take(metadata, KEY.partnerId);
  const environment = takeEnvironment(metadata);
  if (!partnerId || !environment) return undefined;
  return {
    partnerId,
    partnerGlobalId: take(metadata, KEY.partnerGlobalId) ?? '',
    path: (take(metadata, KEY.path) ?? partnerId).split(','),
    environment,
    clientId: take(metadata, KEY.clientId) ?? '',
    actingPartnerId: take(metadata, KEY.actingPartnerId),
    actingClientId: take(metadata, KEY.actingClientId),
  };
}

function takeEnvironment(metadata: Metadata): Environment | undefined {
  const name = take(metadata, KEY.environment);
  if (name === 'sandbox') return Environment.SANDBOX;
  return name === 'live' ? Environment.LIVE : undefined;
}

// Metadata carries printable ASCII only (and trims spaces), so any other value travels percent-encoded.
const PLAIN = /^[!-$&-~]*$/;

function put(metadata: Metadata, key: string, value: string | undefined): void {
  if (value) metadata.set(key, PLAIN.test(value) ? value : encodeURIComponent(value));
}

function take(metadata: Metadata, key: string): string | undefined {
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
