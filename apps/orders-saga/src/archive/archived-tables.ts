import type { ArchivedTable } from '@reseller/archive';

// Of details what names no person: an erasure does not reach the archive (docs/platform/personal-data.md).
const ENTRIES = `(SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('at', s.recorded_at, 'step', s.step, 'attempt', s.attempt,
    'outcome', coalesce(s.outcome, 'Intent'), 'vendor', s.details -> 'vendor', 'taken', s.details -> 'taken', 'polls', s.details -> 'polls',
    'code', s.details -> 'code', 'parkedAt', s.details -> 'at', 'approvalId', s.details -> 'approvalId')) ORDER BY s.seq)
  FROM saga_steps s WHERE s.order_id = r.order_id)`;

/** The journals of sagas that finished: which steps were taken when, at which vendors, and what came of them. */
export const JOURNALS: ArchivedTable = {
  table: 'sagas',
  key: 'order_id',
  columns: [
    { name: 'order_id', type: 'uuid' },
    { name: 'global_id', type: 'text', from: 'o.global_id' },
    { name: 'partner_id', type: 'uuid', from: 'o.partner_id' },
    { name: 'environment', type: 'text', from: 'o.environment' },
    { name: 'product', type: 'text', from: 'o.product' },
    { name: 'status', type: 'text', from: 'o.status' },
    { name: 'journal', type: 'jsonb', from: ENTRIES },
  ],
  join: 'LEFT JOIN orders o ON o.id = r.order_id',
};

/** All that this service archives. */
export const ARCHIVED_TABLES: readonly ArchivedTable[] = [JOURNALS];
