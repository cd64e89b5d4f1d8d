export { MemoryDeduper } from './deduper';
export type { Deduper } from './deduper';
export type * from './events';
export { receiveWebhooks } from './receive-webhooks';
export type { ReceiveOptions, WebhookContext } from './receive-webhooks';
export { WebhookVerificationError } from './verification-error';
export type { VerificationFailure } from './verification-error';
export { verifyWebhook } from './verify-webhook';
export type { VerifyOptions, WebhookHeaders } from './verify-webhook';
