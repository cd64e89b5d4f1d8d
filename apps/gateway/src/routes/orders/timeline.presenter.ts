import type {
  GetOrderMoneyResponse,
  OrderStatus,
  OrderStatusChange,
  WebhookDelivery,
} from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import {
  GROUP_STATUS_NAMES,
  presentEnum,
  presentRequiredMoment,
  presentTransaction,
  presentWebhookDelivery,
  STATUS_NAMES,
} from '@reseller/presenters';

/** The kinds of a timeline's items. */
export const TIMELINE_KINDS = ['Status', 'Money', 'Webhook'] as const;

/** One thing that happened to an order, as its partner reads it (spec §17.1). */
export interface TimelineItem {
  readonly at: string;
  readonly kind: (typeof TIMELINE_KINDS)[number];
  /** For people. */
  readonly title: string;
  readonly status: string;
  /** Signed, in SAR; null but for Money. */
  readonly amount: number | null;
  readonly referenceId: string | null;
}

/** What is known of one order. */
interface OrderRecords {
  readonly changes: readonly OrderStatusChange[];
  readonly money: GetOrderMoneyResponse;
  readonly deliveries: readonly WebhookDelivery[];
}

type StatusName = NonNullable<(typeof STATUS_NAMES)[OrderStatus]>;
type GroupStatusName = NonNullable<(typeof GROUP_STATUS_NAMES)[keyof typeof GROUP_STATUS_NAMES]>;
type Movement = ReturnType<typeof presentTransaction>;

const STATUS_TITLES: Record<StatusName, string> = {
  Pending: 'Order placed',
  Processing: 'Order under way',
  Completed: 'Order completed',
  Failed: 'Order failed',
  InterventionRequired: 'Order waits for a check by a person',
  Cancelled: 'Order cancelled',
  Reversed: 'Order reversed',
  PartiallyDelivered: 'Order delivered in part',
  PartiallyReturned: 'Order returned in part',
  Returned: 'Order returned',
};

const GROUP_TITLES: Record<GroupStatusName, string> = {
  Pending: 'Group waits for shipping',
  Shipped: 'Group shipped',
  Delivered: 'Group delivered',
  Cancelled: 'Group cancelled',
};

const MONEY_TITLES: Record<Movement['referenceType'], string> = {
  Order: 'Charge',
  Commission: 'Commission',
  Refund: 'Refund',
  CommissionClawback: 'Commission taken back',
  Deposit: 'Deposit',
  Adjustment: 'Adjustment',
};

/** All items, oldest first; what has the same moment stays in the order status, money, webhook. */
export function presentTimeline({ changes, money, deliveries }: OrderRecords): TimelineItem[] {
  const items = [
    ...changes.map(presentChange),
    ...presentMoney(money),
    ...deliveries.flatMap(presentAttempts),
  ];
  return items.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function presentChange({
  occurredAt,
  status,
  groupStatus,
  fulfillmentGroupId,
}: OrderStatusChange): TimelineItem {
  const shared = {
    at: presentRequiredMoment(occurredAt, 'occurred_at'),
    kind: 'Status',
    amount: null,
  } as const;
  if (fulfillmentGroupId === undefined) {
    const name = presentEnum(STATUS_NAMES, status);
    return { ...shared, title: STATUS_TITLES[name], status: name, referenceId: null };
  }
  const name = presentEnum(GROUP_STATUS_NAMES, groupStatus);
  return { ...shared, title: GROUP_TITLES[name], status: name, referenceId: fulfillmentGroupId };
}

// A hold ends by the charge that follows it too, so that the amounts add up to what the order did to the available balance.
function presentMoney({ hold, transactions }: GetOrderMoneyResponse): TimelineItem[] {
  const items: TimelineItem[] = [];
  if (hold) {
    const held = toJsonNumber(hold.amount);
    const shared = { kind: 'Money', referenceId: null } as const;
    const at = presentRequiredMoment(hold.heldAt, 'held_at');
    items.push({ ...shared, at, title: 'Amount held', status: 'Held', amount: -held });
    if (hold.releasedAt) {
      const releasedAt = hold.releasedAt.toISOString();
      items.push({ ...shared, at: releasedAt, title: 'Hold released', status: 'Released', amount: held });
    }
  }
  return [...items, ...transactions.map((line) => presentMovement(presentTransaction(line)))];
}

function presentMovement({
  timestamp,
  transactionType,
  referenceType,
  amount,
  transactionId,
}: Movement): TimelineItem {
  return {
    at: timestamp,
    kind: 'Money',
    title: MONEY_TITLES[referenceType],
    status: transactionType,
    amount: transactionType === 'Debit' ? -amount : amount,
    referenceId: String(transactionId),
  };
}

function presentAttempts(message: WebhookDelivery): TimelineItem[] {
  const { id, eventType, attempts } = presentWebhookDelivery(message);
  return attempts.map(({ attemptedAt, attemptNumber, errorSummary }) => ({
    at: attemptedAt,
    kind: 'Webhook',
    title: `Webhook ${eventType}, attempt ${attemptNumber}`,
    status: errorSummary ?? 'Delivered',
    amount: null,
    referenceId: id,
  }));
}
