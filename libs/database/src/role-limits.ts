import { directAddress, isPooled, type DatabaseAddress } from './database-address';
import { connect } from './ensure-database';
import { DEFAULT_LIMITS, SESSION_TIME_ZONE } from './limits';

const KEPT = [...Object.entries(DEFAULT_LIMITS), ['TimeZone', SESSION_TIME_ZONE]];

// A server without one of them (transaction_timeout is of 17) is not given it.
const KEEP_LIMITS = `DO $do$ DECLARE wanted record; BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('reseller.role_limits', 0));
  FOR wanted IN
    SELECT w.name, w.value FROM (VALUES ${KEPT.map(([name, value]) => `('${name}', '${value}')`).join(', ')}) AS w (name, value)
    JOIN pg_settings AS known ON known.name = w.name
    WHERE NOT EXISTS (
      SELECT FROM pg_db_role_setting AS s JOIN pg_database AS d ON d.oid = s.setdatabase
      WHERE d.datname = current_database() AND s.setrole = current_user::regrole
        AND w.name || '=' || w.value = ANY (s.setconfig))
  LOOP
    EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET %I = %L', current_database(), wanted.name, wanted.value);
  END LOOP;
END $do$`;

/**
 * Makes the limits and the time zone that a pool gives its connections those of the role, in this database: a connection that a
 * pooler gives to one client after the other keeps nothing that one of them has set. A role may set its own; does nothing without a pooler.
 */
export async function keepRoleLimits(address: DatabaseAddress): Promise<void> {
  if (!isPooled(address)) return;
  const client = await connect(directAddress(address));
  try {
    await client.query(KEEP_LIMITS);
  } finally {
    await client.end();
  }
}
