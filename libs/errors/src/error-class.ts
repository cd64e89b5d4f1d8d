/** The gRPC status names the catalogue uses; each is a key of grpc-js' `status`. */
type GrpcStatusName =
  | 'INVALID_ARGUMENT'
  | 'UNAUTHENTICATED'
  | 'PERMISSION_DENIED'
  | 'NOT_FOUND'
  | 'ABORTED'
  | 'FAILED_PRECONDITION'
  | 'RESOURCE_EXHAUSTED'
  | 'UNIMPLEMENTED'
  | 'INTERNAL'
  | 'UNAVAILABLE';

/** One row of the catalogue; `retryable` means the same request may succeed when repeated unchanged. */
interface ErrorEntry {
  readonly status: number;
  readonly grpc: GrpcStatusName;
  readonly message: string;
  readonly retryable: boolean;
}

/** A row that repeating the request does not help. */
export const notRetryable = (status: number, grpc: GrpcStatusName, message: string): ErrorEntry => ({
  status,
  grpc,
  message,
  retryable: false,
});

// Status by class, spec §1.4.
export const validation = (message: string): ErrorEntry => notRetryable(400, 'INVALID_ARGUMENT', message);
export const unauthorized = (message: string): ErrorEntry => notRetryable(401, 'UNAUTHENTICATED', message);
export const forbidden = (message: string): ErrorEntry => notRetryable(403, 'PERMISSION_DENIED', message);
export const notFound = (message: string): ErrorEntry => notRetryable(404, 'NOT_FOUND', message);
export const conflict = (message: string): ErrorEntry => notRetryable(409, 'ABORTED', message);
export const business = (message: string): ErrorEntry => notRetryable(422, 'FAILED_PRECONDITION', message);

/** The same row, for which repeating the request may help. */
export const retryable = (entry: ErrorEntry): ErrorEntry => ({ ...entry, retryable: true });

/** The same row under one of the statuses that are exceptions from their class (spec §1.4, §1.5). */
export const withStatus = (status: 413 | 415, entry: ErrorEntry): ErrorEntry => ({ ...entry, status });

export const rateLimited = (message: string): ErrorEntry =>
  retryable(notRetryable(429, 'RESOURCE_EXHAUSTED', message));
export const internal = (message: string): ErrorEntry => retryable(notRetryable(500, 'INTERNAL', message));
export const unavailable = (message: string): ErrorEntry =>
  retryable(notRetryable(503, 'UNAVAILABLE', message));
