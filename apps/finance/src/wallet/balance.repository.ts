import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import type { WalletRef } from '../ledger/domain/wallet-operation';

// Raw: the bench row of balance reads. One statement sees one state of everything, so balance, holds and rate belong together. A hold that has lapsed on the
// database's clock is added back here exactly as the next spend would sweep it (spec §3.5).
const READ_BALANCES: PreparedStatement = {
  name: 'read_balances',
  text: `SELECT w.partner_id AS "partnerId", w.environment, w.currency, w.posted,
                w.posted - w.held + coalesce(
                  (SELECT sum(r.amount) FROM reservations r
                   WHERE r.wallet_id = w.id AND r.state = 'active' AND r.expires_at < 'infinity'
                     AND r.expires_at <= statement_timestamp()), 0) AS available,
                d.currency AS display_currency, d.rate
         FROM unnest($1::uuid[], $2::text[]) AS k (partner_id, environment)
         JOIN wallets w ON w.partner_id = k.partner_id AND w.environment = k.environment
         LEFT JOIN partner_profiles p ON p.partner_id = w.partner_id
         LEFT JOIN display_rates d ON d.currency = p.display_currency`,
};

/** What a wallet holds at one moment, in SAR, and how the partner wants it displayed. */
export interface Balance {
  currency: string;
  posted: string;
  /** What a spend is held to. */
  available: string;
  /** Absent when nothing is converted (spec §3.3); six decimals. */
  displayRate: { currency: string; rate: string } | undefined;
}

interface BalanceRow extends WalletRef {
  currency: string;
  posted: string;
  available: string;
  display_currency: string | null;
  rate: string | null;
}

/** Reads balances of many wallets in one statement. */
export class BalanceRepository {
  constructor(private readonly db: Queryable) {}

  /** One balance for each wallet, in that order; undefined where there is no wallet. */
  async readMany(wallets: readonly WalletRef[]): Promise<(Balance | undefined)[]> {
    // Many readers of one wallet are one look-up.
    const distinct = new Map(wallets.map((wallet) => [nameOf(wallet), wallet]));
    const rows = await query<BalanceRow>(this.db, READ_BALANCES, [
      [...distinct.values()].map(({ partnerId }) => partnerId),
      [...distinct.values()].map(({ environment }) => environment),
    ]);
    const balances = new Map(rows.map((row) => [nameOf(row), toBalance(row)]));
    return wallets.map((wallet) => balances.get(nameOf(wallet)));
  }
}

const nameOf = ({ partnerId, environment }: WalletRef): string => `${environment}:${partnerId}`;

function toBalance({ currency, posted, available, display_currency, rate }: BalanceRow): Balance {
  const displayRate =
    display_currency !== null && rate !== null ? { currency: display_currency, rate } : undefined;
  return { currency, posted, available, displayRate };
}
