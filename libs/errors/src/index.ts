export { AppError, isAppError, validationFailed } from './app-error';
export type { ErrorDetails, JsonValue } from './app-error';
export { ERROR_CATALOGUE, isErrorCode } from './catalogue';
export type { ErrorCode } from './catalogue';
export {
  hasControlCharacter,
  isCidr,
  isEmailAddress,
  isFeedCursor,
  isPrintable,
  readCidr,
} from './field-rules';
export type { Network } from './field-rules';
export { listFaults, MOST_FAULTS } from './field-faults';
export type { FieldFault } from './field-faults';
export { decodeEvent, InvalidEventError, requireEventUuid } from './invalid-event-error';
export type { InvalidEventReason } from './invalid-event-error';
