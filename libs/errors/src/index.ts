export { AppError, isAppError, validationFailed } from './app-error';
export type { ErrorDetails, FieldFault, JsonValue } from './app-error';
export { ERROR_CATALOGUE, isErrorCode } from './catalogue';
export type { ErrorCode } from './catalogue';
export type { ErrorEntry, GrpcStatusName } from './error-class';
