import type { WebhookDeliveryStatusName, WebhookEventTypeName } from '@reseller/presenters';
import { AppError } from '@reseller/errors';
import type { EnvironmentName } from '@reseller/rpc';
import type { AttemptResult } from './attempt';

/** One attempt as it is kept with its delivery. */
export interface DeliveryAttempt extends AttemptResult {
  /** From 1. */
  attemptNumber: number;
  attemptedAt: Date;
}

/** One event on its way to one subscription, or arrived, or given up. */
export interface Delivery {
  id: string;
  subscriptionId: string;
  partnerId: string;
  environment: EnvironmentName;
  eventId: string;
  eventType: WebhookEventTypeName;
  status: WebhookDeliveryStatusName;
  isTest: boolean;
  /** Null unless Pending. */
  nextAttemptAt: Date | null;
  createdAt: Date;
  /** Ascending by number. */
  attempts: DeliveryAttempt[];
  /** Null for an event about no order. */
  orderGlobalId: string | null;
}

/** CONFLICT_DELIVERY_NOT_FINAL unless the delivery has ended and was no test (spec §10.6). */
export function requireRedeliverable({ status, isTest }: Pick<Delivery, 'status' | 'isTest'>): void {
  if (status === 'Pending' || isTest) throw new AppError('CONFLICT_DELIVERY_NOT_FINAL');
}
