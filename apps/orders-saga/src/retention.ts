import { differenceRetention, keyRetention, type RetentionRule } from '@reseller/database';
import { inboxRetention, outboxRetention } from '@reseller/messaging';
import type { Config } from './config';

import { KEEP_MS as RECONCILIATION_KEEP_MS } from './partner-reconciliation/reconciliation.repository';

type Retention = Pick<
  Config,
  | 'OUTBOX_RETENTION_MS'
  | 'INBOX_RETENTION_MS'
  | 'RECONCILIATION_RETENTION_MS'
  | 'VENDOR_JOURNAL_RETENTION_MS'
  | 'CREATE_RESULTS_RETENTION_MS'
>;

const DAY_MS = 86_400_000;
const RECIPIENT_KEYS_MS = 7 * DAY_MS;

/** What of this service's tables goes after which time; orders and their sagas are for ever (spec §4.2). */
export function retentionRules(config: Retention): RetentionRule[] {
  return [
    outboxRetention(config),
    inboxRetention(config),
    differenceRetention(config),
    keyRetention,
    {
      table: 'create_results',
      oldestFirst: 'ended_at',
      expired: 'ended_at < $1',
      keepMs: config.CREATE_RESULTS_RETENTION_MS,
    },
    {
      table: 'vendor_calls',
      oldestFirst: 'recorded_at',
      expired: 'recorded_at < $1',
      keepMs: config.CREATE_RESULTS_RETENTION_MS,
    },
    {
      table: 'hour_durations',
      oldestFirst: 'hour',
      expired: 'hour < $1',
      keepMs: config.CREATE_RESULTS_RETENTION_MS,
    },
    // Without its key nobody can tell whose orders of that day finance has counted; one order that waits for longer counts anew.
    {
      table: 'recipient_keys',
      oldestFirst: 'day',
      expired: 'created_at < $1',
      keepMs: RECIPIENT_KEYS_MS,
    },
    // Their ids hold their time, so the keys serve both.
    {
      table: 'partner_reconciliation_differences',
      oldestFirst: 'reconciliation_id',
      expired: 'reconciliation_id < (SELECT uuidv7($1 - clock_timestamp()))',
      keepMs: RECONCILIATION_KEEP_MS,
    },
    {
      table: 'partner_reconciliations',
      oldestFirst: 'id',
      expired: 'id < (SELECT uuidv7($1 - clock_timestamp()))',
      keepMs: RECONCILIATION_KEEP_MS,
    },
    // What the sandbox's vendor remembers of orders; nobody inquires after so long.
    {
      table: 'vendor_journal',
      oldestFirst: 'seq',
      expired: 'received_at < $1',
      keepMs: config.VENDOR_JOURNAL_RETENTION_MS,
    },
  ];
}
