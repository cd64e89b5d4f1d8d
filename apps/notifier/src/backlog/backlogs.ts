import type { BacklogCursor, BacklogReading } from '@reseller/database';
import { LaneCursor, type Look } from '../delivery/lane-cursor';

/** Counted up to here. */
const MOST = 100_000;

// Raw: hops along the due index in one statement, with plans of its own (webhook_due_ages.sql).
const DUE_STATEMENT = {
  name: 'webhook_due_ages',
  text: `SELECT seconds, unclaimed, busy, lanes FROM webhook_due_ages($1, $2, $3, $4 * interval '1 millisecond')`,
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
