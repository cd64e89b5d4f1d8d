import type { ErrorCode } from '@reseller/errors';
import type { Route } from './route';

/** Every code a route can return: its own and those that follow from how it is declared. */
export function errorsOf(route: Route): ErrorCode[] {
  const { access, params, query, body } = route;
  // Whoever has a token may name a fault that there is not (spec §15.2).
  const hasShape =
    access !== 'anonymous' || params !== undefined || query !== undefined || body !== undefined;
  const namesPartner = body !== undefined && ('partnerId' in body.shape || 'partnerGlobalId' in body.shape);
  const codes: ErrorCode[] = [
    ...(hasShape ? (['VALIDATION_FAILED'] as const) : []),
    ...(body ? (['VALIDATION_MALFORMED_JSON'] as const) : []),
    ...(access === 'anonymous'
      ? []
      : (['UNAUTHORIZED_INVALID_TOKEN', 'UNAUTHORIZED_PARTNER_FROZEN'] as const)),
    ...(route.idempotencyKey
      ? (['CONFLICT_IDEMPOTENCY_KEY_REUSED', 'CONFLICT_REQUEST_IN_PROGRESS'] as const)
      : []),
    ...(route.sandboxOnly ? (['FORBIDDEN_SANDBOX_ONLY'] as const) : []),
    ...(namesPartner ? (['FORBIDDEN_PARTNER_MISMATCH'] as const) : []),
    ...route.errors,
    ...(body || route.file
      ? (['VALIDATION_PAYLOAD_TOO_LARGE', 'VALIDATION_UNSUPPORTED_MEDIA_TYPE'] as const)
      : []),
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ];
  return [...new Set(codes)];
}
