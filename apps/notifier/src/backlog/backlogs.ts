import type { BacklogReading } from '@reseller/database';

/** Counted up to here. */
const MOST = 100_000;

/**
 * Hops from subscription to subscription along the due index, as the claim does. What a subscription with all its slots
 * taken has due waits for its receiver; what another has due waits for us, unless its partner is frozen.
 */
const LANES = `WITH RECURSIVE lane AS (
    (SELECT subscription_id, next_attempt_at FROM webhook_pending_deliveries ORDER BY subscription_id, next_attempt_at LIMIT 1)
    UNION ALL
    SELECT n.subscription_id, n.next_attempt_at
    FROM lane l CROSS JOIN LATERAL (
      SELECT p.subscription_id, p.next_attempt_at FROM webhook_pending_deliveries p
      WHERE p.subscription_id > l.subscription_id
      ORDER BY p.subscription_id, p.next_attempt_at LIMIT 1
    ) n
  ), due AS (
    SELECT l.subscription_id, l.next_attempt_at, f.under_way
    FROM lane l JOIN webhook_subscriptions s ON s.id = l.subscription_id
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(w.delivery_id), '{}') AS under_way FROM webhook_leases w
      WHERE w.subscription_id = l.subscription_id AND w.lease_until > clock_timestamp()
    ) f
    WHERE s.is_active AND l.next_attempt_at <= clock_timestamp()
      AND NOT EXISTS (SELECT 1 FROM webhook_partners w WHERE w.partner_id = s.partner_id AND w.is_frozen)
  )`;

// Raw: ages by the database's clock, of one row for each subscription.
const DUE = (perSubscription: number): BacklogReading => ({
  name: 'webhooks-due',
  statement: {
    name: 'webhook_due_backlog',
    text: `${LANES}
      SELECT coalesce(extract(epoch FROM clock_timestamp() - min(d.next_attempt_at)), 0) AS seconds,
        coalesce(extract(epoch FROM clock_timestamp() - min(u.next_attempt_at)), 0) AS unclaimed,
        count(*) FILTER (WHERE cardinality(d.under_way) >= $1) AS busy
      FROM due d
      LEFT JOIN LATERAL (
        SELECT p.next_attempt_at FROM webhook_pending_deliveries p
        WHERE cardinality(d.under_way) < $1 AND p.subscription_id = d.subscription_id
          AND p.next_attempt_at <= clock_timestamp() AND p.id <> ALL (d.under_way)
        ORDER BY p.next_attempt_at, p.id LIMIT 1
      ) u ON true`,
  },
  values: [perSubscription],
  gauges: [
    {
      name: 'webhook_oldest_due_seconds',
      help: 'How long the oldest due delivery of an active subscription has been due, under way or not. Every instance shows the same: take max().',
      column: 'seconds',
    },
    {
      name: 'webhook_oldest_unclaimed_seconds',
      help: 'How long the oldest delivery has been due that could be sent at once and is not: its subscription is active and has a slot free. Every instance shows the same: take max().',
      column: 'unclaimed',
    },
    {
      name: 'webhook_subscriptions_at_limit',
      help: 'Active subscriptions with deliveries due whose receivers keep every slot of theirs busy. Every instance shows the same: take max().',
      column: 'busy',
    },
  ],
});

// Raw: counted up to a bound, which Prisma cannot.
const PENDING: BacklogReading = {
  name: 'webhooks-pending',
  statement: {
    name: 'webhook_pending_count',
    text: `SELECT count(*) AS deliveries FROM (SELECT FROM webhook_pending_deliveries LIMIT ${MOST}) AS counted`,
  },
  gauges: [
    {
      name: 'webhook_pending_deliveries',
      help: `Deliveries that are not finished: due, under way, waiting for their next attempt, for a paused subscription or for a frozen partner; counted up to ${MOST}. Every instance shows the same: take max().`,
      column: 'deliveries',
    },
  ],
  keepMs: 15_000,
};

/** What notifier shows of what waits in its database; `perSubscription` is how many attempts one may have under way. */
export const webhookBacklogs = (settings: { perSubscription: number }): readonly BacklogReading[] => [
  DUE(settings.perSubscription),
  PENDING,
];
