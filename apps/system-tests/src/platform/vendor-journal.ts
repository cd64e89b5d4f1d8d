import pg from 'pg';
import { readPlatformFile } from './platform-file';
import type { EnvironmentName } from './platform-file';

/** What a vendor has on record of one order: the truth that the ledger is compared with. */
interface VendorRecord {
  readonly idempotencyKey: string;
  readonly isDelivered: boolean;
  readonly submissions: number;
}

/** The vendor's record of the given orders, by their global ids; it is in the database of whoever plays the vendor. */
export async function readVendorJournal(
  environment: EnvironmentName,
  orderGlobalIds: readonly string[],
): Promise<Map<string, VendorRecord>> {
  const ordersUrl = new URL(readPlatformFile().databases['orders-saga'] ?? '');
  if (environment === 'live') ordersUrl.pathname = '/vendor_simulator';
  const client = new pg.Client({ connectionString: ordersUrl.toString() });
  await client.connect();
  try {
    const { rows } = await client.query<{
      idempotency_key: string;
      is_delivered: boolean;
      submissions: number;
    }>(
      `SELECT idempotency_key, delivered_at IS NOT NULL AS is_delivered, submissions
       FROM vendor_journal WHERE idempotency_key = ANY($1)`,
      [orderGlobalIds],
    );
    return new Map(
      rows.map((row) => [
        row.idempotency_key,
        { idempotencyKey: row.idempotency_key, isDelivered: row.is_delivered, submissions: row.submissions },
      ]),
    );
  } finally {
    await client.end();
  }
}
