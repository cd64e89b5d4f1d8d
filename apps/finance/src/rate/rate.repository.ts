import { DisplayRateSet } from '@reseller/contracts';
import { query, withTransaction, type PageBounds, type PreparedStatement } from '@reseller/database';
import { appendToOutbox } from '@reseller/messaging';
import type { Pool } from 'pg';
import type { PrismaClient } from '../generated/prisma/client';

// Raw: in one transaction with its event, at the time of the database's clock.
const SET_RATE: PreparedStatement = {
  name: 'set_rate',
  text: `INSERT INTO display_rates (currency, rate, updated_at) VALUES ($1, $2, clock_timestamp())
         ON CONFLICT (currency) DO UPDATE SET rate = excluded.rate, updated_at = excluded.updated_at
         RETURNING currency, rate, updated_at AS "updatedAt"`,
};

// Raw: bench rows cart and checkout; every read and change of a cart, and every checkout, of a partner with a display currency.
const FIND_RATE: PreparedStatement = {
  name: 'find_rate',
  text: 'SELECT rate FROM display_rates WHERE currency = $1',
};

/** A rate as it stands: display units for one SAR, six decimals. */
export interface DisplayRateRecord {
  currency: string;
  rate: string;
  updatedAt: Date;
}

/** Keeps the display rates. */
export class RateRepository {
  constructor(
    private readonly pool: Pool,
    private readonly prisma: PrismaClient,
  ) {}

  /** Sets the rate in force from now on, by the database's clock, and publishes it. */
  async set(currency: string, rate: string): Promise<DisplayRateRecord> {
    return withTransaction(this.pool, async (tx) => {
      const [record] = await query<DisplayRateRecord>(tx, SET_RATE, [currency, rate]);
      if (!record) throw new Error('a rate that was set did not come back');
      await appendToOutbox(tx, {
        topic: 'reseller.finance.rate.v1',
        type: 'reseller.finance.v1.DisplayRateSet',
        aggregateId: currency,
        payload: DisplayRateSet.encode(record).finish(),
      });
      return record;
    });
  }

  /** The rate in force, display units for one SAR with six decimals; undefined when there is none. */
  async find(currency: string): Promise<string | undefined> {
    const [record] = await query<Pick<DisplayRateRecord, 'rate'>>(this.pool, FIND_RATE, [currency]);
    return record?.rate;
  }

  /** A page of the rates in force, by currency. */
  async list({ limit, offset }: PageBounds): Promise<{
    rates: DisplayRateRecord[];
    totalCount: number;
  }> {
    const [rows, totalCount] = await Promise.all([
      this.prisma.displayRate.findMany({ orderBy: { currency: 'asc' }, take: limit, skip: offset }),
      this.prisma.displayRate.count(),
    ]);
    return { rates: rows.map((row) => ({ ...row, rate: row.rate.toFixed(6) })), totalCount };
  }
}
