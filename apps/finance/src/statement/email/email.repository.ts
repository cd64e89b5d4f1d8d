import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import type { EnvironmentName } from '@reseller/rpc';

// Raw: tries are leased and fenced by the database's clock, each by one statement.
const CLAIM: PreparedStatement = {
  name: 'statement_email_claim',
  text: `UPDATE statements SET email_attempts = email_attempts + 1, email_due_at = clock_timestamp() + $1 * interval '1 ms'
         WHERE id = (SELECT id FROM statements
                     WHERE email_status = 'Pending' AND email_due_at <= clock_timestamp() AND email_attempts < $2
                     ORDER BY email_due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
         RETURNING id, email_attempts AS attempt, (SELECT w.environment FROM wallets w WHERE w.id = wallet_id) AS environment`,
};
const SENT: PreparedStatement = {
  name: 'statement_email_sent',
  text: `UPDATE statements SET email_status = 'Sent', email_sent_at = clock_timestamp(), email_status_reason = NULL
         WHERE id = $1 AND email_attempts = $2 AND email_status = 'Pending'`,
};
const FAILED: PreparedStatement = {
  name: 'statement_email_failed',
  text: `UPDATE statements SET email_status = CASE WHEN email_attempts < $3 THEN 'Pending' ELSE 'Failed' END,
                email_status_reason = CASE WHEN email_attempts < $3 THEN NULL ELSE $4 END,
                email_due_at = clock_timestamp() + $5 * interval '1 ms'
         WHERE id = $1 AND email_attempts = $2 AND email_status = 'Pending'`,
};
const GIVE_UP: PreparedStatement = {
  name: 'statement_email_give_up',
  text: `UPDATE statements SET email_status = 'Failed', email_status_reason = 'The last try was cut off'
         WHERE email_status = 'Pending' AND email_due_at <= clock_timestamp() AND email_attempts >= $1`,
};

/** Tries for one statement's e-mail (spec §9.3). */
const EMAIL_TRIES = 3;

/** One try at a statement's e-mail; a later attempt's number fences it out. */
export interface EmailTry {
  readonly id: string;
  readonly attempt: number;
  /** Its wallet’s. */
  readonly environment: EnvironmentName;
}

/** Which statements are to be sent, and what became of each. */
export class EmailRepository {
  constructor(private readonly db: Queryable) {}

  /** Takes the next one that is due, for so long; a try is counted before it is made. */
  async claim(leaseMs: number): Promise<EmailTry | undefined> {
    await query(this.db, GIVE_UP, [EMAIL_TRIES]);
    const [row] = await query<EmailTry>(this.db, CLAIM, [leaseMs, EMAIL_TRIES]);
    return row;
  }

  async markSent({ id, attempt }: Pick<EmailTry, 'id' | 'attempt'>): Promise<void> {
    await query(this.db, SENT, [id, attempt]);
  }

  /** Due again after a pause, or given up with its reason after the last try. */
  async markFailed(
    { id, attempt }: Pick<EmailTry, 'id' | 'attempt'>,
    reason: string,
    pauseMs: number,
  ): Promise<void> {
    await query(this.db, FAILED, [id, attempt, EMAIL_TRIES, reason, pauseMs]);
  }
}
