import { Metadata, status, type ServiceError, type StatusObject } from '@grpc/grpc-js';
import { ErrorDetail } from '@reseller/contracts';
import { AppError, ERROR_CATALOGUE, isErrorCode, type ErrorDetails } from '@reseller/errors';

/** The binary trailer that carries an encoded reseller.common.v1.ErrorDetail. */
export const ERROR_TRAILER = 'reseller-error-bin';

/** gRPC's own trailer by which a server says when to try again (gRFC A6); below zero, or absent beside an error, never. */
export const RETRY_PUSHBACK = 'grpc-retry-pushback-ms';

const NO_RESPONSE: ReadonlySet<number> = new Set([
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.CANCELLED,
]);

/** The gRPC status and trailer of an error of the catalogue. */
export function toStatus(error: AppError): StatusObject {
  const detailsJson = Object.keys(error.details).length > 0 ? JSON.stringify(error.details) : '';
  const metadata = new Metadata();
  metadata.set(ERROR_TRAILER, Buffer.from(ErrorDetail.encode({ code: error.code, detailsJson }).finish()));
  return { code: status[ERROR_CATALOGUE[error.code].grpc], details: error.code, metadata };
}

/** The status of a call that a stopping server gives up: another instance may be called at once. */
export function cutOffStatus(): StatusObject {
  const response = toStatus(new AppError('SERVICE_UNAVAILABLE'));
  response.metadata.set(RETRY_PUSHBACK, '0');
  return response;
}

/** The error of the catalogue that a failed call stands for; the peer's name and gRPC's text stay in the cause. */
export function fromServiceError(error: ServiceError, peer: string, path: string, trouble = ''): AppError {
  const cause = new Error(`${peer} ${path}: ${error.code} ${error.details}${trouble}`, { cause: error });
  const trailer = error.metadata?.get(ERROR_TRAILER)[0];
  if (Buffer.isBuffer(trailer)) return fromTrailer(trailer, cause);
  return new AppError(NO_RESPONSE.has(error.code) ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR', {}, { cause });
}

function fromTrailer(trailer: Buffer, cause: Error): AppError {
  try {
    const { code, detailsJson } = ErrorDetail.decode(trailer);
    const details = detailsJson === '' ? {} : (JSON.parse(detailsJson) as ErrorDetails);
    if (isErrorCode(code)) return new AppError(code, details, { cause });
    // A peer of a newer version may know codes that this one does not.
    return new AppError('INTERNAL_ERROR', {}, { cause: new Error(`unknown code ${code}`, { cause }) });
  } catch {
    return new AppError('INTERNAL_ERROR', {}, { cause: new Error('unreadable error trailer', { cause }) });
  }
}

/** SERVICE_UNAVAILABLE for a peer that was not called, or not within the time there was. */
export function unreachable(peer: string, what: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {}, { cause: new Error(`${peer} ${what}`) });
}
