import { query, type PreparedStatement } from '@reseller/database';
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { VendorCall } from '../clients/vendors/observe-vendor';
import type { OrderEnvironment } from '../order/domain/order';

/** Calls to one vendor of which one thing came. */
export interface VendorCallRow {
  readonly environment: OrderEnvironment;
  readonly vendor: string;
  readonly outcome: VendorCall['outcome'];
  readonly durationsMs: readonly number[];
}

// Raw: all of them are one statement.
const RECORD: PreparedStatement = {
  name: 'vendor_calls_record',
  text: `INSERT INTO vendor_calls (instance, environment, vendor, outcome, recorded_at, durations_ms)
    SELECT $1, environment, vendor, outcome, statement_timestamp(), "durationsMs"
    FROM jsonb_to_recordset($2::jsonb) AS r (environment text, vendor text, outcome text, "durationsMs" integer[])`,
};

/** Keeps what calls to vendors came to. */
export class VendorCallRepository {
  private readonly instance = randomUUID();

  constructor(private readonly pool: Pool) {}

  /** All of the rows or none, as of now. */
  async record(rows: readonly VendorCallRow[]): Promise<void> {
    await query(this.pool, RECORD, [this.instance, JSON.stringify(rows)]);
  }
}
