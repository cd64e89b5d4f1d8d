import { directAddress, ensureDatabase, keepRoleLimits, type DatabaseAddress } from '@reseller/database';
import type { Pool } from 'pg';
import { GROUP } from './group.sql';
import { PUBLISH } from './publish.sql';
import { SEGMENT } from './segment.sql';
import { TABLES, VIEWS } from './tables.sql';

/** Raised with each change of the scripts, which must go on from the version before and let members of it work on. */
const VERSION = 7;

/** As text, so that it is inside of a service's bundle. */
const SCRIPT = [TABLES, VIEWS, PUBLISH, GROUP, SEGMENT].join('\n');

/** Creates the bus's database and schema unless they are there; many processes may do so at once. */
export async function ensureEventBusSchema(pool: Pool, address: DatabaseAddress): Promise<void> {
  await ensureDatabase(directAddress(address));
  await keepRoleLimits(address);
  if ((await storedVersion(pool)) >= VERSION) return;
  // One message is one transaction; the lock ends with it.
  const lock = "SELECT pg_advisory_xact_lock(hashtextextended('reseller.event_bus.schema', 0));";
  await pool.query(
    `${lock}${SCRIPT}INSERT INTO event_bus.schema_version VALUES (${VERSION}) ON CONFLICT DO NOTHING;`,
  );
}

async function storedVersion(pool: Pool): Promise<number> {
  const found = await pool.query("SELECT 1 WHERE to_regclass('event_bus.schema_version') IS NOT NULL");
  if (found.rowCount === 0) return 0;
  const { rows } = await pool.query<{ version: number | null }>(
    'SELECT max(version) AS version FROM event_bus.schema_version',
  );
  return rows[0]?.version ?? 0;
}
