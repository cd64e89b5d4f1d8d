import { differenceRetention, keyRetention, type RetentionRule } from '@reseller/database';
import { deadLetterRetention, inboxRetention, outboxRetention } from '@reseller/messaging';
import type { Config } from './config';

type Retention = Pick<
  Config,
  | 'OUTBOX_RETENTION_MS'
  | 'INBOX_RETENTION_MS'
  | 'DEAD_LETTER_RETENTION_DAYS'
  | 'RECONCILIATION_RETENTION_MS'
  | 'CART_RETENTION_MS'
  | 'PRICE_LOCK_RETENTION_MS'
  | 'PRICE_CHANGE_RETENTION_MS'
  | 'REGISTRATION_RETENTION_MS'
>;

/** What of this service's tables goes after which time; all others are for ever or as small as what is under way. */
export function retentionRules(config: Retention): RetentionRule[] {
  return [
    outboxRetention(config),
    inboxRetention(config),
    deadLetterRetention(config),
    differenceRetention(config),
    keyRetention,
    // An expired lock is still known to have expired for so long; then it is unknown.
    {
      table: 'price_locks',
      oldestFirst: 'expires_at',
      expired: 'expires_at < $1',
      keepMs: config.PRICE_LOCK_RETENTION_MS,
    },
    // An abandoned cart goes with its lines and locks; one that an order once tried to check out stays.
    {
      table: 'carts',
      among: `status = 'Abandoned' AND touched_at < $1 AND NOT EXISTS (SELECT FROM checkouts WHERE cart_id = id)`,
      oldestFirst: 'touched_at',
      expired: `status = 'Abandoned' AND touched_at < $1`,
      with: [
        { table: 'cart_lines', column: 'cart_id', key: 'id' },
        { table: 'price_locks', column: 'cart_id', key: 'id' },
      ],
      keepMs: config.CART_RETENTION_MS,
    },
    // A catalogue price that was lowered stands on its variant too (spec §5.5).
    {
      table: 'price_changes',
      oldestFirst: 'id',
      expired: 'changed_at < $1',
      keepMs: config.PRICE_CHANGE_RETENTION_MS,
    },
    {
      table: 'back_in_stock_registrations',
      among: `status <> 'Active' AND created_at < $1`,
      oldestFirst: 'created_at',
      expired: `status <> 'Active' AND created_at < $1`,
      keepMs: config.REGISTRATION_RETENTION_MS,
    },
  ];
}
