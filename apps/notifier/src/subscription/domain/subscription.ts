import { validationFailed } from '@reseller/errors';
import { WEBHOOK_EVENT_TYPES, type WebhookEventTypeName } from '@reseller/presenters';
import type { EnvironmentName } from '@reseller/rpc';

/** Where a partner wants which events. */
export interface Subscription {
  readonly id: string;
  readonly partnerId: string;
  readonly environment: EnvironmentName;
  /** As it was given. */
  readonly url: string;
  readonly eventTypes: readonly WebhookEventTypeName[];
  readonly isActive: boolean;
  readonly createdAt: Date;
  readonly lastDeliveryAt: Date | null;
  /** Delivered, or an error summary. */
  readonly lastDeliveryStatus: string | null;
}

/** VALIDATION_FAILED unless there is at least one event type, each known and each once (spec §10.1). */
export function requireEventTypes(
  names: readonly (WebhookEventTypeName | undefined)[],
): WebhookEventTypeName[] {
  const known = names.filter((name) => name !== undefined);
  const isFit =
    known.length === names.length &&
    known.length >= 1 &&
    known.length <= WEBHOOK_EVENT_TYPES.length &&
    new Set(known).size === known.length;
  if (isFit) return known;
  throw validationFailed([
    {
      path: 'eventTypes',
      message: `must be 1 to ${WEBHOOK_EVENT_TYPES.length} known event types without repeats`,
    },
  ]);
}
