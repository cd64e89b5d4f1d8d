export { createResellerClient, type ClientOptions, type ResellerClient } from './client.ts';
export type { DecimalForm } from './decimals.ts';
export {
  isResellerError,
  ResellerConnectionError,
  ResellerError,
  type ErrorState,
  type FailedCall,
} from './errors.ts';
export type { CursorStore, EventOf, FollowOptions } from './feed.ts';
export type { components, operations, paths } from './generated/api.ts';
export type { AttemptInfo, CallInfo, Hooks } from './hooks.ts';
export type { CallOptions, InputOf, OperationId, OutputOf, Pages, Schema } from './operation.ts';
export type { StoredToken, TokenStore } from './tokens.ts';
