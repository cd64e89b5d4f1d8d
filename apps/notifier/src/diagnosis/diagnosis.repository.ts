import { query, type PreparedStatement } from '@reseller/database';
import type { Pool } from 'pg';
import type { Diagnosis } from './domain/diagnosis';

/** Whether a diagnosis may begin. */
type DiagnosisClaim =
  | { readonly outcome: 'claimed'; readonly startedAt: Date }
  /** Another one is under way, at the latest for so long. */
  | { readonly outcome: 'taken'; readonly retryAfterSeconds: number }
  /** The subscription was deleted meanwhile. */
  | { readonly outcome: 'gone' };

// Raw: one of several at the same time begins, by the database's clock.
const CLAIM: PreparedStatement = {
  name: 'diagnosis-claim',
  text: `INSERT INTO webhook_diagnoses AS d (subscription_id, lease_token, lease_until)
    SELECT id, $2::uuid, clock_timestamp() + $3::float8 * interval '1 millisecond'
    FROM webhook_subscriptions WHERE id = $1 FOR KEY SHARE
    ON CONFLICT (subscription_id) DO UPDATE SET lease_token = EXCLUDED.lease_token, lease_until = EXCLUDED.lease_until
    WHERE d.lease_until IS NULL OR d.lease_until <= clock_timestamp()
    RETURNING clock_timestamp() AS "startedAt"`,
};

// Raw: by the database's clock.
const LEFT: PreparedStatement = {
  name: 'diagnosis-lease-left',
  text: `SELECT ceil(extract(epoch FROM lease_until - clock_timestamp()))::int AS seconds
    FROM webhook_diagnoses WHERE subscription_id = $1`,
};

// Raw: only under the lease that it began with.
const FINISH: PreparedStatement = {
  name: 'diagnosis-finish',
  text: `UPDATE webhook_diagnoses
    SET lease_token = NULL, lease_until = NULL, started_at = $3, grade = $4, checks = $5::jsonb
    WHERE subscription_id = $1 AND lease_token = $2 RETURNING 1 AS kept`,
};

// Raw: only under the lease that it began with.
const FREE: PreparedStatement = {
  name: 'diagnosis-free',
  text: `UPDATE webhook_diagnoses SET lease_token = NULL, lease_until = NULL
    WHERE subscription_id = $1 AND lease_token = $2`,
};

// Raw: beside the others on the pool.
const FIND: PreparedStatement = {
  name: 'diagnosis-find',
  text: `SELECT subscription_id AS "subscriptionId", started_at AS "startedAt", grade, checks
    FROM webhook_diagnoses WHERE subscription_id = $1 AND grade IS NOT NULL`,
};

/** Keeps the last diagnosis of each subscription, and who makes the next one. */
export class DiagnosisRepository {
  constructor(private readonly pool: Pool) {}

  /** Begins one under a token, unless another is under way whose lease is not over. */
  async claim(subscriptionId: string, token: string, leaseMs: number): Promise<DiagnosisClaim> {
    const [claimed] = await query<{ startedAt: Date }>(this.pool, CLAIM, [subscriptionId, token, leaseMs]);
    if (claimed) return { outcome: 'claimed', ...claimed };
    const [left] = await query<{ seconds: number | null }>(this.pool, LEFT, [subscriptionId]);
    if (!left) return { outcome: 'gone' };
    return { outcome: 'taken', retryAfterSeconds: Math.max(1, left.seconds ?? 1) };
  }

  /** Keeps one in place of the one before; false when its lease was lost, or its subscription is gone. */
  async finish({ subscriptionId, startedAt, grade, checks }: Diagnosis, token: string): Promise<boolean> {
    const values = [subscriptionId, token, startedAt, grade, JSON.stringify(checks)];
    return (await query(this.pool, FINISH, values)).length > 0;
  }

  /** Gives one up that came to nothing. */
  async free(subscriptionId: string, token: string): Promise<void> {
    await query(this.pool, FREE, [subscriptionId, token]);
  }

  /** The last one that ended. */
  async findLast(subscriptionId: string): Promise<Diagnosis | undefined> {
    return (await query<Diagnosis>(this.pool, FIND, [subscriptionId]))[0];
  }
}
