import type { CreateBatch } from '@reseller/contracts';
import { query, type PreparedStatement } from '@reseller/database';
import { environmentNameOf } from '@reseller/rpc';
import type { Pool } from 'pg';

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

  /** All of a gateway's batches or none; one that is known already changes nothing. */
  async record(gatewayId: string, batches: readonly CreateBatch[]): Promise<void> {
    const rows = batches.flatMap(({ sequence, startedAt, results }) =>
      results.map(({ environment, ...same }) => ({
        ...same,
        environment: environmentNameOf(environment),
        sequence,
        startedAt,
      })),
    );
    if (rows.length > 0) await query(this.pool, RECORD, [gatewayId, JSON.stringify(rows)]);
  }
}
