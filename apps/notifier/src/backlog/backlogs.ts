import type { BacklogCursor, BacklogReading } from '@reseller/database';
import { LaneCursor, type Look } from '../delivery/lane-cursor';

/** Counted up to here. */
const MOST = 100_000;

// Raw: hops along the due index in one statement, with plans of its own (webhook_due_ages.sql).
const DUE_STATEMENT = {
  name: 'webhook_due_ages',
  text: `SELECT seconds, unclaimed, lanes FROM webhook_due_ages($1, $2, $3, $4 * interval '1 millisecond')`,
};

/** Remembers, as the claims do, which subscriptions had something left: dead entries of a long snapshot are not read past. */
function sinceLeft(): BacklogCursor {
  const cursor = new LaneCursor();
  let look: Look | undefined;
  return {
    next() {
      // What a reading that failed would have seen is not known.
      if (look) cursor.reset();
      look = cursor.look();
      const { lanes, madeWithinMs } = look;
      return [lanes?.map(({ id }) => id) ?? null, lanes?.map(({ since }) => since) ?? null, madeWithinMs];
    },
    saw([row], tookMs) {
      const lanes = (row?.['lanes'] ?? []) as { id: string; since: string }[];
      const left = lanes.map(({ id, since }) => ({ id, since: new Date(since) }));
      if (look) cursor.saw(look, { lanes: left, hoppingMs: tookMs });
      look = undefined;
    },
  };
}

// One row for each subscription is read.
const DUE = (perSubscription: number): BacklogReading => ({
  name: 'webhooks-due',
  statement: DUE_STATEMENT,
  values: [perSubscription],
  cursor: sinceLeft(),
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

const ENVIRONMENTS = `(VALUES ('live'), ('sandbox')) AS e (environment)`;

// Raw: the leases that have not lapsed, by the database's clock.
const AT_LIMIT = (perSubscription: number): BacklogReading => ({
  name: 'webhooks-at-limit',
  statement: {
    name: 'webhook_at_limit',
    text: `SELECT e.environment, count(f.subscription_id) AS busy FROM ${ENVIRONMENTS}
      LEFT JOIN (
        SELECT w.subscription_id, (SELECT s.environment FROM webhook_subscriptions s WHERE s.id = w.subscription_id) AS environment
        FROM webhook_leases w WHERE w.lease_until > clock_timestamp() GROUP BY w.subscription_id HAVING count(*) >= $1
      ) AS f USING (environment)
      GROUP BY e.environment`,
  },
  values: [perSubscription],
  labels: ['environment'],
  gauges: [
    {
      name: 'webhook_subscriptions_at_limit',
      help: 'Subscriptions whose receivers keep every slot of theirs busy, by environment. Every instance shows the same: take max().',
      column: 'busy',
    },
  ],
});

/** The last attempts of ten minutes, by their index: whether it is one partner whose receivers fail, or most of them. */
// Raw: the last of each subscription in one statement, by the database's clock.
const PARTNERS: BacklogReading = {
  name: 'webhook-partners',
  statement: {
    name: 'webhook_partners_by_receivers',
    text: `SELECT e.environment, r.receivers, count(p.partner_id) AS partners
      FROM ${ENVIRONMENTS} CROSS JOIN (VALUES ('failing'), ('working')) AS r (receivers)
      LEFT JOIN (
        SELECT s.environment, s.partner_id, CASE WHEN bool_or(l.status = 'Delivered') THEN 'working' ELSE 'failing' END AS receivers
        FROM (
          SELECT DISTINCT ON (subscription_id) subscription_id, status FROM (
            SELECT subscription_id, minute, status FROM webhook_last_attempts
            WHERE minute > clock_timestamp() - interval '11 minutes' ORDER BY minute DESC LIMIT ${MOST}
          ) AS recent ORDER BY subscription_id, minute DESC
        ) AS l JOIN webhook_subscriptions s ON s.id = l.subscription_id
        GROUP BY s.environment, s.partner_id
      ) AS p USING (environment, receivers)
      GROUP BY e.environment, r.receivers`,
  },
  labels: ['environment', 'receivers'],
  gauges: [
    {
      name: 'webhook_partners',
      help: 'Partners with an attempt within ten minutes, by environment; receivers: working where the last attempt of one subscription at least was delivered, failing otherwise. Every instance shows the same: take max().',
      column: 'partners',
    },
  ],
  keepMs: 30_000,
};

/** What notifier shows of what waits in its database; `perSubscription` is how many attempts one may have under way. */
export const webhookBacklogs = (settings: { perSubscription: number }): readonly BacklogReading[] => [
  DUE(settings.perSubscription),
  PENDING,
  AT_LIMIT(settings.perSubscription),
  PARTNERS,
];
