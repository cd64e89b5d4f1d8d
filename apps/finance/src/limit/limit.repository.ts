import { query, withTransaction, type PreparedStatement, type Queryable } from '@reseller/database';
import type { Pool } from 'pg';
import type { WalletRef } from '../ledger/domain/wallet-operation';
import { lowestOf, type LimitSetter, type LimitSetting, type SpendingLimits } from './domain/spending-limits';
import { RecipientCounts } from './recipient-counts.repository';

const OPERATOR = 'operator';

// Raw: who sets limits, who opens the wallet that they hold for, and who takes in that an ancestor is one no more, go one after the
// other by a lock that there is before any of their rows.
const LOCK: PreparedStatement = {
  name: 'limits_lock',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('spending limits of ' || $1, 0))`,
};
const SET: PreparedStatement = {
  name: 'limits_set',
  text: `INSERT INTO spending_limits (partner_id, environment, setter, max_order_amount, daily_spend, daily_orders_per_phone)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (partner_id, environment, setter) DO UPDATE
         SET max_order_amount = excluded.max_order_amount, daily_spend = excluded.daily_spend,
             daily_orders_per_phone = excluded.daily_orders_per_phone, set_at = clock_timestamp()
         RETURNING set_at AS "setAt"`,
};
const LIST: PreparedStatement = {
  name: 'limits_list',
  text: `SELECT setter, max_order_amount AS "maxOrderAmount", daily_spend AS "dailySpend",
           daily_orders_per_phone AS "dailyOrdersPerPhone", set_at AS "setAt"
         FROM spending_limits WHERE partner_id = $1 AND environment = $2
         ORDER BY setter <> 'operator', setter`,
};
const DROP_FORMER: PreparedStatement = {
  name: 'limits_drop_former',
  text: `DELETE FROM spending_limits WHERE partner_id = $1 AND setter <> 'operator' AND setter <> ALL ($2::text[])
         RETURNING environment`,
};
const APPLY: PreparedStatement = {
  name: 'limits_apply',
  text: `WITH before AS (SELECT id, daily_orders_per_phone FROM wallets WHERE partner_id = $1 AND environment = $2 FOR NO KEY UPDATE)
         UPDATE wallets w SET max_order_amount = $3, daily_spend = $4, daily_orders_per_phone = $5
         FROM before WHERE w.id = before.id
         RETURNING before.daily_orders_per_phone IS NULL AND w.daily_orders_per_phone IS NOT NULL AS "beginsToCount"`,
};
const VERSION: PreparedStatement = {
  name: 'limits_partner_version',
  text: 'SELECT version FROM partner_profiles WHERE partner_id = $1',
};
// Raw: one statement, whose clock says which day it is; a hold that has lapsed is given back as the next movement would.
const SPENT_TODAY: PreparedStatement = {
  name: 'limits_spent_today',
  text: `SELECT d.ends AS "resetsAt", w.id IS NOT NULL AS "hasWallet",
           (CASE WHEN w.spend_day = d.today THEN w.spent WHEN w.spend_day = d.today + 1 THEN w.spent_before
                 WHEN w.spend_day < d.today THEN 0 WHEN w.id IS NULL THEN 0 ELSE wallet_spent_on(w.id, d.today) END
            - coalesce((SELECT sum(r.amount) FROM reservations r
                        WHERE r.wallet_id = w.id AND r.state = 'active' AND r.expires_at < 'infinity'
                          AND r.expires_at <= statement_timestamp()
                          AND coalesce(r.submitted_on, (r.created_at AT TIME ZONE 'UTC')::date) = d.today), 0)
           )::numeric(20, 2) AS "spentToday"
         FROM (SELECT (statement_timestamp() AT TIME ZONE 'UTC')::date AS today,
                      date_trunc('day', statement_timestamp(), 'UTC') + interval '1 day' AS ends) d
         LEFT JOIN wallets w ON w.partner_id = $1 AND w.environment = $2`,
};

interface SettingRow extends SpendingLimits {
  setter: string;
  setAt: Date;
}

interface AppliedRow {
  beginsToCount: boolean;
}

/** What a partner has spent of today, and when that begins anew. */
export interface SpentToday {
  readonly hasWallet: boolean;
  readonly spentToday: string;
  readonly resetsAt: Date;
}

/** Keeps who lets whom spend how much, and each wallet's lowest limits with it (docs/adr/0025). */
export class LimitRepository {
  private readonly recipients: RecipientCounts;

  constructor(private readonly pool: Pool) {
    this.recipients = new RecipientCounts(pool);
  }

  /**
   * Replaces what one of those who set limits has set; the wallet is held to it from the commit on. Undefined, and nothing is set, where
   * finance has taken in a later version of the partner than the given one, by which it may have moved.
   */
  async set(
    ref: WalletRef,
    setter: LimitSetter,
    limits: SpendingLimits,
    partnerVersion?: number,
  ): Promise<LimitSetting | undefined> {
    const countedTo =
      limits.dailyOrdersPerPhone === null ? undefined : await this.recipients.countCharges(ref);
    return withTransaction(this.pool, async (tx) => {
      await query(tx, LOCK, [ref.partnerId]);
      if (partnerVersion !== undefined) {
        const [profile] = await query<{ version: number }>(tx, VERSION, [ref.partnerId]);
        if (profile && profile.version > partnerVersion) return undefined;
      }
      const name = setter === OPERATOR ? OPERATOR : setter.ancestorId;
      const { maxOrderAmount, dailySpend, dailyOrdersPerPhone } = limits;
      const values = [ref.partnerId, ref.environment, name, maxOrderAmount, dailySpend, dailyOrdersPerPhone];
      const [set] = await query<{ setAt: Date }>(tx, SET, values);
      if (!set) throw new Error('a limit that was set was not returned');
      await this.applyTo(tx, ref, countedTo);
      return { ...limits, setter, setAt: set.setAt };
    });
  }

  /** Keeps others who change what the partner's limits depend on waiting until the transaction ends; to be taken before any row. */
  async lock(tx: Queryable, partnerId: string): Promise<void> {
    await query(tx, LOCK, [partnerId]);
  }

  /**
   * Holds the wallet to the lowest of its limits; nothing where there is no wallet yet. Under the partner's lock. `countedTo` is the
   * line up to which the recipients of its charges are counted.
   */
  async applyTo(tx: Queryable, ref: WalletRef, countedTo?: string): Promise<void> {
    const limits = lowestOf(await this.listIn(tx, ref));
    const { maxOrderAmount, dailySpend, dailyOrdersPerPhone } = limits;
    const lowest = [maxOrderAmount, dailySpend, dailyOrdersPerPhone].map((one) => one?.limit ?? null);
    const owner = [ref.partnerId, ref.environment];
    const [wallet] = await query<AppliedRow>(tx, APPLY, [...owner, ...lowest]);
    if (wallet?.beginsToCount) await this.recipients.countRest(tx, ref, countedTo);
  }

  /** Ends the limits of those who are no ancestors of the partner any more. */
  async dropFormerAncestors(tx: Queryable, partnerId: string, path: readonly string[]): Promise<void> {
    const dropped = await query<Pick<WalletRef, 'environment'>>(tx, DROP_FORMER, [partnerId, [...path]]);
    for (const environment of new Set(dropped.map((row) => row.environment)))
      await this.applyTo(tx, { partnerId, environment });
  }

  /** Everybody's limits of a partner, the operators' first. */
  list(ref: WalletRef): Promise<LimitSetting[]> {
    return this.listIn(this.pool, ref);
  }

  /** What the partner's orders of today hold or were charged. */
  async spentToday({ partnerId, environment }: WalletRef): Promise<SpentToday> {
    const [spent] = await query<SpentToday>(this.pool, SPENT_TODAY, [partnerId, environment]);
    if (!spent) throw new Error('the spending of today was not returned');
    return spent;
  }

  private async listIn(db: Queryable, { partnerId, environment }: WalletRef): Promise<LimitSetting[]> {
    const rows = await query<SettingRow>(db, LIST, [partnerId, environment]);
    return rows.map(({ setter, ...row }) => ({
      ...row,
      setter: setter === OPERATOR ? OPERATOR : { ancestorId: setter },
    }));
  }
}
