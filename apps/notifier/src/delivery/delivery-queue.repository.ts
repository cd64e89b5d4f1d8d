import { query } from '@reseller/database';
import type { EnvironmentName } from '@reseller/rpc';
import type { Pool } from 'pg';
import type { AttemptResult } from './domain/attempt';
import type { NextStep } from './domain/retry-plan';
import type { Lane, Look, Seen } from './lane-cursor';

/** A delivery that this process alone may attempt now, with all that the attempt needs as it is at this moment. */
export interface ClaimedDelivery {
  deliveryId: string;
  subscriptionId: string;
  eventId: string;
  eventType: string;
  /** Its subscription’s. */
  environment: EnvironmentName;
  /** Whether attempts under way, this one among them, fill all slots of its subscription. */
  isAtLimit: boolean;
  /** From 1. */
  attemptNumber: number;
  /** Of this claim; whoever claims the delivery after the lease has lapsed gets another one. */
  token: string;
  url: string;
  secretCiphertext: Buffer;
  secretKeyId: string;
  /** Null when its event is gone: it was taken in so late that its day's partition went before it was delivered. */
  body: Buffer | null;
  /** Trace and request id of its event's change. */
  headers: Readonly<Record<string, string>>;
}

/** What an attempt came to, with the moment of its end on the clock of `performance.now()`. */
export interface RecordedAttempt {
  claimed: ClaimedDelivery;
  result: AttemptResult;
  next: NextStep;
  endedAt: number;
}

/** How much is claimed at once. */
interface ClaimLimits {
  limit: number;
  /** Attempts under way of one subscription, over all instances. */
  perSubscription: number;
  leaseMs: number;
  look: Look;
}

interface ClaimedRow {
  delivery_id: string;
  subscription_id: string;
  event_id: string;
  event_type: string;
  attempts_made: number;
  body: Buffer | null;
  headers: Record<string, string> | null;
  /** What follows is with the first row of a subscription only. */
  token: string | null;
  url: string | null;
  secret_ciphertext: Buffer | null;
  secret_key_id: string | null;
  /** Null also where the subscription was made a moment ago. */
  environment: EnvironmentName | null;
  under_way: number | null;
}

/** What all of a subscription's deliveries in one claim have. */
type OfLane = Pick<ClaimedDelivery, 'token' | 'url' | 'secretCiphertext' | 'secretKeyId' | 'environment'>;

type Row =
  | ClaimedRow
  | { delivery_id: null; subscription_id: string; since: Date }
  | { delivery_id: null; subscription_id: null; hopping_ms: number };

// Raw: claim and lease are one statement on the hot path of webhooks; what is a subscription's is read once for each, and shows
// the attempts under way before this claim. It does not wait for the disk: one that a power cut takes back is made again. Results do wait.
const CLAIM = {
  name: 'webhook-claim',
  text: `WITH quick AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
         SELECT delivery_id, subscription_id, event_id, event_type, attempts_made, body, headers, since, hopping_ms,
                CASE WHEN is_first THEN token END AS token, CASE WHEN is_first THEN url END AS url,
                CASE WHEN is_first THEN secret_ciphertext END AS secret_ciphertext,
                CASE WHEN is_first THEN secret_key_id END AS secret_key_id,
                CASE WHEN is_first THEN (SELECT s.environment FROM webhook_subscriptions s WHERE s.id = subscription_id) END AS environment,
                CASE WHEN is_first THEN (SELECT count(*)::int FROM webhook_leases w WHERE w.subscription_id = c.subscription_id
                  AND w.lease_until > clock_timestamp()) END AS under_way
         FROM (SELECT c.*, delivery_id IS NOT NULL AND subscription_id IS DISTINCT FROM lag(subscription_id) OVER () AS is_first
               FROM quick, webhook_claim_due($1, $2, $3, $4, $5, $6 * interval '1 millisecond') AS c) AS c`,
};

// Raw: results, leases and counts of a batch change in one statement.
const RECORD = {
  name: 'webhook-record-results',
  text: 'SELECT webhook_record_results($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS recorded',
};

// Raw: only leases that still have their token go, all in one statement.
const RELEASE = {
  name: 'webhook-release',
  text: `DELETE FROM webhook_leases w USING unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS g (subscription_id, delivery_id, token)
         WHERE w.subscription_id = g.subscription_id AND w.delivery_id = g.delivery_id AND w.token = g.token`,
};

/** The deliveries to be made: who may attempt which one, and what came of it. */
export class DeliveryQueueRepository {
  constructor(private readonly pool: Pool) {}

  /** Takes due deliveries of active subscriptions, those with the fewest attempts under way first; and says what it saw. */
  async claim(limits: ClaimLimits): Promise<{ claimed: ClaimedDelivery[]; seen: Seen }> {
    const { limit, perSubscription, leaseMs, look } = limits;
    const rows = await query<Row>(this.pool, CLAIM, [
      limit,
      perSubscription,
      leaseMs,
      look.lanes?.map(({ id }) => id) ?? null,
      look.lanes?.map(({ since }) => since) ?? null,
      look.madeWithinMs,
    ]);
    const claimedRows: ClaimedRow[] = [];
    const lanes: Lane[] = [];
    let hoppingMs = 0;
    for (const row of rows)
      if (row.delivery_id !== null) claimedRows.push(row);
      else if (row.subscription_id !== null) lanes.push({ id: row.subscription_id, since: row.since });
      else hoppingMs = row.hopping_ms;
    return { claimed: toClaimed(claimedRows, perSubscription), seen: { lanes, hoppingMs } };
  }

  /**
   * Records attempts under the leases they were claimed with and frees their slots, all or none; returns how many were
   * recorded. Repeating it changes nothing, nor does a result whose lease another claim has taken.
   */
  async recordResults(attempts: readonly RecordedAttempt[]): Promise<number> {
    const now = performance.now();
    const [row] = await query<{ recorded: number }>(this.pool, RECORD, [
      attempts.map(({ claimed }) => claimed.deliveryId),
      attempts.map(({ claimed }) => claimed.subscriptionId),
      attempts.map(({ claimed }) => claimed.token),
      attempts.map(({ claimed }) => claimed.attemptNumber),
      attempts.map(({ next }) => next.status),
      attempts.map(({ next }) => (next.status === null ? next.gapMs : null)),
      attempts.map(({ endedAt }) => Math.round(now - endedAt)),
      attempts.map(({ result }) => result.durationMs),
      attempts.map(({ result }) => result.responseStatus),
      attempts.map(({ result }) => result.errorSummary),
    ]);
    return row?.recorded ?? 0;
  }

  /** Gives up leases without a result: the same attempts may be claimed again at once. */
  async release(claimed: readonly ClaimedDelivery[]): Promise<void> {
    await query(this.pool, RELEASE, [
      claimed.map((one) => one.subscriptionId),
      claimed.map((one) => one.deliveryId),
      claimed.map((one) => one.token),
    ]);
  }
}

function toClaimed(rows: readonly ClaimedRow[], perSubscription: number): ClaimedDelivery[] {
  const lanes = new Map<string, OfLane>();
  const underWay = new Map<string, number>();
  for (const row of rows) {
    const { subscription_id: id, under_way: before } = row;
    const lane = laneOf(row);
    if (lane) lanes.set(id, lane);
    underWay.set(id, (underWay.get(id) ?? 0) + 1 + (before ?? 0));
  }
  return rows.map((row) => {
    const lane = lanes.get(row.subscription_id);
    if (!lane) throw new Error('a delivery was claimed without what its subscription says');
    const isAtLimit = (underWay.get(row.subscription_id) ?? 0) >= perSubscription;
    return toDelivery(row, lane, isAtLimit);
  });
}

function laneOf(row: ClaimedRow): OfLane | undefined {
  const { token, url, secret_ciphertext: secretCiphertext, secret_key_id: secretKeyId } = row;
  if (token === null || url === null || secretCiphertext === null || secretKeyId === null) return undefined;
  return { token, url, secretCiphertext, secretKeyId, environment: row.environment ?? 'live' };
}

const toDelivery = (row: ClaimedRow, lane: OfLane, isAtLimit: boolean): ClaimedDelivery => ({
  deliveryId: row.delivery_id,
  subscriptionId: row.subscription_id,
  eventId: row.event_id,
  eventType: row.event_type,
  environment: lane.environment,
  isAtLimit,
  attemptNumber: row.attempts_made + 1,
  token: lane.token,
  url: lane.url,
  secretCiphertext: lane.secretCiphertext,
  secretKeyId: lane.secretKeyId,
  body: row.body,
  headers: row.headers ?? {},
});
