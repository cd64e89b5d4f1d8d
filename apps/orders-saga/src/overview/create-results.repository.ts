import type { CreateBatch } from '@reseller/contracts';
import { query, withTransaction, type PreparedStatement } from '@reseller/database';
import { environmentNameOf } from '@reseller/rpc';
import type { Pool } from 'pg';
import { forgetHours, isLate } from './hour-durations.repository';

/** From a batch's start to its end, as the table has it. */
const LONGEST_BATCH_MS = 60_000;

// Raw: a batch that is known already changes nothing, and all of them are one statement.
const RECORD: PreparedStatement = {
  name: 'create_results_record',
  text: `INSERT INTO create_results (gateway, sequence, environment, code, started_at, ended_at, offsets_ms, durations_ms)
    SELECT $1, sequence, environment, code, "startedAt",
      "startedAt" + (SELECT max(ms) FROM unnest("offsetsMs") AS ms) * interval '1 millisecond', "offsetsMs", "durationsMs"
    FROM jsonb_to_recordset($2::jsonb) AS r (sequence bigint, environment text, code text, "startedAt" timestamptz,
      "offsetsMs" integer[], "durationsMs" integer[])
    ON CONFLICT DO NOTHING`,
};

/** Keeps what creates came to at the gateways. */
export class CreateResultsRepository {
  constructor(private readonly pool: Pool) {}

  /** All of a gateway's batches or none; one that is known already changes nothing. One that comes late is added to its hours. */
  async record(gatewayId: string, batches: readonly CreateBatch[], now = Date.now()): Promise<void> {
    const rows = batches.flatMap(({ sequence, startedAt, results }) =>
      results.map(({ environment, ...same }) => ({
        ...same,
        environment: environmentNameOf(environment),
        sequence,
        startedAt,
      })),
    );
    if (rows.length === 0) return;
    const values = [gatewayId, JSON.stringify(rows)];
    const late = batches.flatMap(({ startedAt }) => (startedAt && isLate(startedAt, now) ? [startedAt] : []));
    if (late.length === 0) return void (await query(this.pool, RECORD, values));
    await withTransaction(this.pool, async (tx) => {
      const moments = late.flatMap((at) => [at.getTime(), at.getTime() + LONGEST_BATCH_MS]);
      await forgetHours(tx, moments);
      await query(tx, RECORD, values);
    });
  }
}
