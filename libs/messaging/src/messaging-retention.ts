import type { RetentionRule } from '@reseller/database';
import { envInteger } from '@reseller/service-kit';

const DAY_MS = 86_400_000;
const duration = envInteger({ min: 1, max: 3_650 * DAY_MS, unit: 'milliseconds' });

/** For how long a service keeps the events it has published; spread it into its z.object. */
export const outboxConfig = {
  OUTBOX_RETENTION_MS: duration.default(DAY_MS),
};

/** For how long a consumer knows what it has handled: longer than the bus keeps events. */
export const inboxConfig = {
  INBOX_RETENTION_MS: duration.default(14 * DAY_MS),
};

/** For how many days a dead letter is kept after a person has decided; one that waits is kept for ever. */
export const deadLettersConfig = {
  DEAD_LETTER_RETENTION_DAYS: envInteger({ min: 1, max: 3_650, unit: 'days' }).default(90),
};

/** Events stay in the outbox so long after they were published; an index over published_at serves it. */
export const outboxRetention = (config: { OUTBOX_RETENTION_MS: number }): RetentionRule => ({
  table: 'outbox',
  among: 'published_at IS NOT NULL',
  oldestFirst: 'published_at',
  expired: 'published_at < $1',
  keepMs: config.OUTBOX_RETENTION_MS,
});

/** What consumers handled is known so long; an index over handled_at serves it. */
export const inboxRetention = (config: { INBOX_RETENTION_MS: number }): RetentionRule => ({
  table: 'inbox',
  among: 'handled_at IS NOT NULL',
  oldestFirst: 'handled_at',
  expired: 'handled_at < $1',
  keepMs: config.INBOX_RETENTION_MS,
});

/** A dead letter stays so long after a person has decided; an index over decided_at serves it. */
export const deadLetterRetention = (config: { DEAD_LETTER_RETENTION_DAYS: number }): RetentionRule => ({
  table: 'dead_letters',
  among: 'decided_at IS NOT NULL',
  oldestFirst: 'decided_at',
  expired: 'decided_at < $1',
  keepMs: config.DEAD_LETTER_RETENTION_DAYS * DAY_MS,
});
