import { query, type PreparedStatement, type Queryable } from '@reseller/database';

// Raw: the database's clock says how old a rate is, whichever instance read it.
const SAVE: PreparedStatement = {
  name: 'save_known_rate',
  text: `INSERT INTO known_rates (currency, rate, read_at) VALUES ($1, $2, clock_timestamp())
         ON CONFLICT (currency) DO UPDATE SET rate = excluded.rate, read_at = excluded.read_at`,
};
// Raw: as above.
const FIND: PreparedStatement = {
  name: 'find_known_rate',
  text: `SELECT rate FROM known_rates
         WHERE currency = $1 AND read_at > clock_timestamp() - $2 * interval '1 millisecond'`,
};

/** Keeps the rates that finance was last read to have, for all instances and across their restarts. */
export class KnownRateRepository {
  constructor(private readonly db: Queryable) {}

  /** Notes what finance has now; undefined when it has no rate for the currency. */
  async save(currency: string, rate: string | undefined): Promise<void> {
    await query(this.db, SAVE, [currency, rate ?? null]);
  }

  /** What finance was last read to have; undefined when that is longer ago than so many milliseconds. */
  async find(currency: string, maxAgeMs: number): Promise<{ rate: string | undefined } | undefined> {
    const [row] = await query<{ rate: string | null }>(this.db, FIND, [currency, maxAgeMs]);
    return row && { rate: row.rate ?? undefined };
  }
}
