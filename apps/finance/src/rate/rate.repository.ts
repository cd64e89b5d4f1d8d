import { query, type PreparedStatement, type Queryable } from '@reseller/database';

const SET_RATE: PreparedStatement = {
  name: 'set_rate',
  text: `INSERT INTO display_rate (currency, rate, updated_at) VALUES ($1, $2, clock_timestamp())
         ON CONFLICT (currency) DO UPDATE SET rate = excluded.rate, updated_at = excluded.updated_at
         RETURNING currency, rate, updated_at AS "updatedAt"`,
};

const FIND_RATE: PreparedStatement = {
  name: 'find_rate',
  text: 'SELECT rate FROM display_rate WHERE currency = $1',
};

/** A rate as it stands: display units for one SAR, six decimals. */
export interface DisplayRateRecord {
  currency: string;
  rate: string;
  updatedAt: Date;
}

/** Keeps the display rates. */
export class RateRepository {
  constructor(private readonly db: Queryable) {}

  /** Sets the rate in force from now on, by the database's clock. */
  async set(currency: string, rate: string): Promise<DisplayRateRecord> {
    const [record] = await query<DisplayRateRecord>(this.db, SET_RATE, [currency, rate]);
    if (!record) throw new Error('a rate that was set did not come back');
    return record;
  }

  /** The rate in force, display units for one SAR with six decimals; undefined when there is none. */
  async find(currency: string): Promise<string | undefined> {
    const [record] = await query<{ rate: string }>(this.db, FIND_RATE, [currency]);
    return record?.rate;
  }
}
