import type { ArchivedTable } from '@reseller/archive';

/** Deliveries that ended, with every attempt, and whose they were, which their event says. */
export const FINISHED_DELIVERIES: ArchivedTable = {
  table: 'webhook_finished_deliveries',
  key: 'id',
  columns: [
    { name: 'id', type: 'uuid' },
    { name: 'event_id', type: 'uuid' },
    { name: 'subscription_id', type: 'uuid' },
    { name: 'event_type', type: 'text' },
    { name: 'redelivery', type: 'integer' },
    { name: 'is_test', type: 'boolean' },
    { name: 'status', type: 'text' },
    { name: 'attempts', type: 'jsonb' },
    { name: 'partner_id', type: 'uuid', from: 'e.partner_id' },
    { name: 'environment', type: 'text', from: 'e.environment' },
    { name: 'order_global_id', type: 'text', from: 'e.order_global_id' },
  ],
  join: 'LEFT JOIN webhook_events e ON e.event_id = r.event_id',
};

/** Events as partners were sent them. */
export const EVENTS: ArchivedTable = {
  table: 'webhook_events',
  key: 'event_id',
  columns: [
    { name: 'event_id', type: 'uuid' },
    { name: 'partner_id', type: 'uuid' },
    { name: 'environment', type: 'text' },
    { name: 'event_type', type: 'text' },
    { name: 'occurred_at', type: 'timestamptz' },
    { name: 'order_global_id', type: 'text' },
    // JSON of our own, kept to the byte: it is what was signed.
    { name: 'body', type: 'text', from: `convert_from(r.body, 'UTF8')` },
    { name: 'created_at', type: 'timestamptz' },
    { name: 'headers', type: 'jsonb' },
    { name: 'position', type: 'bigint' },
  ],
};

/** All that this service archives. */
export const ARCHIVED_TABLES: readonly ArchivedTable[] = [FINISHED_DELIVERIES, EVENTS];
